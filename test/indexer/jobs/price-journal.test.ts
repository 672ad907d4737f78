import t from 'tap'
import { JournalCodec, PriceJournal } from '../../../indexer/jobs/price-journal.ts'
import { readCatalog } from '../../../indexer/store/catalog.ts'
import { CopyBuffer } from '../../../indexer/store/copy/copy-buffer.ts'
import type { StateRow } from '../../../indexer/store/rows.ts'
import { testDatabase } from '../../support/database.ts'

const order = (orderId: bigint, bidAmount: bigint, present = true): StateRow => {
  return { table: 'orders', row: { marketId: 3n, side: 'buy', orderId, ...(present ? { bidAmount } : {}) }, present }
}

t.test('a minute keeps the last version of a row, and the one before its removal', (t) => {
  const journal = new PriceJournal()
  journal.note([order(1n, 10n), order(2n, 20n), { table: 'ticks', row: { poolId: 1n }, present: true }])
  journal.note([order(1n, 11n), order(2n, 0n, false), order(4n, 0n, false)])
  journal.note([order(4n, 40n)])
  t.strictSame(
    [...journal.take()],
    [['orders', [order(1n, 11n), order(2n, 20n), order(4n, 40n), order(2n, 0n, false)]]],
  )
  t.strictSame([...journal.take()], [], 'and is empty then')
  t.end()
})

t.test('rows are read as they were written', async (t) => {
  const { pool } = await testDatabase(t)
  const client = await pool.connect()
  const catalog = await readCatalog(client)
  client.release()
  const token = { contractA: 'eosio.token', symbolA: 'WAX', decimalsA: 8, reserveA: (1n << 62n) - 1n }
  const other = { contractB: 'ünïcode', symbolB: 'TLM', decimalsB: 4, reserveB: 0n }
  const price = { sqrtPriceX64: (1n << 128n) - 1n, liquidity: (1n << 64n) - 1n, fee: 3000 }
  const pools: StateRow[] = [
    { table: 'pools', row: { poolId: 7n, active: true, ...token, ...other, ...price }, present: true },
    { table: 'pools', row: { poolId: 8n }, present: false },
  ]
  const codec = new JournalCodec(catalog, 'pools')
  const buffer = new CopyBuffer()
  for (const row of pools) codec.write(row, buffer)
  const read: StateRow[] = []
  codec.read(buffer.tuples(), read)
  t.match(read[0], pools[0])
  t.match(read[1], { ...pools[1], row: { poolId: 8n, fee: null } })
  t.equal(read.length, 2)
})
