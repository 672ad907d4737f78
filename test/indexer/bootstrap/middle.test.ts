import t from 'tap'
import { startHttp } from '../../../devnet/http/server.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { type IndexOptions, indexChain } from '../../../indexer/run.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import { testDatabase } from '../../support/database.ts'
import { seedFromEnvironment } from '../../support/random.ts'
import { countRows, PAST, sameRows } from './compare.ts'
import { accounts, chainId, quiet, RandomExchange } from './random-exchange.ts'

const tokenContracts = ['eosio.token', 'usdt.tok']

function optionsFor(chain: string, databaseUrl: string, ship: string, endBlock: number): IndexOptions {
  const source = new ShipSource({ urls: [ship], chain, chainId, backoffMs: [20, 100] })
  const signal = new AbortController().signal
  const common = { chain, databaseUrl, source, accounts, chainId, tokenContracts, signal, endBlock }
  return { ...common, systemAccount: 'eosio', startBlock: 2, events: quiet }
}

/** A read at one head gets at most one page for each concurrent request, 6, so fewer than ten. */
const FORK_PAGE = 25

const seeds = Array.from({ length: process.env.HEADWATER_TEST_LONG ? 40 : 2 }, (_, i) => seedFromEnvironment() + i)
for (const seed of seeds) {
  t.test(`a start in the middle ends in the state of a full index (HEADWATER_SEED=${seed})`, async (t) => {
    const { url, pool } = await testDatabase(t, { chains: ['middle', 'full'] })
    const exchange = new RandomExchange(seed)
    const { chain, random } = exchange
    exchange.produce(60)
    const ship = await startShip(chain)
    const http = await startHttp(chain)
    t.teardown(() => Promise.all([ship.stop(), http.stop()]))
    // A new block comes with each page, except in the ten pages before the fork. The page of the fork is then read at
    // a head that the fork undoes, however slow the machine is.
    let pages = 0
    const stands = () => pages >= FORK_PAGE - 10 && pages < FORK_PAGE
    const step = () => {
      if (!stands()) exchange.produce(random.integer(1, 2))
    }
    const live = setInterval(step, 300)
    t.teardown(() => clearInterval(live))
    const repeated: string[] = []
    const events = {
      read: () => {
        if (++pages === FORK_PAGE) chain.fork(chain.head.num - chain.lib.num)
        if (pages % 5 === 0) step()
      },
      repeated: (reason: string) => repeated.push(reason),
    }
    const bootstrap = { url: http.url, pageRows: random.integer(3, 30), concurrency: 6, pollMs: 10, events }
    const firstHead = chain.head.num
    const controller = new AbortController()
    let end = 0
    const middle = optionsFor('middle', url, ship.url, 1_000_000)
    await indexChain({
      ...middle,
      bootstrap,
      signal: controller.signal,
      events: {
        ...quiet,
        committed: (last) => {
          // After a while the chain stops at a final block, and the indexer with it.
          if (end === 0) {
            clearInterval(live)
            exchange.produce(6)
            end = chain.head.num - 3
          } else if (last.num >= end) controller.abort()
        },
      },
    })
    const { rows } = await pool.query(`select * from head.position where chain = 'middle'`)
    const position = rows[0]
    t.ok(Number(position.first_block) > firstHead, 'starts after the head of that time')
    t.ok(Number(position.state_block) >= Number(position.first_block) - 1, 'says from where the state is exact')
    t.match(repeated[0], /replaced by a fork/, 'what was read on a lost branch is read again')
    await indexChain(optionsFor('full', url, ship.url, Number(position.block_num)))
    await sameRows(t, pool, ['state'], 'middle', 'full', PAST)
    for (const table of ['pools', 'ticks', 'positions', 'orders', 'bans', 'balances', 'supplies', 'markets'])
      t.ok((await countRows(pool, `state.${table}`, 'full')) > 0, `${table} were compared`)
    t.equal(await countRows(pool, 'ledger.undecoded_rows', 'middle'), 0)
  })
}
