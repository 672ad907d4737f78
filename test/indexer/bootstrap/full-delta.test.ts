import t, { type Test } from 'tap'
import { startShip } from '../../../devnet/ship/server.ts'
import { backfill } from '../../../indexer/jobs/backfill.ts'
import { runWorker } from '../../../indexer/jobs/worker.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import { countRows, PAST, sameRows } from './compare.ts'
import { accounts, chainId, quiet, RandomExchange } from './random-exchange.ts'

const FROM_SNAPSHOT = 'a node that was started from a snapshot has the whole state before its first block'
const SWITCHED_ON = 'a log that was switched on in the middle has the whole state in its first delta'

t.test('the first chain id is stored, and another one is refused', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['middle', 'full'] })
  const { chain } = produced(new RandomExchange(9))
  const ship = await startShip(chain)
  t.teardown(() => ship.stop())
  const index = (endBlock: number) =>
    indexChain({
      ...{ chain: 'kept', databaseUrl: url, accounts, chainId: null, tokenContracts: '*', systemAccount: 'eosio' },
      source: new ShipSource({ urls: [ship.url], chain: 'kept' }),
      ...{ startBlock: 2, endBlock, events: quiet, signal: new AbortController().signal },
    })
  await index(10)
  t.same((await pool.query('select chain_id from meta.position')).rows, [{ chain_id: chainId }])
  ship.faults.chainId = 'cd'.repeat(32)
  await t.rejects(index(20), { code: 'OTHER_CHAIN' })
  ship.faults.chainId = null
  t.equal((await index(20))?.num, 20)
})

function produced(exchange: RandomExchange): RandomExchange {
  exchange.produce(40)
  return exchange
}

for (const isSnapshot of [true, false])
  t.test(isSnapshot ? FROM_SNAPSHOT : SWITCHED_ON, (t) => startsInTheMiddle(t, isSnapshot))

async function startsInTheMiddle(t: Test, isSnapshot: boolean): Promise<void> {
  const { url, pool } = await testDatabase(t, { chains: ['middle', 'full'] })
  const exchange = new RandomExchange(7)
  const { chain } = exchange
  const swap = () => chain.produce({ transactions: [[exchange.play('swap.svc')]] })
  // The first blocks with rows are the one of the state and its child.
  exchange.produce(400)
  swap()
  const logStart = { num: chain.head.num, deltas: chain.fullDeltas(), isSnapshot }
  swap()
  exchange.produce(38)
  const [whole, short] = [await startShip(chain), await startShip(chain, { logStart })]
  t.teardown(() => Promise.all([whole.stop(), short.stop()]))
  const endBlock = chain.lib.num
  const index = (name: string, ship: string, startBlock: number) => {
    const source = new ShipSource({ urls: [ship], chain: name, chainId })
    const common = { chain: name, databaseUrl: url, source, accounts, chainId, tokenContracts: '*' as const }
    const { signal } = new AbortController()
    return indexChain({
      ...common,
      systemAccount: 'eosio',
      startBlock,
      fullStateBlock: isSnapshot ? undefined : logStart.num,
      endBlock,
      valuation: VALUATION,
      events: quiet,
      signal,
    })
  }
  await index('full', whole.url, 2)
  await index('middle', short.url, isSnapshot ? 2 : logStart.num)
  await sameRows(t, pool, ['state'], 'middle', 'full', ['state.token_prices', ...PAST])

  // Starts at the first and at the last block that get the state have the same first rows.
  const startBlock = isSnapshot ? logStart.num + 1 : logStart.num
  const source = new ShipSource({ urls: [short.url], chain: 'ranges', chainId })
  const over = new AbortController()
  const both = { chain: 'ranges', databaseUrl: url, source, accounts }
  const working = runWorker({
    ...{ ...both, tokenContracts: '*', systemAccount: 'eosio', signal: over.signal, pollMs: 20 },
    events: { failed: (_, error) => t.fail(error.message) },
  })
  await backfill({
    ...{ ...both, chainId, startBlock, endBlock, rangeBlocks: 13, valuation: VALUATION, pollMs: 20 },
    fullStateBlock: isSnapshot ? undefined : logStart.num,
    signal: new AbortController().signal,
    // Later ranges may be read before the ABIs of the state are stored; the first range has them.
    events: { reopened: (block, reason) => t.ok(block > logStart.num + 1, reason) },
  })
  over.abort()
  await working
  t.ok((await countRows(pool, 'state.pools', 'ranges')) > 0, 'the state is there after a backfill by workers')
  await sameRows(t, pool, ['state', 'ledger', 'derive'], 'ranges', 'middle')
  const { rows: fees } = await pool.query(
    `select s.block_num = p.first_block as first, count(*) > 0 as swaps, count(pool_fee) = count(*) as all, count(pool_fee) = 0 as none
     from ledger.swaps s join meta.position p using (chain) where chain = 'ranges' group by 1 order by 1 desc`,
  )
  t.same(fees, [
    { first: true, swaps: true, all: false, none: true },
    { first: false, swaps: true, all: true, none: false },
  ])
  const { rows } = await pool.query('select chain, first_block::int, state_block::int from head.position order by 1')
  t.same(rows, [
    { chain: 'full', first_block: 2, state_block: null },
    { chain: 'middle', first_block: isSnapshot ? logStart.num + 1 : logStart.num, state_block: logStart.num },
    { chain: 'ranges', first_block: isSnapshot ? logStart.num + 1 : logStart.num, state_block: logStart.num },
  ])
}
