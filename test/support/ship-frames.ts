// State-history payloads packed and unpacked by eosjs with the node's own ABI: an independent oracle for our parsers,
// and a way to make blocks that no recording contains.

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readRecording } from '../../indexer/source/recording.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'

// eosjs is CommonJS, and its exports cannot be imported by name.
const require = createRequire(import.meta.url)
const eosjs = require('eosjs/dist/eosjs-serialize.js')

export interface EosjsType {
  serialize(buffer: unknown, value: unknown): void
  deserialize(buffer: unknown): unknown
}

const SMALL_RECORDING = fileURLToPath(new URL('../fixtures/recordings/small.ship.gz', import.meta.url))

let recorded: Promise<PackedBlock[]> | undefined

/** All blocks of the small recording. */
/** A copy for each caller: some tests change the bytes. */
export async function recordedBlocks(): Promise<PackedBlock[]> {
  return structuredClone(await readOnce())
}

function readOnce(): Promise<PackedBlock[]> {
  recorded ??= (async () => {
    const blocks: PackedBlock[] = []
    const source = new ReplaySource(SMALL_RECORDING)
    for await (const block of source.blocks({ from: 0, have: [] }, new AbortController().signal)) {
      blocks.push(block)
    }
    return blocks
  })()
  return recorded
}

interface JsonAbi {
  structs: { name: string; fields: { name: string; type: string }[] }[]
  variants: { name: string; types: string[] }[]
}

/** Types of state history, including those of servers that prune transactions. */
export async function shipTypes(): Promise<(name: string) => EosjsType> {
  let text = ''
  for await (const _ of readRecording(SMALL_RECORDING, (abi) => (text = abi))) break
  const abi = JSON.parse(text) as JsonAbi
  const structOf = (name: string) => abi.structs.find((struct) => struct.name === name) as JsonAbi['structs'][number]
  const variantOf = (name: string) =>
    abi.variants.find((variant) => variant.name === name) as JsonAbi['variants'][number]
  const field = (name: string, type: string) => ({ name, type })
  const partial = structOf('partial_transaction_v0').fields.slice(0, -2)
  abi.structs.push(
    { name: 'partial_transaction_v1', fields: [...partial, field('prunable_data', 'prunable_data_type?')] },
    {
      name: 'prunable_data_full_legacy',
      fields: [field('signatures', 'signature[]'), field('packed_context_free_data', 'bytes')],
    },
    { name: 'prunable_data_none', fields: [field('prunable_digest', 'checksum256')] },
    {
      name: 'prunable_data_partial',
      fields: [field('signatures', 'signature[]'), field('context_free_segments', 'segment[]')],
    },
    {
      name: 'prunable_data_full',
      fields: [field('signatures', 'signature[]'), field('context_free_segments', 'bytes[]')],
    },
    { name: 'table_delta_v1', fields: [field('name', 'string'), field('rows', 'row_v1[]')] },
    { name: 'row_v1', fields: [field('present', 'uint8'), field('data', 'bytes')] },
  )
  abi.variants.push(
    { name: 'segment', types: ['checksum256', 'bytes'] },
    {
      name: 'prunable_data_type',
      types: ['prunable_data_full_legacy', 'prunable_data_none', 'prunable_data_partial', 'prunable_data_full'],
    },
  )
  variantOf('partial_transaction').types.push('partial_transaction_v1')
  variantOf('table_delta').types.push('table_delta_v1')
  const types = eosjs.getTypesFromAbi(eosjs.createInitialTypes(), abi)
  return (name) => eosjs.getType(types, name)
}

/** Types of a contract from its packed ABI. */
export function contractTypes(packed: Uint8Array) {
  const buffer = new eosjs.SerialBuffer({ array: packed })
  buffer.restartRead()
  const abi = eosjs.getTypesFromAbi(eosjs.createAbiTypes(), {}).get('abi_def').deserialize(buffer)
  const types = eosjs.getTypesFromAbi(eosjs.createInitialTypes(), abi)
  return { abi, type: (name: string): EosjsType => eosjs.getType(types, name) }
}

export function unpack<T>(type: EosjsType, bytes: Uint8Array): T {
  return type.deserialize(new eosjs.SerialBuffer({ array: bytes })) as T
}

export function pack(type: EosjsType, value: unknown): Uint8Array {
  const buffer = new eosjs.SerialBuffer()
  type.serialize(buffer, value)
  return Uint8Array.from(buffer.asUint8Array())
}

/** Members of a made-up action trace; the others have default values. */
export interface MadeAction {
  seq: number | bigint
  account: string
  name: string
  /** Hex. */
  data?: string
  receiver?: string
  receipt?: boolean
  contextFree?: boolean
  version?: 0 | 1
}

const ZEROS = '00'.repeat(32)

/** The JSON of an action trace. */
function actionTrace(action: MadeAction): [string, object] {
  const { seq, account, name, data = '', receiver = account, receipt = true, contextFree = false, version = 1 } = action
  const body = {
    action_ordinal: 1,
    creator_action_ordinal: 0,
    receipt: receipt
      ? [
          'action_receipt_v0',
          {
            receiver,
            act_digest: ZEROS,
            global_sequence: String(seq),
            recv_sequence: '1',
            auth_sequence: contextFree ? [] : [{ account, sequence: '5' }],
            code_sequence: 1,
            abi_sequence: 300,
          },
        ]
      : null,
    receiver,
    act: { account, name, authorization: contextFree ? [] : [{ actor: account, permission: 'active' }], data },
    context_free: contextFree,
    elapsed: '7',
    console: 'some text',
    account_ram_deltas: [{ account, delta: '-5' }],
    except: null,
    error_code: null,
    return_value: 'abcd',
  }
  return [`action_trace_v${version}`, body]
}

export interface MadeTransaction {
  id?: string
  status?: number
  actions: MadeAction[]
  failed?: [string, object] | null
  partial?: [string, object] | null
  except?: string | null
}

/** The JSON of a transaction trace. */
export function transactionTrace(transaction: MadeTransaction): [string, object] {
  const { id = 'ab'.repeat(32), status = 0, actions, failed = null, partial = null, except = null } = transaction
  return [
    'transaction_trace_v0',
    {
      id,
      status,
      cpu_usage_us: 100,
      net_usage_words: 200,
      elapsed: '1',
      net_usage: '2',
      scheduled: false,
      action_traces: actions.map(actionTrace),
      account_ram_delta: { account: 'alice', delta: '1' },
      except,
      error_code: except === null ? null : '3',
      failed_dtrx_trace: failed,
      partial,
    },
  ]
}

/** A row of one of the node's own tables: `[table, JSON of the row's type]`. */
export interface MadeRow {
  table: string
  present?: boolean
  value: [string, object]
}

export interface MadeBlock {
  num: number
  transactions?: MadeTransaction[]
  rows?: MadeRow[]
}

/** A block whose payloads eosjs packed. */
export async function madeBlock({ num, transactions = [], rows = [] }: MadeBlock): Promise<PackedBlock> {
  const types = await shipTypes()
  const tables = [...new Set(rows.map(({ table }) => table))]
  const deltas = tables.map((table) => [
    'table_delta_v0',
    {
      name: table,
      rows: rows
        .filter((row) => row.table === table)
        .map(({ present = true, value }) => ({
          present,
          data: Buffer.from(pack(types(table), value)).toString('hex'),
        })),
    },
  ])
  const id = num.toString(16).padStart(8, '0') + '00'.repeat(28)
  const header = new Uint8Array(64)
  return {
    kind: 'packed',
    num,
    id,
    prevId: ZEROS,
    head: { num, id },
    lib: { num, id },
    block: header,
    traces: pack(types('transaction_trace[]'), transactions.map(transactionTrace)),
    deltas: pack(types('table_delta[]'), deltas),
    finality: null,
  }
}

/** Account and packed ABI of a `setabi`, by eosjs. */
export function unpackSetAbi(data: Uint8Array): { account: string; abi: Uint8Array } {
  const buffer = new eosjs.SerialBuffer({ array: data })
  return { account: buffer.getName(), abi: buffer.getBytes() }
}

/** Data of a `setabi`, by eosjs. */
export function packSetAbi(account: string, abi: Uint8Array): string {
  const buffer = new eosjs.SerialBuffer()
  buffer.pushName(account)
  buffer.pushBytes(abi)
  return Buffer.from(buffer.asUint8Array()).toString('hex')
}
