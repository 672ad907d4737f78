// Own process: it measures the memory of its process.
import { Signature } from '@wharfkit/antelope'
import t from 'tap'
import { readSignature } from '../../../core/antelope/abi/keys.ts'
import { nameToU64 } from '../../../core/antelope/name.ts'
import { Reader } from '../../../core/antelope/reader.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import type { ActionPlaces } from '../../../indexer/decode/action-leaf.ts'
import { accountRows, contractRows } from '../../../indexer/decode/deltas.ts'
import { type RawAction, walkTraces } from '../../../indexer/decode/traces.ts'
import { MATCH, type Names, Watch } from '../../../indexer/decode/watch.ts'
import { type MadeAction, pack, shipTypes, transactionTrace } from '../../support/ship-frames.ts'

const watch = new Watch({ actions: new Map([['token', '*' as const]]) })
const transfer = (seq: number, more: Partial<MadeAction> = {}): MadeAction => ({
  seq,
  account: 'token',
  name: 'transfer',
  data: 'aa',
  ...more,
})

function walk(frame: Uint8Array, by = watch): RawAction[] {
  const found: RawAction[] = []
  walkTraces(frame, by, (action) => found.push(action))
  return found
}
const sequences = (found: RawAction[]) => found.map(({ globalSeq }) => globalSeq)

t.test('only executed actions with a receipt at their own contract are yielded', async (t) => {
  const types = await shipTypes()
  const actions = [
    transfer(1),
    transfer(2, { receiver: 'alice' }),
    transfer(3, { receipt: false }),
    transfer(4, { account: 'other' }),
    transfer(5, { contextFree: true }),
    transfer(6, { version: 0 }),
    transfer((2n ** 63n) as never),
  ]
  const frame = pack(types('transaction_trace[]'), [
    transactionTrace({ actions, id: 'cd'.repeat(32) }),
    ...[1, 2, 3, 4].map((status) => transactionTrace({ status, actions: [transfer(100 + status)] })),
    transactionTrace({ actions: [transfer(8)] }),
  ])
  const found = walk(frame)
  t.same(sequences(found), [1n, 5n, 6n, 2n ** 63n, 8n])
  t.match(found[0], { match: MATCH.wanted, trxId: 'cd'.repeat(32), ordinal: 1, creatorOrdinal: 0, recvSeq: 1n })
  t.match(found[0], { account: 'token', name: 'transfer', isSetAbi: false })
  t.ok(found.every((x) => toHex(x.frame.subarray(x.start, x.end)) === 'aa'))
})

t.test('the actions of an error handler are yielded: a status cannot hide what the action root has', async (t) => {
  const types = await shipTypes()
  const SOFT_FAIL = 1
  const handler = { seq: 1, account: 'other', name: 'onerror' }
  const frame = pack(types('transaction_trace[]'), [
    transactionTrace({ status: SOFT_FAIL, actions: [handler, transfer(2), transfer(3, { receipt: false })] }),
    // Without a handler nothing was executed.
    transactionTrace({ status: SOFT_FAIL, actions: [transfer(4), { ...handler, seq: 5 }] }),
  ])
  const inRoot: bigint[] = []
  const found: RawAction[] = []
  const view = new DataView(frame.buffer, frame.byteOffset)
  const check = { add: ({ receipt }: ActionPlaces) => void inRoot.push(view.getBigUint64(receipt + 40, true)) }
  walkTraces(frame, watch, (action) => found.push(action), check)
  t.same(inRoot, [1n, 2n])
  t.same(sequences(found), [2n])
})

t.test('all other data around an action is skipped', async (t) => {
  const types = await shipTypes()
  const webauthn = Uint8Array.of(2, ...new Uint8Array(65).fill(9), 3, 1, 2, 3, 2, 65, 66)
  const signatures = [
    String(Signature.from({ type: 'K1', recid: 1, r: new Uint8Array(32).fill(3), s: new Uint8Array(32).fill(4) })),
    readSignature(new Reader(webauthn)),
  ]
  const header = {
    expiration: '2026-01-01T00:00:00.000',
    ref_block_num: 1,
    ref_block_prefix: 2,
    max_net_usage_words: 300,
    max_cpu_usage_ms: 4,
    delay_sec: 500,
    transaction_extensions: [{ type: 1, data: 'ab' }],
  }
  const digest = 'ee'.repeat(32)
  const prunable = [
    ['prunable_data_full_legacy', { signatures, packed_context_free_data: 'aabb' }],
    ['prunable_data_none', { prunable_digest: digest }],
    [
      'prunable_data_partial',
      {
        signatures,
        context_free_segments: [
          ['checksum256', digest],
          ['bytes', 'aabb'],
        ],
      },
    ],
    ['prunable_data_full', { signatures: [], context_free_segments: ['aa', ''] }],
  ]
  const partials: [string, object][] = [
    ['partial_transaction_v0', { ...header, signatures, context_free_data: ['aa', ''] }],
    ['partial_transaction_v1', { ...header, prunable_data: null }],
    ...prunable.map((data): [string, object] => ['partial_transaction_v1', { ...header, prunable_data: data }]),
  ]
  const inner = transactionTrace({ status: 1, actions: [transfer(50)], except: 'inner' })
  const traces = [
    ...partials.map((partial, i) => transactionTrace({ actions: [transfer(i)], partial, except: 'text' })),
    transactionTrace({ actions: [transfer(20)], failed: inner }),
    transactionTrace({ actions: [transfer(21)] }),
  ]
  const frame = pack(types('transaction_trace[]'), traces)
  t.same(sequences(walk(frame)), [0n, 1n, 2n, 3n, 4n, 5n, 20n, 21n], 'nothing of the failed trace')
  for (let end = 0; end < frame.length; end += 7) {
    t.throws(() => walk(frame.subarray(0, end)), { name: 'DecodeError' }, `cut at ${end}`)
  }
  t.throws(() => walk(Uint8Array.of(...frame, 0)), { code: 'TRAILING_BYTES' })
})

t.test('nesting of failed traces is bounded', async (t) => {
  const types = await shipTypes()
  let trace = transactionTrace({ actions: [] })
  for (let i = 0; i < 10; i++) trace = transactionTrace({ actions: [], failed: trace })
  t.throws(() => walk(pack(types('transaction_trace[]'), [trace])), { code: 'TOO_DEEP' })
})

t.test('a watch distinguishes actions wanted by name, by contract, and not wanted', async (t) => {
  const names = new Map<string, Names>([
    ['all', '*'],
    ['some', new Set(['one', 'two'])],
    ['*', new Set(['transfer'])],
  ])
  const by = new Watch({ actions: names, tables: names, abis: ['more'] })
  const halves = (name: string): [number, number] => {
    const value = nameToU64(name)
    return [Number(value & 0xffffffffn), Number(value >> 32n)]
  }
  const match = (account: string, name: string) => by.matchAction(...halves(account), ...halves(name))
  t.equal(match('all', 'anything'), MATCH.wanted)
  t.equal(match('some', 'two'), MATCH.wanted)
  t.equal(match('some', 'three'), MATCH.other)
  t.equal(match('some', 'transfer'), MATCH.wanted)
  t.equal(match('nobody', 'transfer'), MATCH.any)
  t.equal(match('nobody', 'one'), MATCH.skip)
  t.equal(by.matchTable(...halves('nobody'), ...halves('transfer')), MATCH.any)
  t.ok(by.matchAbi(...halves('whoever')), 'the ABIs of all contracts matter')
  const narrow = new Watch({ actions: new Map([['all', '*' as const]]), abis: ['more'], system: 'sys' })
  t.ok(narrow.matchAbi(...halves('all')) && narrow.matchAbi(...halves('more')))
  t.notOk(narrow.matchAbi(...halves('whoever')))
  t.ok(narrow.isSetAbi(...halves('sys'), ...halves('setabi')))
  t.notOk(narrow.isSetAbi(...halves('eosio'), ...halves('setabi')))
  t.throws(() => new Watch({ actions: new Map([['*', '*' as const]]) }), { code: 'INVALID_WATCH' })
  const many = Array.from({ length: 3000 }, (_, i) => `a${i.toString(5).replaceAll('0', 'z')}`)
  const crowd = new Watch({ actions: new Map(many.filter((_, i) => i % 2 === 0).map((name) => [name, '*' as const])) })
  const found = many.filter((name) => crowd.matchAction(...halves(name), ...halves('x')) === MATCH.wanted)
  t.same(
    found,
    many.filter((_, i) => i % 2 === 0),
    'and of many accounts it knows each',
  )
})

t.test('rows of both layouts of deltas are found, one at a time', async (t) => {
  const types = await shipTypes()
  const rowData = (code: string, key: string, value: string) =>
    toHex(
      pack(types('contract_row'), [
        'contract_row_v0',
        { code, scope: 'alice', table: 'accounts', primary_key: key, payer: 'bob', value },
      ]),
    )
  const account = (name: string, abi: string) =>
    toHex(pack(types('account'), ['account_v0', { name, creation_date: '2020-01-01T00:00:00.000', abi }]))
  const deltas = pack(types('table_delta[]'), [
    [
      'table_delta_v0',
      {
        name: 'account',
        rows: [
          { present: true, data: account('token', 'abcd') },
          { present: true, data: account('other', '') },
        ],
      },
    ],
    ['table_delta_v0', { name: 'resource_limits', rows: [{ present: true, data: 'ffffff' }] }],
    [
      'table_delta_v1',
      {
        name: 'contract_row',
        rows: [
          { present: 2, data: rowData('token', '1', 'aa') },
          { present: 0, data: rowData('token', '18446744073709551615', 'bb') },
        ],
      },
    ],
    [
      'table_delta_v0',
      {
        name: 'contract_row',
        rows: [
          { present: true, data: rowData('other', '3', 'cc') },
          { present: false, data: rowData('token', '4', '') },
        ],
      },
    ],
  ])
  const by = new Watch({ tables: new Map([['token', new Set(['accounts'])]]) })
  t.same([...accountRows(deltas, by)], [{ account: 'token', abi: fromHex('abcd') }])
  const rows = [...contractRows(deltas, by)]
  t.same(
    rows.map((x) => [x.primaryKey, x.present, toHex(x.frame.subarray(x.start, x.end))]),
    [
      [1n, true, 'aa'],
      [2n ** 64n - 1n, false, 'bb'],
      [4n, false, ''],
    ],
  )
  t.match(rows[0], {
    code: 'token',
    scope: 'alice',
    scopeRaw: nameToU64('alice'),
    table: 'accounts',
    match: MATCH.wanted,
  })
  for (let end = 0; end < deltas.length; end++) {
    t.throws(() => [...contractRows(deltas.subarray(0, end), by)], { name: 'DecodeError' }, `cut at ${end}`)
  }
  t.throws(() => [...contractRows(Uint8Array.of(...deltas, 0), by)], { code: 'TRAILING_BYTES' })
})

t.test('a first delta of many rows is read without holding it in memory', async (t) => {
  const types = await shipTypes()
  const row = pack(types('contract_row'), [
    'contract_row_v0',
    { code: 'token', scope: 'alice', table: 'accounts', primary_key: '1', payer: 'bob', value: 'ab'.repeat(40) },
  ])
  const head = pack(types('table_delta[]'), [['table_delta_v0', { name: 'contract_row', rows: [] }]])
  const count = process.env.HEADWATER_TEST_LONG ? 2_000_000 : 200_000
  const tail = fromHex(
    [(count & 0x7f) | 0x80, ((count >> 7) & 0x7f) | 0x80, count >> 14]
      .map((x) => x.toString(16).padStart(2, '0'))
      .join(''),
  )
  const size = row.length + 2
  const deltas = new Uint8Array(head.length - 1 + tail.length + count * size)
  deltas.set(head.subarray(0, -1))
  deltas.set(tail, head.length - 1)
  for (let i = 0, at = head.length - 1 + tail.length; i < count; i++, at += size) {
    deltas[at] = 1
    deltas[at + 1] = row.length
    deltas.set(row, at + 2)
  }
  const before = process.memoryUsage().heapUsed
  let rows = 0
  let most = 0
  for (const _ of contractRows(deltas, new Watch({ tables: new Map([['token', '*' as const]]) }))) {
    if (++rows % 50_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed - before)
  }
  t.equal(rows, count)
  t.ok(most < 64 << 20, `${most} bytes of heap at most`)
})
