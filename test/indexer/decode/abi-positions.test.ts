import t from 'tap'
import { packAbi } from '../../../core/antelope/abi/pack.ts'
import { parseAbi } from '../../../core/antelope/abi/parse.ts'
import { toHex } from '../../../core/hex.ts'
import { sha256 } from '../../../core/sha256.ts'
import { AbiBook, type AbiVersion, BLOCK_END } from '../../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../../indexer/decode/decode-block.ts'
import { Watch } from '../../../indexer/decode/watch.ts'
import { type MadeAction, type MadeRow, madeBlock, packSetAbi } from '../../support/ship-frames.ts'

/** An ABI with one action and one table of a byte; the field's name identifies the ABI. */
const abiNamed = (field: string) =>
  packAbi(
    parseAbi({
      version: 'eosio::abi/1.1',
      structs: [{ name: 's', base: '', fields: [{ name: field, type: 'uint8' }] }],
      actions: [{ name: 'log', type: 's' }],
      tables: [{ name: 'rows', type: 's', index_type: 'i64' }],
    }),
  )
const [A, B, C] = ['a', 'b', 'c'].map(abiNamed) as [Uint8Array, Uint8Array, Uint8Array]
const NONE = new Uint8Array(0)

const watch = new Watch({
  actions: new Map([['dex', '*' as const]]),
  tables: new Map([['dex', '*' as const]]),
})

const log = (seq: number, value = 7): MadeAction => ({
  seq,
  account: 'dex',
  name: 'log',
  data: toHex(Uint8Array.of(value)),
})
const setAbi = (seq: number, abi: Uint8Array, account = 'dex'): MadeAction => ({
  seq,
  account: 'eosio',
  name: 'setabi',
  data: packSetAbi(account, abi),
})
const accountRow = (abi: Uint8Array, name = 'dex'): MadeRow => ({
  table: 'account',
  value: ['account_v0', { name, creation_date: '2020-01-01T00:00:00.000', abi: toHex(abi) }],
})
const row = (value: number): MadeRow => ({
  table: 'contract_row',
  value: [
    'contract_row_v0',
    { code: 'dex', scope: 'dex', table: 'rows', primary_key: '1', payer: 'dex', value: toHex(Uint8Array.of(value)) },
  ],
})

/** Decodes a block of one transaction. @returns a short form of the result */
async function run(book: AbiBook, num: number, actions: MadeAction[], rows: MadeRow[] = []) {
  const block = decodeBlock(await madeBlock({ num, transactions: [{ actions }], rows }), watch, book, {
    checksActions: false,
  })
  return {
    actions: block.actions.map((x) => `${x.globalSeq} ${Object.keys(x.data)}`),
    undecoded: block.undecoded.map((x) => `${x.globalSeq} ${x.reasonCode} ${toHex(x.raw)}`),
    rows: block.rows.map((x) => Object.keys(x.data).join()),
    undecodedRows: block.undecodedRows.map((x) => x.reasonCode),
    changes: block.abiChanges.map((x) => `${x.account} ${x.globalSeq} ${x.hash.slice(0, 8)}`),
  }
}
const nothing = { actions: [], undecoded: [], rows: [], undecodedRows: [], changes: [] }
const hash = (abi: Uint8Array) => toHex(sha256(abi)).slice(0, 8)

t.test('actions before and after a setabi in one block are read by different ABIs, rows by the last', async (t) => {
  const book = new AbiBook()
  t.same(await run(book, 10, [setAbi(1, A), log(2), setAbi(3, B), log(4)], [accountRow(B), row(1)]), {
    ...nothing,
    actions: ['2 a', '4 b'],
    rows: ['b'],
    changes: [`dex 1 ${hash(A)}`, `dex 3 ${hash(B)}`],
  })
  t.same((await run(book, 11, [log(5)], [row(1)])).actions, ['5 b'])
})

t.test('the order of execution counts, not the order of the frame', async (t) => {
  const book = new AbiBook()
  book.load([{ account: 'dex', blockNum: 1, globalSeq: 0n, abi: A, hash: toHex(sha256(A)) }])
  t.same((await run(book, 10, [log(9), setAbi(5, B), log(3)])).actions, ['3 a', '9 b'])
})

t.test('an action before the first ABI is stored raw', async (t) => {
  t.same(await run(new AbiBook(), 10, [log(1, 0xee), setAbi(2, A), log(3)], [accountRow(A)]), {
    ...nothing,
    actions: ['3 a'],
    undecoded: ['1 NO_ABI ee'],
    changes: [`dex 2 ${hash(A)}`],
  })
})

t.test('an account row without a setabi applies to the whole block: the start of a log', async (t) => {
  const book = new AbiBook()
  t.same(await run(book, 10, [log(1)], [accountRow(A), row(1)]), {
    ...nothing,
    actions: ['1 a'],
    rows: ['a'],
    changes: [`dex 0 ${hash(A)}`],
  })
  t.same((await run(book, 11, [], [accountRow(A)])).changes, [], 'the same ABI again is no change')
  t.same((await run(book, 12, [], [accountRow(B, 'other')])).changes, [], 'ABIs of others are not followed')
})

t.test('an account row that differs from the last setabi applies after it', async (t) => {
  const book = new AbiBook()
  const result = await run(book, 10, [setAbi(1, A), log(2)], [accountRow(B), row(1)])
  t.same(result.rows, ['b'])
  t.same(result.changes, [`dex 1 ${hash(A)}`, `dex 2 ${hash(B)}`])
  t.same((await run(book, 11, [log(3)])).actions, ['3 b'])
})

t.test('an empty ABI means none', async (t) => {
  const book = new AbiBook()
  await run(book, 10, [setAbi(1, A)])
  const result = await run(book, 11, [setAbi(2, NONE), log(3)], [accountRow(NONE), row(1)])
  t.same(result.undecoded, ['3 NO_ABI 07'])
  t.same(result.undecodedRows, ['NO_ABI'])
})

t.test('actions of an ABI that cannot be compiled are stored raw with that reason', async (t) => {
  const endless = packAbi(
    parseAbi({
      version: 'eosio::abi/1.1',
      structs: [{ name: 's', base: 's', fields: [] }],
      actions: [{ name: 'log', type: 's' }],
    }),
  )
  const book = new AbiBook()
  t.same((await run(book, 10, [setAbi(1, endless), log(2)], [row(1)])).undecoded, ['2 ABI_RECURSIVE 07'])
  t.same((await run(book, 11, [setAbi(3, Uint8Array.of(9, 9)), log(4)], [row(1)])).undecoded, ['4 TRUNCATED 07'])
  t.same((await run(book, 12, [setAbi(5, A), log(6)], [row(1)])).actions, ['6 a'])
})

t.test('bytes that an ABI does not decode completely are stored raw with the reason', async (t) => {
  const book = new AbiBook()
  const long: MadeAction = { seq: 2, account: 'dex', name: 'log', data: '0102' }
  const short: MadeAction = { seq: 3, account: 'dex', name: 'log', data: '' }
  const strange: MadeAction = { seq: 4, account: 'dex', name: 'put', data: 'aabb' }
  t.same((await run(book, 10, [setAbi(1, A), long, short, strange])).undecoded, [
    '2 TRAILING_BYTES 0102',
    '3 TRUNCATED ',
    '4 UNKNOWN_ACTION aabb',
  ])
})

t.test('a rewind removes the ABIs of the blocks that it undoes', async (t) => {
  const book = new AbiBook()
  await run(book, 10, [setAbi(1, A)])
  await run(book, 11, [setAbi(2, B)])
  await run(book, 12, [setAbi(3, C), setAbi(4, A), setAbi(5, B)])
  book.rewind(12)
  t.same((await run(book, 12, [log(3)])).actions, ['3 b'])
  book.rewind(11)
  t.same((await run(book, 11, [log(2), setAbi(3, C), log(4)])).actions, ['2 a', '4 c'])
  book.rewind(10)
  t.same((await run(book, 10, [log(1)])).undecoded, ['1 NO_ABI 07'])
})

t.test('a block that cannot be decoded does not change the stored versions', async (t) => {
  const book = new AbiBook()
  await run(book, 10, [setAbi(1, A)])
  const block = await madeBlock({ num: 11, transactions: [{ actions: [setAbi(2, B)] }], rows: [row(1)] })
  const cut = { ...block, deltas: (block.deltas as Uint8Array).slice(0, -1) }
  t.throws(() => decodeBlock(cut, watch, book, { chain: 'wax' }), {
    code: 'TRUNCATED',
    message: /^wax: block 11 cannot be decoded: /,
    place: { chain: 'wax', block: 11 },
  })
  t.same((await run(book, 11, [log(2)])).actions, ['2 a'])
})

t.test('only executed setabi actions of the system contract count', async (t) => {
  const book = new AbiBook()
  const fake: MadeAction = { ...setAbi(2, B), account: 'faker' }
  const notified: MadeAction = { ...setAbi(3, B), receiver: 'dex' }
  const unexecuted: MadeAction = { ...setAbi(4, B), receipt: false }
  await run(book, 10, [setAbi(1, A), fake, notified, unexecuted])
  t.same((await run(book, 11, [log(5)])).actions, ['5 a'])
  const failed = await madeBlock({
    num: 12,
    transactions: [{ status: 2, actions: [setAbi(6, B)], except: 'it failed' }],
  })
  decodeBlock(failed, watch, book, { checksActions: false })
  t.same((await run(book, 13, [log(7)])).actions, ['7 a'])
})

t.test('versions are ordered by position, in whatever order they are added', async (t) => {
  const version = (blockNum: number, globalSeq: bigint, abi: Uint8Array): AbiVersion => ({
    account: 'dex',
    blockNum,
    globalSeq,
    abi,
    hash: toHex(sha256(abi)),
  })
  const book = new AbiBook()
  book.load([version(20, 5n, C), version(10, 1n, A), version(20, 3n, B)])
  const at = (num: number, seq: bigint) => book.versionAt('dex', num, seq)?.hash.slice(0, 8)
  t.equal(at(10, 1n), undefined, 'a setabi is not read by its own ABI')
  t.equal(at(10, 2n), hash(A))
  t.equal(at(20, 3n), hash(A))
  t.equal(at(20, 4n), hash(B))
  t.equal(at(20, 5n), hash(B))
  t.equal(at(20, BLOCK_END), hash(C))
  t.equal(at(99, 0n), hash(C))
  book.apply(version(20, 5n, A))
  t.equal(at(20, BLOCK_END), hash(A), 'the same position again replaces')
  t.equal(book.at('nobody', 1, 1n), undefined)
})
