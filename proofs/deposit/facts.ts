// Reads what the ledger stores about a deposit and about the gateway that credits it.
import { blockNumOf, readBlockHeader } from '../../core/antelope/block.ts'
import type { ActionReceipt } from '../../core/antelope/digest.ts'
import { nameToU64 } from '../../core/antelope/name.ts'
import { HeadwaterError } from '../../core/errors.ts'
import type { ReceiptProof } from '../../core/evm/deposit-proof.ts'
import { readHeader } from '../../core/evm/header-fields.ts'
import type { BridgeLog } from '../../core/finality/bridge-log.ts'
import { receiptOf } from '../../core/finality/legacy/rows.ts'
import type { SavannaProof } from '../../core/finality/light-client.ts'
import { hashesOf } from '../../core/finality/rows.ts'
import type { Queryable } from '../../finality-store/nodes.ts'
import { gatewayAbi } from './abi.ts'
import type { HeavyProof } from './antelope/dpos-check.ts'
import { type Anchor, HEADERS_AN_ACTION } from './evm/path.ts'
import type { GatewayKnowledge, LockedDeposit } from './evm/prove.ts'
import {
  DEPOSIT_LOG,
  GATEWAY,
  LOCKED_DEPOSIT,
  LOCKED_PROOFS,
  LOCKED_SINCE,
  VAULT_DEPOSIT,
  VAULT_PROOFS,
  VAULT_SINCE,
} from './sql.ts'

/** A deposit, identified by its key `d:<domain>:<nonce>`. */
export interface DepositKey {
  domain: bigint
  nonce: bigint
}

/** Range of blocks around an Antelope deposit in which credited deposits are searched for a root that covers it. */
const NEAR_BEFORE = 1000
const NEAR_AFTER = 1_000_000

export class DepositFacts {
  readonly #db: Queryable
  readonly #ledger: string

  /** @param ledger  chain of the bridge's ledger */
  constructor(db: Queryable, ledger: string) {
    this.#db = db
    this.#ledger = ledger
  }

  async gateway(domain: bigint): Promise<string | null> {
    const [row] = await this.#rows<{ account: string }>(GATEWAY, this.#ledger, `${domain}`)
    return row?.account ?? null
  }

  /** A deposit into a vault. */
  async vaultDeposit({ domain, nonce }: DepositKey): Promise<(LockedDeposit & { isFinal: boolean }) | null> {
    type Row = LockedDeposit['place'] &
      Pick<LockedDeposit, 'time' | 'token' | 'memo'> & { canonical: string; telosTo: string; isFinal: boolean }
    const [row] = await this.#rows<Row>(VAULT_DEPOSIT, `${domain}`, `${nonce}`)
    if (!row) return null
    const { chain, blockNum, blockHash, logIndex, contract, canonical, telosTo, ...more } = row
    const place = { chain, blockNum, blockHash, logIndex, contract }
    return { ...more, nonce, place, canonical: BigInt(canonical), telosTo: nameToU64(telosTo) }
  }

  /** What the gateway of a vault's chain trusts. */
  async vaultKnowledge(domain: bigint, { place, time }: LockedDeposit, account: string): Promise<GatewayKnowledge> {
    const { chain, blockNum } = place
    const keys = [this.#ledger, `${domain}`, chain]
    const [since] = await this.#rows<GatewayKnowledge['since']>(VAULT_SINCE, ...keys, blockNum)
    const range = [blockNum - HEADERS_AN_ACTION, blockNum + HEADERS_AN_ACTION]
    const rows = await this.#rows<{ proof: Uint8Array }>(VAULT_PROOFS, ...keys, ...range, account)
    const anchors = rows.flatMap(({ proof }): Anchor[] =>
      ifKnownLayout(() => {
        const { headers } = gatewayAbi('evm').decode('receipt_proof', proof) as ReceiptProof
        return headers.slice(-1).map(readHeader)
      }),
    )
    const first = since && since.number <= blockNum ? since : { number: blockNum, time }
    return { since: first, anchors }
  }

  /** A deposit into the bridge account of an Antelope chain. */
  async lockedDeposit({
    domain,
    nonce,
  }: DepositKey): Promise<{ chain: string; blockNum: number; bridge: string } | null> {
    type Row = { chain: string; blockNum: number; bridge: string | null }
    const [row] = await this.#rows<Row>(LOCKED_DEPOSIT, `${domain}`, `${nonce}`)
    return row?.bridge ? { ...row, bridge: row.bridge } : null
  }

  /** What the gateway of an Antelope chain trusts. */
  async lockedKnowledge(
    domain: bigint,
    { chain, blockNum }: { chain: string; blockNum: number },
    account: string,
  ): Promise<LockedKnowledge> {
    const keys = [this.#ledger, `${domain}`, chain]
    const [since] = await this.#rows<{ number: number }>(LOCKED_SINCE, ...keys)
    const range = [blockNum - NEAR_BEFORE, blockNum + NEAR_AFTER]
    const rows = await this.#rows<{ proof: Uint8Array }>(LOCKED_PROOFS, ...keys, ...range, account)
    const knowledge: LockedKnowledge = { since: since?.number ?? blockNum, roots: [], proved: [] }
    for (const { proof } of rows) ifKnownLayout(() => learn(knowledge, proof))
    return knowledge
  }

  async depositLog(chain: string, nonce: bigint): Promise<LockedLog | null> {
    type Row = {
      id: string
      data: Uint8Array
      blockNum: string
      recvSequence: string
      witness: Uint8Array
      index: number
      leaves: Uint8Array
      receipt: Uint8Array | null
    }
    const [row] = await this.#rows<Row>(DEPOSIT_LOG, chain, `${nonce}`)
    if (!row) return null
    const { id, data, blockNum, recvSequence, witness, index, leaves, receipt } = row
    const place = { blockNum: Number(blockNum), recvSequence: BigInt(recvSequence), witness, index }
    const log = { name: 'deplog' as const, id: BigInt(id), data, ...place, leaves: hashesOf(leaves) }
    return { ...log, receipt: receipt && receiptOf(receipt) }
  }

  async #rows<T>(statement: string, ...parameters: unknown[]): Promise<T[]> {
    const { rows } = await this.#db.query(statement, parameters)
    return rows
  }
}

/** What a gateway of an Antelope chain has learned from its credits. */
export interface LockedKnowledge {
  /** The newest block with a credited deposit; before the first credit, the first block with a deposit. */
  since: number
  /** Roots of finality trees. */
  roots: { root: string; blockNum: number }[]
  /** Blocks that have heavy proofs. */
  proved: number[]
}

/** A log action, with its receipt if the block is from before Savanna. */
export interface LockedLog extends BridgeLog {
  receipt: ActionReceipt | null
}

function learn({ roots, proved }: LockedKnowledge, proof: Uint8Array): unknown[] {
  const [type, members] = gatewayAbi('antelope').decode('deposit_proof', proof) as [string, unknown]
  if (type === 'savanna_proof') {
    const { finalityMroot: root, blockNum } = members as SavannaProof
    roots.push({ root, blockNum })
  } else if (type === 'heavy_proof') {
    const { previous } = readBlockHeader((members as HeavyProof).block.target.header).header
    proved.push(blockNumOf(previous) + 1)
  }
  return []
}

/** Reads the proof of a credit; returns nothing for another layout, since gateways may accept other proofs. */
function ifKnownLayout<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof HeadwaterError) return []
    throw error
  }
}
