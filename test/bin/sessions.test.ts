// A chain indexed by several sessions, set by the configuration, has the same rows as one indexed by a single session.
import t from 'tap'
import { indexChains } from '../../bin/index-chains.ts'
import { loadConfig } from '../../config/load.ts'
import { startShip } from '../../devnet/ship/server.ts'
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { countRows, sameRows } from '../indexer/bootstrap/compare.ts'
import { RandomExchange } from '../indexer/bootstrap/random-exchange.ts'
import { testDatabase } from '../support/database.ts'
import { startProxy } from '../support/proxy.ts'

/** The configuration of a user: a profile and environment variables. */
function configured(chain: string, settings: Record<string, string>) {
  const variables = Object.entries(settings).map(([name, value]) => [`HEADWATER_${chain.toUpperCase()}_${name}`, value])
  return loadConfig({ env: Object.fromEntries(variables), program: { chains: ['dev'] }, rename: chain }).config.chains
}

t.test('source.sessions catches up in parallel, then continues live, and changes no row', async (t) => {
  const { url: databaseUrl, pool } = await testDatabase(t)
  const exchange = new RandomExchange(5)
  exchange.produce(1600)
  const ship = await startShip(exchange.chain)
  const proxy = await startProxy({ port: Number(new URL(ship.url).port) })
  t.teardown(() => Promise.all([proxy.stop(), ship.stop()]))
  const node = { SOURCE_KIND: 'ship', SOURCE_URLS: `ws://127.0.0.1:${proxy.port}` }

  /** Indexes up to the head, makes new blocks and indexes them. @returns the log */
  async function index(chain: string, newBlocks: number, settings: Record<string, string>) {
    const stop = new AbortController()
    const head = exchange.chain.head.num
    const lines: Record<string, unknown>[] = []
    const accepted = proxy.accepted
    const note = (message: string, fields = {}) => void lines.push({ message, ...fields })
    let look: NodeJS.Timeout | undefined
    const running = indexChains({
      chains: configured(chain, { ...node, ...settings }),
      databaseUrl,
      signal: stop.signal,
      log: { info: note, warn: note, error: note },
      metrics: new IndexerMetrics(),
      onProgress(progress) {
        look = setInterval(() => {
          if (progress.block === head && exchange.chain.head.num === head) exchange.produce(newBlocks)
          if (progress.block < head + newBlocks) return
          stop.abort()
        }, 20)
      },
    })
    await running.finally(() => clearInterval(look))
    return { lines, connections: proxy.accepted - accepted }
  }

  const lib = exchange.chain.lib.num
  const four = await index('four', 3, { SOURCE_SESSIONS: '4' })
  t.match(four.lines, [
    { message: 'starts' },
    { message: 'reads in parallel', chain: 'four', sessions: 4, from: 2, to: lib },
  ])
  t.ok(four.connections > 5, `${four.connections} connections`)
  t.equal(four.lines.length, 2, JSON.stringify(four.lines.slice(2)))

  const one = await index('one', 0, {})
  t.equal(one.lines.length, 1, 'one session says nothing of it')
  t.equal(one.connections, 3, 'for the id of the chain, where the logs begin, and the blocks')

  await sameRows(t, pool, ['ledger', 'state', 'derive'], 'four', 'one')
  for (const table of [
    'ledger.blocks',
    'ledger.swaps',
    'ledger.abis',
    'derive.candles',
    'state.markets',
    'state.balances',
  ])
    t.ok((await countRows(pool, table, 'four')) > 0, `${table} was compared`)
})
