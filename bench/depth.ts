// Depth of the largest pairs of a synthetic chain, measured over HTTP: one at a time on a quiet chain, then many at
// once while blocks come and other clients request routes. Measures their duration and their effect on others: the
// delay of the event loop and the response time of routes.
// Usage: node --import tsx bench/depth.ts [pairs at once] [pools] [books]

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { ChainContext } from '../api/chain-context.ts'
import { LogoLists } from '../api/exchange/tokens/logo-lists.ts'
import { SILENT } from '../api/http/log.ts'
import { OtherChains } from '../api/live-market/other-chains.ts'
import { LiveRouter } from '../api/route/live-router.ts'
import { createServer } from '../api/server.ts'
import { itemAt } from '../core/required.ts'
import { testChain } from '../test/support/api.ts'
import { Random } from '../test/support/random.ts'
import { syntheticChain } from './route/chain.ts'
import { routedVenues, tokenOf } from './route/venues.ts'
import { BenchMarket } from './stream/market.ts'
import { hardware } from './support/hardware.ts'
import { at } from './support/percentile.ts'

const [pairs = 12, poolCount = 6300, bookCount = 1600] = process.argv.slice(2).map(Number)
/** Pools changed by a block, and milliseconds between blocks. */
const TOUCHED = 20
const BLOCK_MS = 500
/** Milliseconds between requests for routes. */
const ROUTE_MS = 20

const random = new Random(1)
const chain = syntheticChain(random, poolCount, bookCount)
const hubs = chain.tokens.slice(0, 12).map(tokenOf)
const config = { ...testChain('wax'), systemToken: tokenOf(itemAt(chain.tokens, 0)) }
const market = new BenchMarket(config, routedVenues(chain))
const live = market.asLive()
const pool = new pg.Pool({ max: 1 })
const router = new LiveRouter(config, live)
const context: ChainContext = {
  chain: 'wax',
  config,
  pool,
  market: live,
  others: new OtherChains(),
  router,
  logoLists: new LogoLists([], SILENT),
}
const server = createServer({ pool, chains: [context], maxLagSeconds: 60, version: '0.0.0', maxDelay: 0 })

async function ask(path: string): Promise<{ ms: number; status: number; block: number }> {
  const started = performance.now()
  const { statusCode, headers } = await server.inject({ url: `/api/v3/${path}`, headers: { host: 'wax.localhost' } })
  return { ms: performance.now() - started, status: statusCode, block: Number(headers['x-block-num']) }
}

function block(): void {
  const pools = Array.from({ length: TOUCHED }, () => random.integer(0, poolCount - 1))
  market.tell(market.advance(market.read({ pools, change: 'reserve' })))
}

const pairsOf = (count: number) =>
  hubs
    .flatMap((input) => hubs.filter((output) => output !== input).map((output) => [input.id, output.id]))
    .slice(0, count)
const depth = ([input, output]: string[]) => ask(`market/depth?input=${input}&output=${output}`)
const show = (times: number[]) => {
  const sorted = [...times].sort((x, y) => x - y)
  return `p50 ${at(sorted, 0.5)} ms, p99 ${at(sorted, 0.99)} ms, worst ${sorted.at(-1)?.toFixed(0)} ms`
}

console.log(hardware())
await server.ready()
await delay(2000)
const two = [itemAt(hubs, 0).id, itemAt(hubs, 1).id]
for (const pair of [two, [...two].reverse()]) {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const first = await depth(pair)
  loop.disable()
  const again = await depth(pair)
  const worst = (loop.max / 1e6).toFixed(0)
  console.log(
    `${pair.join(' to ')}: ${first.ms.toFixed(0)} ms, worst delay ${worst} ms, from memory ${again.ms.toFixed(2)} ms`,
  )
}

const routes: number[] = []
let isOver = false
const routeRequests = (async () => {
  while (!isOver) {
    const [input, output] = [random.pick(hubs), random.pick(hubs)]
    const amount = (1 + random.next() * 100).toFixed(4)
    if (input !== output)
      routes.push(
        (await ask(`swapRouter/getRoute?tradeType=exactIn&input=${input.id}&output=${output.id}&amount=${amount}`)).ms,
      )
    await delay(ROUTE_MS)
  }
})()
const blocks = setInterval(block, BLOCK_MS)

for (const count of [0, 1, pairs]) {
  block()
  await delay(10_100)
  routes.length = 0
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const started = performance.now()
  if (count === 0) await delay(5000)
  const answers = await Promise.all(pairsOf(count).map(depth))
  const seconds = (performance.now() - started) / 1000
  loop.disable()
  const failed = answers.filter(({ status }) => status !== 200).length
  console.log(
    `${count} depths at once, a block of ${TOUCHED} pools every ${BLOCK_MS} ms: ${seconds.toFixed(1)} s, ${failed} failed`,
  )
  if (count > 0) console.log(`  depth: ${show(answers.map(({ ms }) => ms))}`)
  console.log(`  ${routes.length} routes meanwhile: ${show(routes)}`)
  console.log(
    `  delay of the event loop: p99 ${(loop.percentile(99) / 1e6).toFixed(1)} ms, worst ${(loop.max / 1e6).toFixed(0)} ms`,
  )
}
isOver = true
clearInterval(blocks)
await routeRequests
await server.close()
await pool.end()
