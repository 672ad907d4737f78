// Own process: it measures the memory of its process.
// The first delta of a log has the whole state. It must be indexed completely, in memory that does not grow with it.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { packAbi } from '../../core/antelope/abi/pack.ts'
import { symbolCodeToU64, symbolToU64 } from '../../core/antelope/asset.ts'
import { nameToString } from '../../core/antelope/name.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { AbiBook } from '../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../indexer/decode/decode-block.ts'
import { Watch } from '../../indexer/decode/watch.ts'
import { Projector } from '../../indexer/project/projector.ts'
import type { PackedBlock } from '../../indexer/source/source.ts'
import { ChainWriter } from '../../indexer/store/writer.ts'
import { testDatabase } from '../support/database.ts'

const MEGABYTE = 1e6
/** Rows of about 65 bytes: 20 MB, or the 200 MB of a large chain. */
const ROWS = process.env.HEADWATER_TEST_LONG ? 3_100_000 : 300_000
/** Memory beyond the frame: a part of the rows being decoded and encoded. */
const ALLOWED_GROWTH = 220 * MEGABYTE

const id = `${'00000010'}${'ab'.repeat(28)}`
const token = { precision: 4, code: 'TOK' }

function accountName(index: number): bigint {
  return (BigInt(index) + 1n) << 24n
}

function fullDelta(): Uint8Array {
  const writer = new Writer(ROWS * 70)
  const symbol = symbolToU64(token)
  const code = symbolCodeToU64(token.code)
  writer.varuint32(1)
  writer.varuint32(0)
  writer.string('contract_row')
  writer.varuint32(ROWS)
  for (let i = 0; i < ROWS; i++) {
    writer.u8(1)
    writer.varuint32(1 + 8 * 5 + 1 + 16)
    writer.varuint32(0)
    writer.name('token.svc')
    writer.u64(accountName(i))
    writer.name('accounts')
    writer.u64(code)
    writer.u64(accountName(i))
    writer.varuint32(16)
    writer.i64(BigInt(i))
    writer.u64(symbol)
  }
  return writer.finish()
}

function block(deltas: Uint8Array): PackedBlock {
  const header = new Writer()
  header.u32(1_500_000_000)
  header.name('producer1')
  const noTraces = new Writer()
  noTraces.varuint32(0)
  const position = { num: 16, id }
  return {
    kind: 'packed',
    ...position,
    prevId: `0000000f${'cd'.repeat(28)}`,
    head: position,
    lib: position,
    block: header.finish(),
    traces: noTraces.finish(),
    deltas,
    finality: null,
  }
}

t.test('a full first delta is indexed row for row within bounded memory', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['test'] })
  const abiJson = JSON.parse(await readFile(new URL('../../abis/eosio.token.abi.json', import.meta.url), 'utf8'))
  const abi = packAbi(abiJson)
  const abis = new AbiBook()
  abis.load([{ account: 'token.svc', blockNum: 0, globalSeq: 0n, abi, hash: toHex(sha256(abi)) }])
  const projector = new Projector({ chain: 'test', accounts: {}, tokenContracts: ['token.svc'] })
  const writer = await ChainWriter.open({ chain: 'test', databaseUrl: url, chainId: null })
  const source = block(fullDelta())
  const before = process.memoryUsage().rss
  const sampler = setInterval(() => {
    largest = Math.max(largest, process.memoryUsage().rss)
  }, 20)
  let largest = before
  const batch = writer.newBatch()
  batch.add(
    projector.project(decodeBlock(source, new Watch(projector.wanted), abis, { chain: 'test', checksActions: false })),
  )
  const { rows } = await writer.commit(batch)
  clearInterval(sampler)
  await writer.close()
  t.equal(rows.get('state.balances'), ROWS)
  const { rows: found } = await pool.query(
    `select count(*)::int as rows, sum(amount)::text as total, min(account collate "C") filter (where amount = 7) as seventh from state.balances`,
  )
  const total = (BigInt(ROWS) * BigInt(ROWS - 1)) / 2n
  t.same(found, [{ rows: ROWS, total: total.toString(), seventh: nameToString(accountName(7)) }])
  t.ok(largest - before < ALLOWED_GROWTH, `grew by ${Math.round((largest - before) / MEGABYTE)} MB`)
})
