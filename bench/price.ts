// Pricing: all tokens of a chain with as many pools as WAX. Measures a newly built graph, then a cached graph in which
// one pool changes between runs, as at the head. Then the cost of a block for the live market of the API: changed
// pools, all prices, and the set of tokens whose price changed.
// Usage, with the same memory for new objects as the program:
// node --max-semi-space-size=64 --v8-pool-size=1 --import tsx bench/price.ts [pools] [tokens]
import { PriceGraph, type PricePool, widestPrices } from '../core/price/price-graph.ts'
import { randomPool, SYSTEM } from '../test/core/price/random-pools.ts'
import { testChain } from '../test/support/api.ts'
import { Random } from '../test/support/random.ts'
import { BenchMarket } from './stream/market.ts'
import { madeVenues } from './stream/venues.ts'
import { hardware } from './support/hardware.ts'

const count = Number(process.argv[2] ?? 6300)
const tokens = Number(process.argv[3] ?? 4200)
const random = new Random(1)
// Deep pools at moderate prices, so that no path ends at a price limit.
const pools = Array.from({ length: count }, (_, id): PricePool => {
  const pool = { ...randomPool(random, id, tokens), active: true, liquidity: 1n }
  const [reserveA, reserveB] = [1n + random.bigint(1n << 50n), 1n + random.bigint(1n << 50n)]
  return { ...pool, reserveA, reserveB, sqrtPriceX64: (1n << 63n) + random.bigint(1n << 64n) }
})

console.log(hardware())
for (const [name, threshold] of [
  ['every pool counts', 1n],
  ['a threshold of 2000 tokens', 2000_0000_0000n],
] as const) {
  const options = { systemToken: SYSTEM, threshold }
  const graph = new PriceGraph()
  for (const pool of pools) graph.put(pool)
  console.log(`${count} pools, ${name}: ${graph.prices(options).size} tokens have a price`)
  report('  built anew', () => widestPrices(pools, options))
  report('  kept', () => {
    const pool = random.pick(pools)
    graph.put({ ...pool, reserveA: pool.reserveA + 1n })
    graph.prices(options)
  })
}

const market = new BenchMarket(testChain('wax'), madeVenues({ tokens, pools: count, books: 1 }))
console.log(`the live market, ${count} pools, ${market.state.prices.byToken.size} tokens with a price`)
for (const changed of [1, 5, 20]) {
  let moved = 0
  report(`  a block that changes ${changed}`, () => {
    const ids = Array.from({ length: changed }, () => random.integer(0, count - 1))
    moved += market.advance(market.read({ pools: ids, change: 'price' })).tokens.size
  })
  console.log(`    tokens whose price moves: ${(moved / 300).toFixed(1)} a block`)
}

function report(name: string, run: () => unknown): void {
  for (let i = 0; i < 100; i++) run()
  const before = process.cpuUsage()
  const times = Array.from({ length: 200 }, () => {
    const started = performance.now()
    run()
    return performance.now() - started
  }).sort((x, y) => x - y)
  const { user, system } = process.cpuUsage(before)
  const at = (share: number) => (times[Math.floor(share * times.length)] as number).toFixed(2)
  console.log(
    `${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, processor ${((user + system) / 200 / 1000).toFixed(2)} ms`,
  )
}
