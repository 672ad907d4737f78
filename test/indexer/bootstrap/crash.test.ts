import t from 'tap'
import { RetryableError } from '../../../core/errors.ts'
import { startHttp } from '../../../devnet/http/server.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { type IndexOptions, indexChain } from '../../../indexer/run.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import type { CommitPoint } from '../../../indexer/store/writer.ts'
import { testDatabase } from '../../support/database.ts'
import { countRows, PAST, sameRows } from './compare.ts'
import { accounts, chainId, quiet, RandomExchange } from './random-exchange.ts'

t.test('a failed write of the state is repeated whole, without reading it again', async (t) => {
  const { url: databaseUrl, pool } = await testDatabase(t, { chains: ['middle', 'full'] })
  const exchange = new RandomExchange(3)
  exchange.produce(60)
  const [ship, http] = [await startShip(exchange.chain), await startHttp(exchange.chain)]
  t.teardown(() => Promise.all([ship.stop(), http.stop()]))
  const live = setInterval(() => exchange.produce(1), 400)
  t.teardown(() => clearInterval(live))
  const options = (chain: string): IndexOptions => {
    const source = new ShipSource({ urls: [ship.url], chain, chainId })
    const common = { chain, databaseUrl, source, accounts, chainId, events: quiet, systemAccount: 'eosio' }
    return { ...common, tokenContracts: ['usdt.tok'], startBlock: 2, signal: new AbortController().signal }
  }
  const broken: CommitPoint[] = ['copied', 'merged', 'committed']
  const hit: CommitPoint[] = []
  const rowsAfter: number[] = []
  let waits = 0
  const stop = new AbortController()
  await indexChain({
    ...options('middle'),
    bootstrap: { url: http.url, pollMs: 10, events: { waiting: () => void waits++ } },
    onPoint: (point) => {
      if (broken[0] !== point) return
      hit.push(point)
      broken.shift()
      throw new RetryableError('STOPPED', `stopped when ${point}`)
    },
    events: {
      ...quiet,
      retrying: async () => void rowsAfter.push(await countRows(pool, 'state.pools', 'middle')),
      committed: () => stop.abort(),
    },
    signal: stop.signal,
  })
  clearInterval(live)
  t.same(hit, ['copied', 'merged', 'committed'])
  t.same(rowsAfter.slice(0, 2), [0, 0], 'nothing is half-written')
  t.equal(waits, 1, 'tables were read once')
  const { rows } = await pool.query(`select block_num::int, state_block::int from head.position where chain = 'middle'`)
  const endBlock = Math.max(rows[0].block_num, rows[0].state_block)
  await indexChain({ ...options('middle'), endBlock })
  await indexChain({ ...options('full'), endBlock })
  await sameRows(t, pool, ['state'], 'middle', 'full', PAST)
})
