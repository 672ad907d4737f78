import t from 'tap'
import { parseAbi } from '../../../core/antelope/abi/parse.ts'
import { TimePoint } from '../../../core/antelope/time-point.ts'
import { toHex } from '../../../core/hex.ts'
import { AbiBook } from '../../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../../indexer/decode/decode-block.ts'
import type { DecodedBlock } from '../../../indexer/decode/decoded.ts'
import { Watch } from '../../../indexer/decode/watch.ts'
import type { PackedBlock, UnpackedAction, UnpackedBlock } from '../../../indexer/source/source.ts'
import { toJson } from '../../support/random-abi.ts'
import { recordedBlocks } from '../../support/ship-frames.ts'

const CONTRACTS = ['swap.svc', 'svcdexmain', 'bridge.svc', 'hop.svc']
const names = new Map(CONTRACTS.map((account) => [account, '*' as const]))
const watch = new Watch({ actions: names, tables: names })

/** The block as a history server would send it: values as JSON, out of order, with notifications. */
function asServed(source: PackedBlock, decoded: DecodedBlock, abis: AbiBook): UnpackedBlock {
  const definition = (account: string, seq: bigint) =>
    parseAbi(abis.versionAt(account, source.num, seq)?.abi as Uint8Array)
  const actions: UnpackedAction[] = decoded.actions.map((x) => {
    const abi = definition(x.account, x.globalSeq)
    const type = abi.actions.find(({ name }) => name === x.name)?.type as string
    const data = toJson(abi, type, x.data) as Record<string, unknown>
    return { globalSeq: x.globalSeq, trxId: x.trxId, receiver: x.account, account: x.account, name: x.name, data }
  })
  for (const { account, globalSeq, abi } of decoded.abiChanges) {
    const data = { account, abi: toHex(abi) }
    actions.push({ globalSeq, trxId: '00', receiver: 'eosio', account: 'eosio', name: 'setabi', data })
  }
  const notified = decoded.actions[0]
  if (notified) actions.push({ ...(actions[0] as UnpackedAction), receiver: 'alice', globalSeq: 1n })
  actions.reverse()
  const rows = decoded.rows.map((x) => {
    const abi = definition(x.code, 1n << 64n)
    const type = abi.tables.find(({ name }) => name === x.table)?.type as string
    const data = toJson(abi, type, x.data) as Record<string, unknown>
    return { ...x, primaryKey: String(x.primaryKey), data }
  })
  const { num, id, prevId, head, lib } = source
  return { kind: 'unpacked', num, id, prevId, head, lib, time: decoded.time, producer: decoded.producer, actions, rows }
}

t.test('a block from a server that decodes equals the block from state history', async (t) => {
  const [packedBook, servedBook] = [new AbiBook(), new AbiBook()]
  let actions = 0
  for (const source of await recordedBlocks()) {
    const packed = decodeBlock(source, watch, packedBook)
    const served = decodeBlock(asServed(source, packed, packedBook), watch, servedBook)
    t.strictSame(served.actions.map(essence), packed.actions.map(essence), `block ${source.num}`)
    t.strictSame(served.rows.map(essence), packed.rows.map(essence))
    t.strictSame(served.abiChanges, packed.abiChanges)
    t.equal(served.time, packed.time)
    actions += served.actions.length
  }
  t.ok(actions > 400)
})

/** An action or row without its packed form and ordinals, which such servers do not send. */
function essence(value: object): object {
  return { ...value, frame: null, start: 0, end: 0, ordinal: 0, creatorOrdinal: 0 }
}

const abi = {
  version: 'eosio::abi/1.2',
  structs: [
    {
      name: 's',
      base: '',
      fields: ['bool', 'uint64', 'uint128', 'int32', 'float64', 'time_point_sec', 'time_point', 'asset', 'uint8?'].map(
        (type, i) => ({
          name: `f${i}`,
          type,
        }),
      ),
    },
  ],
  actions: [{ name: 'log', type: 's' }],
  tables: [{ name: 'rows', type: 's', index_type: 'i64' }],
}
const base = { id: '', prevId: '', head: { num: 1, id: '' }, lib: { num: 1, id: '' }, time: 0, producer: 'p', rows: [] }
const act = (globalSeq: bigint, account: string, name: string, data: Record<string, unknown>): UnpackedAction => ({
  globalSeq,
  trxId: 'aa',
  receiver: account,
  account,
  name,
  data,
})
const served = (num: number, actions: UnpackedAction[], rows: UnpackedBlock['rows'] = []): UnpackedBlock => ({
  kind: 'unpacked',
  num,
  ...base,
  actions,
  rows,
})
const setAbi = act(1n, 'eosio', 'setabi', { account: 'swap.svc', abi })

t.test('all JSON forms of values are understood', async (t) => {
  const forms = [
    {
      f0: 1,
      f1: 7,
      f2: '340282366920938463463374607431768211455',
      f3: '-5',
      f4: '1.5',
      f5: '2026-01-01T00:00:00',
      f6: '2026-01-01T00:00:00.000001',
      f7: '1.0000 WAX',
      f8: null,
    },
    {
      f0: true,
      f1: '7',
      f2: '340282366920938463463374607431768211455',
      f3: -5,
      f4: 1.5,
      f5: '2026-01-01T00:00:00.000Z',
      f6: '2026-01-01T00:00:00.000001Z',
      f7: '1.0000 WAX',
    },
  ]
  for (const data of forms) {
    const block = decodeBlock(served(5, [setAbi, act(2n, 'swap.svc', 'log', data)]), watch, new AbiBook())
    t.strictSame(block.actions[0]?.data, {
      f0: true,
      f1: 7n,
      f2: 2n ** 128n - 1n,
      f3: -5,
      f4: 1.5,
      f5: TimePoint.ofSeconds(1767225600),
      f6: 1767225600000001n,
      f7: { amount: 10000n, precision: 4, symbol: 'WAX' },
      f8: null,
    })
  }
})

t.test('a value that cannot be read is stored as text with the reason', async (t) => {
  const good = {
    f0: 1,
    f1: 7,
    f2: 1,
    f3: 5,
    f4: 1,
    f5: '2026-01-01T00:00:00',
    f6: '2026-01-01T00:00:00',
    f7: '1 A',
    f8: 1,
  }
  const bad: Record<string, unknown>[] = [
    { ...good, f0: 2 },
    { ...good, f1: 2 ** 60 },
    { ...good, f1: 'seven' },
    { ...good, f3: 1.5 },
    { ...good, f4: '' },
    { ...good, f5: 'yesterday' },
    { ...good, f5: '2026-13-45T00:00:00' },
    { ...good, f7: '1.0' },
    { f0: 1 },
  ]
  for (const data of bad) {
    const block = decodeBlock(served(5, [setAbi, act(2n, 'swap.svc', 'log', data)]), watch, new AbiBook())
    t.equal(block.actions.length, 0, JSON.stringify(data))
    t.match(block.undecoded, [{ reasonCode: /^INVALID_/, account: 'swap.svc', name: 'log', globalSeq: 2n }])
    t.same(JSON.parse(Buffer.from(block.undecoded[0]?.raw as Uint8Array).toString()), data)
  }
  const strange = decodeBlock(
    served(5, [act(2n, 'swap.svc', 'log', {}), setAbi, act(3n, 'swap.svc', 'put', {})]),
    watch,
    new AbiBook(),
  )
  t.same(
    strange.undecoded.map((x) => x.reasonCode),
    ['INVALID_JSON_VALUE', 'UNKNOWN_ACTION'],
  )
  const none = decodeBlock(served(5, [act(2n, 'swap.svc', 'log', good)]), watch, new AbiBook())
  t.same(
    none.undecoded.map((x) => x.reasonCode),
    ['NO_ABI'],
  )
})

t.test('a server that sends no names at all is refused', async (t) => {
  const row = { code: 'swap.svc', scope: 'alice', table: 'rows', primaryKey: '-1', present: true, data: {} }
  t.throws(() => decodeBlock(served(5, [act(1n, 'NO NAME', 'x', {})]), watch, new AbiBook()), { code: 'INVALID_NAME' })
  t.throws(() => decodeBlock(served(5, [], [row]), watch, new AbiBook()), { code: 'INVALID_JSON_VALUE' })
  t.throws(() => decodeBlock(served(5, [act(1n, 'eosio', 'setabi', {})]), watch, new AbiBook()), {
    code: 'INVALID_JSON_VALUE',
  })
})
