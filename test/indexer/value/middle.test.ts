// Values in a history that starts in the middle of a chain, from a log whose first delta has the whole state.
import t from 'tap'
import { startShip } from '../../../devnet/ship/server.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import { accounts, chainId, quiet, RandomExchange } from '../bootstrap/random-exchange.ts'

t.test('the first minute has no values, every other one has the values of the whole history', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['middle', 'full'] })
  const exchange = new RandomExchange(5)
  const { chain } = exchange
  exchange.produce(350)
  const logStart = { num: chain.head.num, deltas: chain.fullDeltas(), isSnapshot: true }
  exchange.produce(330)
  const [whole, short] = [await startShip(chain), await startShip(chain, { logStart })]
  t.teardown(() => Promise.all([whole.stop(), short.stop()]))
  const endBlock = chain.lib.num
  const index = (name: string, ship: string, startBlock: number, to: number) =>
    indexChain({
      ...{ chain: name, databaseUrl: url, accounts, chainId, tokenContracts: '*', systemAccount: 'eosio', startBlock },
      source: new ShipSource({ urls: [ship], chain: name, chainId }),
      fullStateBlock: logStart.num,
      endBlock: to,
      valuation: {
        ...VALUATION,
        threshold: { usd: 1, system: 1 },
        trust: { ...VALUATION.trust, stable: ['usdt-usdt.tok'] },
      },
      events: quiet,
      signal: new AbortController().signal,
    })
  await index('full', whole.url, 2, endBlock)
  // At the second start, some prices are not known yet.
  await index('middle', short.url, logStart.num, logStart.num + 3)
  await index('middle', short.url, logStart.num, endBlock)

  const { rows } = await pool.query(
    `with trades as (
       select chain, block_time, global_seq, usd from ledger.swaps union all select chain, block_time, global_seq, usd from ledger.deals
     ), start as (
       select date_trunc('minute', block_time) + interval '1 minute' as known from ledger.blocks where chain = 'middle' and block_num = $1
     )
     select m.block_time >= s.known as known, count(*)::int4 as trades, count(m.usd)::int4 as valued, count(*) filter (where m.usd > 0)::int4 as worth,
       count(*) filter (where m.usd is distinct from f.usd)::int4 as differing
     from trades m join trades f using (global_seq) cross join start s where m.chain = 'middle' and f.chain = 'full' group by 1 order by 1`,
    [logStart.num + 1],
  )
  t.match(rows, [
    { known: false, valued: 0 },
    { known: true, differing: 0 },
  ])
  t.ok(rows[0].trades > 5 && rows[1].worth > 20)
  t.equal(rows[1].valued, rows[1].trades)
})
