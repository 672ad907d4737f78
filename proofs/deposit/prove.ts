// The proof of a deposit of any chain: the one thing that the HTTP side asks. The ledger is read first; what only a node
// has (headers, receipts, updates of a beacon chain) is asked afterwards, and what was proved is kept for a while.
import { LRUCache } from '../../core/cache.ts'
import { RetryableError, UserError } from '../../core/errors.ts'
import { SqlSource } from '../sql-source.ts'
import { threadedVerifier } from '../threaded-verifier.ts'
import type { GatewayAccount } from './abi.ts'
import { proveLegacyDeposit } from './antelope/dpos.ts'
import { LegacySqlSource } from './antelope/dpos-sql.ts'
import { proveSavannaDeposit } from './antelope/savanna.ts'
import { type EvmDepositSource, proveEvmDeposit } from './evm/prove.ts'
import { DepositFacts, type DepositKey, type Queryable } from './facts.ts'
import type { DepositProof } from './json.ts'

export interface DepositProverOptions {
  /** By the name of the chain. */
  evm: ReadonlyMap<string, EvmDepositSource>
  /** For how long a proof that may change is given again, milliseconds. */
  keepMs?: number
  /** How long to wait for nodes, milliseconds; the work goes on when it takes longer. */
  waitMs?: number
}

interface Kept {
  proof: Promise<DepositProof | null>
  until: number
  isDone: boolean
}

const KEEP_MS = 5_000
/** Questions that wait for nodes: they hold a connection to the database meanwhile. */
const MAX_WAITING = 4
/** Proofs that are kept. */
const MAX_KEPT = 1000

export class DepositProver {
  readonly #evm: ReadonlyMap<string, EvmDepositSource>
  readonly #keepMs: number
  readonly #waitMs: number
  readonly #verify = threadedVerifier()
  readonly #kept = new LRUCache<string, Kept>({ max: MAX_KEPT })

  #waiting = 0

  constructor({ evm, keepMs = KEEP_MS, waitMs = Number.POSITIVE_INFINITY }: DepositProverOptions) {
    this.#evm = evm
    this.#keepMs = keepMs
    this.#waitMs = waitMs
  }

  /**
   * @param db       several statements are read: a client in a repeatable-read transaction, where a rewind may come
   * @param ledger   the chain that keeps the ledger
   * @param relayer  account that will push the actions; the empty name when it is not known yet
   * @returns null while there is none: the deposit is not known, not final, or not proved final yet
   * @throws UserError NO_GATEWAY, NO_NODE, NO_BEACON when the configuration lacks something, DEPOSIT_PATH_TOO_LONG,
   *   GATEWAY_FAR_BEHIND, HANDOFF_MISSING, SCHEDULE_MISSING
   * @throws RetryableError when no endpoint gives what it should: EVM_RPC, EVM_HEADER, EVM_RECEIPTS, EVM_GAP,
   *   EVM_CONTRADICTION, EVM_VOTES, BEACON_API, BEACON_UPDATE; PROOF_PENDING when that takes long
   * @throws DecodeError CERTIFICATE_INVALID; BugError PROOF_DOES_NOT_HOLD
   */
  async proofOfDeposit(db: Queryable, ledger: string, key: DepositKey, relayer = ''): Promise<DepositProof | null> {
    const facts = new DepositFacts(db, ledger)
    const vault = await facts.vaultDeposit(key)
    const locked = vault ? null : await facts.lockedDeposit(key)
    if ((!vault && !locked) || vault?.isFinal === false) return null
    const account = await facts.gateway(key.domain)
    if (account === null) throw noGateway(ledger, key.domain)
    if (locked) return this.#proveLocked(db, facts, key, locked, { kind: 'antelope', account, relayer })
    const deposit = vault!
    const { chain, blockHash } = deposit.place
    const source = this.#evm.get(chain)
    if (!source) throw noNode(chain)
    const knowledge = await facts.vaultKnowledge(key.domain, deposit, account)
    const anchors = knowledge.anchors.map(({ number }) => number).join()
    const name = [key.domain, key.nonce, relayer, Buffer.from(blockHash).toString('hex'), anchors].join('/')
    const gateway = { kind: 'evm', account, relayer } as const
    return this.#wait(
      chain,
      this.#keep(name, () => proveEvmDeposit(source, deposit, gateway, knowledge)),
    )
  }

  async #proveLocked(
    db: Queryable,
    facts: DepositFacts,
    { domain, nonce }: DepositKey,
    locked: { chain: string; blockNum: number; bridge: string },
    gateway: GatewayAccount,
  ): Promise<DepositProof | null> {
    const { chain, bridge } = locked
    const log = await facts.depositLog(chain, nonce)
    if (!log) return null
    const { since, roots, proved } = await facts.lockedKnowledge(domain, locked, gateway.account)
    if (log.receipt) {
      const legacy = new LegacySqlSource(db, locked, { ...log, receipt: log.receipt })
      // Behind its own last block before Savanna, a gateway knows every schedule.
      const version = (await facts.scheduleVersion(chain, since)) ?? (since > log.blockNum ? Number.MAX_VALUE : -1)
      return proveLegacyDeposit(legacy, nonce, gateway, { version, proved })
    }
    const source = { chain, bridge, source: new SqlSource(db, chain), verify: this.#verify, log: async () => log }
    return proveSavannaDeposit(source, nonce, gateway, { since, roots })
  }

  async #wait(chain: string, { proof, isDone }: Kept): Promise<DepositProof | null> {
    if (isDone || this.#waitMs === Number.POSITIVE_INFINITY) return proof
    if (this.#waiting >= MAX_WAITING) throw pending(chain)
    this.#waiting++
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(pending(chain)), this.#waitMs)
    })
    try {
      return await Promise.race([proof, late])
    } finally {
      clearTimeout(timer)
      this.#waiting--
    }
  }

  /** One at a time asks the nodes for a proof; others get the same answer. */
  #keep(name: string, prove: () => Promise<DepositProof | null>): Kept {
    const known = this.#kept.get(name)
    if (known && known.until > performance.now()) return known
    const kept: Kept = { proof: prove(), until: Number.POSITIVE_INFINITY, isDone: false }
    this.#kept.set(name, kept)
    kept.proof.then(
      (proof) => {
        kept.isDone = true
        if (!proof?.immutable) kept.until = performance.now() + this.#keepMs
      },
      () => this.#kept.delete(name),
    )
    return kept
  }
}

function noGateway(chain: string, domain: bigint): UserError {
  return new UserError('NO_GATEWAY', `${chain}: no gateway of domain ${domain} is configured`, {
    hint: `add it to accounts.gateways of ${chain}`,
    place: { chain },
  })
}

function noNode(chain: string): UserError {
  return new UserError('NO_NODE', `${chain}: receipts of deposits are read from a node`, {
    hint: `set source.urls of ${chain}`,
    place: { chain },
  })
}

function pending(chain: string): RetryableError {
  return new RetryableError('PROOF_PENDING', `${chain}: the proof is still being made`, {
    hint: 'ask again in some seconds',
    place: { chain },
  })
}
