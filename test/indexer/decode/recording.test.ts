import { ABI, Serializer } from '@wharfkit/antelope'
import t from 'tap'
import type { AbiDefinition, AbiTable } from '../../../core/antelope/abi/definition.ts'
import { parseAbi } from '../../../core/antelope/abi/parse.ts'
import { nameToU64 } from '../../../core/antelope/name.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { AbiBook } from '../../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../../indexer/decode/decode-block.ts'
import type { DecodedBlock } from '../../../indexer/decode/decoded.ts'
import { Watch } from '../../../indexer/decode/watch.ts'
import { canonical, toJson } from '../../support/random-abi.ts'
import { contractTypes, recordedBlocks, shipTypes, unpack, unpackSetAbi } from '../../support/ship-frames.ts'

// The recording of a real node, decoded by the indexer and by a naive oracle: eosjs unpacks everything, plain loops
// filter it, and one map holds the current ABIs.

const CONTRACTS = ['swap.svc', 'svcdexmain', 'bridge.svc', 'hop.svc']
const contracts = CONTRACTS.map((account): [string, '*'] => [account, '*'])
const watch = new Watch({
  actions: new Map<string, ReadonlySet<string> | '*'>([...contracts, ['*', new Set(['transfer'])]]),
  tables: new Map<string, ReadonlySet<string> | '*'>([...contracts, ['*', new Set(['accounts', 'stat'])]]),
})

interface ActionTrace {
  action_ordinal: number
  creator_action_ordinal: number
  receipt: [string, { global_sequence: string }] | null
  receiver: string
  act: { account: string; name: string; data: string }
}
type TransactionTrace = [string, { id: string; status: number; action_traces: [string, ActionTrace][] }]
type TableDelta = [string, { name: string; rows: { present: boolean; data: string }[] }]
type ContractRow = [string, { code: string; scope: string; table: string; primary_key: string; value: string }]

class Contract {
  readonly definition: AbiDefinition
  private readonly eosjs: ReturnType<typeof contractTypes>
  private readonly wharfkit: ABI

  constructor(packed: Uint8Array) {
    this.definition = parseAbi(packed)
    this.eosjs = contractTypes(packed)
    this.wharfkit = Serializer.decode({ data: packed, type: ABI })
  }

  /** JSON of a value; both libraries must produce the same. */
  json(type: string, hex: string): unknown {
    const data = fromHex(hex)
    const json = canonical(unpack(this.eosjs.type(type), data))
    const other = canonical(Serializer.objectify(Serializer.decode({ data, type, abi: this.wharfkit })))
    t.same(other, json, 'the oracles agree')
    return json
  }
}

/** Lines that describe the expected result of a block. */
class Oracle {
  private readonly contracts = new Map<string, Contract>()
  private readonly types: Awaited<ReturnType<typeof shipTypes>>

  constructor(types: Awaited<ReturnType<typeof shipTypes>>) {
    this.types = types
  }

  contract(account: string): Contract | undefined {
    return this.contracts.get(account)
  }

  block(traces: Uint8Array, deltas: Uint8Array): string[] {
    const executed = unpack<TransactionTrace[]>(this.types('transaction_trace[]'), traces)
      .filter(([, trace]) => trace.status === 0)
      .flatMap(([, trace]) => trace.action_traces.map(([, action]) => ({ ...action, trx: trace.id.toLowerCase() })))
      .filter(({ receipt, receiver, act }) => receipt !== null && receiver === act.account)
      .map((action) => ({ ...action, seq: BigInt(action.receipt?.[1].global_sequence ?? 0) }))
      .sort((a, b) => (a.seq < b.seq ? -1 : 1))
    const lines = executed.flatMap((action) => this.action(action))
    for (const [, { name, rows }] of unpack<TableDelta[]>(this.types('table_delta[]'), deltas)) {
      for (const { present, data } of rows) if (name === 'contract_row') lines.push(...this.row(present, fromHex(data)))
    }
    return lines
  }

  private action(action: ActionTrace & { trx: string; seq: bigint }): string[] {
    const { account, name, data } = action.act
    if (account === 'eosio' && name === 'setabi') {
      const { account: owner, abi } = unpackSetAbi(fromHex(data))
      this.contracts.set(owner, new Contract(abi))
      return [`abi ${action.seq} ${owner} ${toHex(abi)}`]
    }
    if (!CONTRACTS.includes(account) && name !== 'transfer') return []
    const contract = this.contracts.get(account)
    const type = contract?.definition.actions.find((candidate) => candidate.name === name)?.type
    const place = `${action.seq} ${action.trx} ${account}::${name}`
    if (!contract || !type) return [`undecoded ${place} ${data.toLowerCase()}`]
    const ordinals = `${action.action_ordinal} ${action.creator_action_ordinal}`
    return [`action ${place} ${ordinals} ${JSON.stringify(contract.json(type, data))}`]
  }

  private row(present: boolean, packed: Uint8Array): string[] {
    const [, row] = unpack<ContractRow>(this.types('contract_row'), packed)
    const { code, scope, table, primary_key, value } = row
    if (!CONTRACTS.includes(code) && table !== 'accounts' && table !== 'stat') return []
    const contract = this.contracts.get(code)
    const type = contract?.definition.tables.find((candidate: AbiTable) => candidate.name === table)?.type
    const place = `${code} ${scope} ${nameToU64(scope)} ${table} ${primary_key} ${present}`
    if (!contract || !type) return CONTRACTS.includes(code) ? [`undecoded row ${place} ${value.toLowerCase()}`] : []
    return [`row ${place} ${JSON.stringify(contract.json(type, value))}`]
  }
}

/** The same lines from the indexer's result. */
function linesOf(block: DecodedBlock, oracle: Oracle): string[] {
  const json = (account: string, member: 'actions' | 'tables', name: string, data: unknown) => {
    const { definition } = oracle.contract(account) as Contract
    const type = definition[member].find((candidate) => candidate.name === name)?.type as string
    return JSON.stringify(canonical(toJson(definition, type, data)))
  }
  const actions = [
    ...block.abiChanges.map((x) => ({ seq: x.globalSeq, line: `abi ${x.globalSeq} ${x.account} ${toHex(x.abi)}` })),
    ...block.actions.map((x) => {
      const place = `${x.globalSeq} ${x.trxId} ${x.account}::${x.name} ${x.ordinal} ${x.creatorOrdinal}`
      return { seq: x.globalSeq, line: `action ${place} ${json(x.account, 'actions', x.name, x.data)}` }
    }),
    ...block.undecoded.map((x) => {
      const place = `${x.globalSeq} ${x.trxId} ${x.account}::${x.name}`
      return { seq: x.globalSeq, line: `undecoded ${place} ${toHex(x.raw)}` }
    }),
  ].sort((a, b) => (a.seq < b.seq ? -1 : 1))
  const rows = block.rows.map((x) => {
    const place = `${x.code} ${x.scope} ${x.scopeRaw} ${x.table} ${x.primaryKey} ${x.present}`
    return `row ${place} ${json(x.code, 'tables', x.table, x.data)}`
  })
  const undecodedRows = block.undecodedRows.map((x) => {
    const place = `${x.code} ${x.scope} ${x.scopeRaw} ${x.table} ${x.primaryKey} ${x.present}`
    return `undecoded row ${place} ${toHex(x.raw)}`
  })
  return [...actions.map(({ line }) => line), ...rows, ...undecodedRows]
}

t.test('actions, rows and ABIs of a real recording equal a naive reading with eosjs', async (t) => {
  const oracle = new Oracle(await shipTypes())
  const abis = new AbiBook()
  const kinds = new Map<string, number>()
  for (const block of await recordedBlocks()) {
    const expected = oracle.block(block.traces, block.deltas as Uint8Array)
    const decoded = decodeBlock(block, watch, abis, { chain: 'wax' })
    t.strictSame(linesOf(decoded, oracle), expected, `block ${block.num}`)
    for (const line of expected) {
      const kind = line.slice(0, line.indexOf(' '))
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    const sequences = decoded.actions.map(({ globalSeq }) => globalSeq)
    t.ok(
      sequences.every((seq, i) => i === 0 || seq > (sequences[i - 1] as bigint)),
      'in the order of execution',
    )
  }
  t.ok((kinds.get('action') ?? 0) > 1000 && (kinds.get('row') ?? 0) > 1500, [...kinds].join(' '))
  t.ok((kinds.get('abi') ?? 0) > 10 && (kinds.get('undecoded') ?? 0) > 100, 'ABIs change and some actions have none')
})

t.test('header, positions and links of a block are decoded', async (t) => {
  const types = await shipTypes()
  const abis = new AbiBook()
  for (const block of (await recordedBlocks()).slice(0, 20)) {
    const header = unpack<{ timestamp: string; producer: string }>(types('block_header'), block.block)
    const decoded = decodeBlock(block, watch, abis)
    t.equal(new Date(decoded.time).toISOString(), `${header.timestamp}Z`)
    t.equal(decoded.producer, header.producer)
    const { num, id, prevId, head, lib } = block
    t.match(decoded, { num, id, prevId, head, lib })
  }
})

t.test(
  'of an account watched by names, unwanted actions are skipped, and wanted ones unknown to its ABI are stored',
  async (t) => {
    const few = new Watch({
      actions: new Map([
        ['swap.svc', new Set(['logswap'])],
        ['svcdexmain', new Set(['buymatch'])],
      ]),
      tables: new Map([['swap.svc', new Set(['pools'])]]),
    })
    const [all, some] = [new AbiBook(), new AbiBook()]
    for (const block of await recordedBlocks()) {
      const whole = decodeBlock(block, watch, all)
      const part = decodeBlock(block, few, some)
      const isAsked = (account: string, name: string) => `${account}::${name}`
      const asked = ['swap.svc::logswap', 'svcdexmain::buymatch']
      t.strictSame(
        part.actions,
        whole.actions.filter((x) => asked.includes(isAsked(x.account, x.name))),
      )
      t.strictSame(
        part.rows,
        whole.rows.filter((x) => x.code === 'swap.svc' && x.table === 'pools'),
      )
      t.strictSame(
        part.undecoded,
        whole.undecoded.filter((x) => x.account === 'svcdexmain'),
      )
      t.ok(part.undecoded.every((x) => x.reasonCode === 'UNKNOWN_ACTION'))
      t.strictSame(
        part.abiChanges,
        whole.abiChanges.filter((x) => ['swap.svc', 'svcdexmain'].includes(x.account)),
      )
    }
  },
)
