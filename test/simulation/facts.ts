// Facts of a block, decoded by abieos with the protocol's own ABI, without any of the indexer's decoding code. A block
// is decoded once, however many branches contain it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { StoredBlock } from '../../devnet/chain/frame-store.ts'
import type { OracleAction } from '../indexer/replay/actions.ts'
import { isLedgerAction } from '../indexer/replay/expected-ledger.ts'
import type { Plain, RecordedBlock } from '../indexer/replay/frames.ts'
import { AMM, SPOT } from './stand-ins.ts'

/** Accounts whose actions go to the ledger, in addition to transfers. */
export const PROFILE = { amm: AMM, spot: SPOT, bridge: 'bridge.svc', hop: 'hop.svc' }

interface Abieos {
  loadAbi(contract: string, abi: string): boolean
  loadAbiHex(contract: string, hex: string): boolean
  binToJson(contract: string, type: string, data: Buffer): Plain
  hexToJson(contract: string, type: string, hex: string): Plain
  getTypeForAction(contract: string, action: string): string
  getTypeForTable(contract: string, table: string): string
}
const abieos = createRequire(import.meta.url)('@eosrio/node-abieos').Abieos.getInstance() as Abieos
abieos.loadAbi('ship', readFileSync(new URL('../../devnet/ship/ship-abi.json', import.meta.url), 'utf8'))
abieos.loadAbi('system', JSON.stringify(systemAbi()))

function systemAbi(): object {
  const fields = [
    { name: 'account', type: 'name' },
    { name: 'abi', type: 'bytes' },
  ]
  return {
    version: 'eosio::abi/1.2',
    structs: [{ name: 'setabi', base: '', fields }],
    actions: [{ name: 'setabi', type: 'setabi', ricardian_contract: '' }],
  }
}

/** A contract row after a block, or its removal. */
export interface RowFact {
  /** Contract, table, scope, primary key. */
  key: string
  table: string
  scope: string
  /** Decoded; null when the row was removed. */
  value: Plain | null
  primaryKey: string
  code: string
}

export interface AbiFact {
  account: string
  globalSeq: bigint
  /** Packed, as hexadecimal digits. */
  abi: string
}

/** The ABI in force by account: the name under which abieos stores it. */
type Abis = ReadonlyMap<string, string>

export interface BlockFacts {
  block: RecordedBlock
  actions: OracleAction[]
  abis: AbiFact[]
  rows: RowFact[]
  /** After the block. */
  inForce: Abis
}

/** @param parent  facts of the parent, with the ABIs in force; null at the start of a log */
export function readFacts(stored: StoredBlock, parent: BlockFacts | null): BlockFacts {
  const block = readBlock(stored)
  const inForce = new Map(parent?.inForce)
  const facts: BlockFacts = { block, actions: [], abis: [], rows: [], inForce }
  const deltas = ship('table_delta[]', stored.deltas)
  if (!parent) readAccounts(deltas, facts, inForce)
  for (const action of block.actions) {
    if (action.account === 'eosio' && action.name === 'setabi') {
      const { account, abi } = abieos.hexToJson('system', 'setabi', action.data)
      inForce.set(account, abiName(abi))
      facts.abis.push({ account, globalSeq: action.globalSeq, abi: abi.toLowerCase() })
    }
    if (isLedgerAction(PROFILE, action))
      facts.actions.push({ ...action, block, fields: decodeAction(inForce.get(action.account), action) })
  }
  for (const row of rowsOf(deltas, 'contract_row')) facts.rows.push(readRow(row, inForce))
  return facts
}

function readBlock({ num, id, prevId, block, traces }: StoredBlock): RecordedBlock {
  const { timestamp, producer, previous } = ship('signed_block', block)
  const actions: RecordedBlock['actions'] = []
  for (const [, trace] of ship('transaction_trace[]', traces)) {
    for (const [, { receiver, receipt, act }] of trace.action_traces) {
      if (receiver !== act.account) continue
      const { account, name, data } = act
      const trxId = trace.id.toLowerCase()
      const globalSeq = BigInt(receipt[1].global_sequence)
      actions.push({ globalSeq, trxId, account, name, data: data.toLowerCase() })
    }
  }
  actions.sort((a, b) => (a.globalSeq < b.globalSeq ? -1 : 1))
  const parent = prevId ?? previous.toLowerCase()
  return { num, id, prevId: parent, lib: 0, time: Date.parse(`${timestamp}Z`), producer, actions }
}

/** ABIs at the start of a log that begins in the middle of the chain, where no earlier `setabi` was received. */
function readAccounts(deltas: Plain, facts: BlockFacts, inForce: Map<string, string>): void {
  const told = new Set(facts.block.actions.filter(({ name }) => name === 'setabi').map(({ data }) => data.slice(0, 16)))
  for (const { data } of rowsOf(deltas, 'account')) {
    const [, { name, abi }] = ship('account', data)
    if (abi === '') continue
    inForce.set(name, abiName(abi))
    if (!told.has(Buffer.from(data, 'hex').subarray(1, 9).toString('hex')))
      facts.abis.push({ account: name, globalSeq: 0n, abi: abi.toLowerCase() })
  }
}

function* rowsOf(deltas: Plain, table: string): Generator<{ present: boolean; data: string }> {
  for (const [, { name, rows }] of deltas) if (name === table) yield* rows
}

function readRow({ present, data }: { present: boolean; data: string }, inForce: Abis): RowFact {
  const [, { code, scope, table, primary_key: primaryKey, value }] = ship('contract_row', data)
  const abi = inForce.get(code)
  const type = abi && abieos.getTypeForTable(abi, table)
  return {
    ...{ key: `${code} ${table} ${scope} ${primaryKey}`, code, table, scope, primaryKey },
    value: present && type ? abieos.hexToJson(abi, type, value) : null,
  }
}

function decodeAction(abi: string | undefined, { name, data }: { name: string; data: string }): Plain | undefined {
  if (!abi) return undefined
  try {
    return abieos.hexToJson(abi, abieos.getTypeForAction(abi, name), data)
  } catch {
    return undefined
  }
}

const names = new Map<string, string>()

/** abieos stores ABIs under account names: this derives one from the ABI's hash. */
function abiName(hex: string): string {
  const digest = createHash('sha256').update(hex.toLowerCase()).digest('hex')
  const name = `v${[...digest.slice(0, 11)].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join('')}`
  if (!names.has(name)) abieos.loadAbiHex(name, hex)
  names.set(name, hex)
  return name
}

function ship(type: string, data: Uint8Array | string): Plain {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'hex') : Buffer.from(data)
  return abieos.binToJson('ship', type, bytes)
}
