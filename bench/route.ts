// Routing with splits: on the recorded graph of 250 pools and on a synthetic chain of 6,300 pools and 1,600 order books,
// against the npm swap SDK in the same run. Prints times, the ratio, how the outputs compare, and a digest of our
// answers, which depends on the data alone. Every answer is executed again step by step before it counts.
// Usage: node --import tsx bench/route.ts [requests] [rival requests] [pools] [books]
import { createHash } from 'node:crypto'
import type { Route, RoutePool } from '../core/route/model.ts'
import { Router } from '../core/route/router.ts'
import { Replay } from '../test/core/route/replay.ts'
import { routeCases, routePools } from '../test/core/route/vectors.ts'
import { Random } from '../test/support/random.ts'
import { syntheticChain } from './route/chain.ts'
import { COARSE, FINE, Rival } from './route/rival.ts'
import { hardware } from './support/hardware.ts'

interface Request {
  input: RoutePool['a']
  output: RoutePool['a']
  amount: bigint
  maxHops: number
}

const [requests = 1000, rivalRequests = 30, poolCount = 6300, bookCount = 1600] = process.argv.slice(2).map(Number)
const digest = createHash('sha256')

console.log(hardware())
const recorded = routePools()
const tokens = new Map(recorded.flatMap(({ a, b }) => [a, b]).map((token) => [token.id, token]))
const asked = routeCases().flatMap(({ input, output, exact, amount, maxHops }): Request[] => {
  const [from, to] = [tokens.get(input), tokens.get(output)]
  return exact === 'in' && from && to ? [{ input: from, output: to, amount: BigInt(amount), maxHops }] : []
})
run(`recorded graph, ${recorded.length} pools`, recorded, [], asked, asked.length)

const random = new Random(1)
const chain = syntheticChain(random, poolCount, bookCount)
const near = () => chain.tokens[Math.floor(chain.tokens.length * random.next() ** 3)] as (typeof chain.tokens)[number]
const made = Array.from({ length: requests }, (): Request => {
  const input = near()
  let output = near()
  while (output === input) output = near()
  const amount = BigInt(Math.max(1, Math.floor(10 ** (random.next() * 3.5) / input.worth)))
  return { input, output, amount, maxHops: 3 }
})
run(`synthetic chain, ${poolCount} pools`, chain.pools, [], made, rivalRequests)
run(`synthetic chain, ${poolCount} pools and ${bookCount} order books`, chain.pools, chain.books, made, 0)
console.log(`digest ${digest.digest('hex').slice(0, 16)}`)

function run(name: string, pools: RoutePool[], books: typeof chain.books, all: Request[], against: number): void {
  const router = new Router()
  for (const pool of pools) router.putPool(pool)
  for (const book of books) router.putBook(book)
  const cold = performance.now()
  for (const _ of router.warmSteps());
  console.log(`${name}: all curves in ${(performance.now() - cold).toFixed(0)} ms`)
  const ask = ({ input, output, amount, maxHops }: Request) =>
    router.exactIn({
      input: input.id,
      output: output.id,
      amount,
      maxHops,
      slippage: { numerator: 3n, denominator: 1000n },
    })
  // Warm-up, about as long as the rival's before its finer grid. The router caches no answers.
  for (let asked = 0; asked < 1000; asked += all.length) for (const request of all) ask(request)
  const times: number[] = []
  let [found, parts] = [0, 0]
  for (const request of all) {
    const started = performance.now()
    const route = ask(request)
    times.push(performance.now() - started)
    if (route === null) continue
    found++
    parts += route.parts.length
    verify(route)
  }
  console.log(
    `  ${all.length} requests, ${found} routes of ${(parts / found).toFixed(1)} parts, all execute: ${quantiles(times)}`,
  )
  if (against === 0) return
  // Our times are from before the rival is loaded, because its garbage would slow down our collections.
  const rival = new Rival(pools)
  compare(rival, all.slice(0, against), times, router, 'grid of its service', COARSE)
  if (all.length === against) compare(rival, all, times, router, 'grid of 2 percent', FINE)
}

function verify(route: Route): void {
  const { received } = new Replay().run(route)
  if (received !== route.output) throw new Error(`promised ${route.output}, got ${received}`)
  digest.update(`${route.inputToken} ${route.input} ${route.outputToken} ${route.output}\n`)
}

function compare(
  rival: Rival,
  all: Request[],
  times: readonly number[],
  router: Router,
  grid: string,
  percents: readonly number[],
): void {
  const theirs: number[] = []
  const ours: number[] = []
  const gains: number[] = []
  let refused = 0
  for (const [i, request] of all.entries()) {
    const answer = rival.split(request.input, request.output, request.amount, request.maxHops, percents)
    if (answer === null) continue
    ours.push(times[i] as number)
    theirs.push(answer.milliseconds)
    if (answer.output === 0n) refused++
    else {
      const { input, output, maxHops } = request
      const equal = router.exactIn({ input: input.id, output: output.id, amount: answer.input, maxHops })
      gains.push(Number(equal?.output ?? 0n) / Number(answer.output) - 1)
    }
  }
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  console.log(
    `  npm swap SDK, ${grid}, ${theirs.length} of these: ${quantiles(theirs)}; ${refused} of its answers cannot be executed`,
  )
  const mean = (sum(gains) / gains.length) * 100
  console.log(
    `  ${(sum(theirs) / sum(ours)).toFixed(0)} times as fast in all, ${median(theirs.map((time, i) => time / (ours[i] as number))).toFixed(0)} in the median; output against its best: mean ${mean.toFixed(4)} %, least ${(Math.min(...gains) * 100).toFixed(4)} %`,
  )
}

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] as number
}

function quantiles(times: number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * sorted.length)] as number).toFixed(2)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}
