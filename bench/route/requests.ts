// Requests for comparisons of the router with itself: the recorded graph, a synthetic chain of 6,300 pools with and without
// 1,600 order books, and small random markets of many shapes.
import type { ExactInRequest, ExactOutRequest, RouteBook, RoutePool } from '../../core/route/model.ts'
import { amountOf, randomMarket } from '../../test/core/route/random-market.ts'
import { shapedMarket } from '../../test/core/route/random-shapes.ts'
import { routeCases, routePools } from '../../test/core/route/vectors.ts'
import { Random } from '../../test/support/random.ts'
import { syntheticChain } from './chain.ts'

export type RoutedRequest = (ExactInRequest & { exact?: 'in' }) | (ExactOutRequest & { exact: 'out' })

/** Venues that some requests share, or that are of one request. */
export interface RequestSet {
  name: string
  markets: { pools: readonly RoutePool[]; books: readonly RouteBook[]; requests: RoutedRequest[] }[]
}

const SLIPPAGE = { numerator: 3n, denominator: 1000n }

/** @param count  requests of each set */
export function requestSets(seed: number, count: number): RequestSet[] {
  return [
    { name: 'recorded', markets: [recorded(new Random(seed), count)] },
    { name: 'recorded exact outputs', markets: [recordedOutputs()] },
    ...synthetic(count),
    { name: 'random markets', markets: randomMarkets(new Random(seed), count, 0) },
    { name: 'random markets with books', markets: randomMarkets(new Random(seed), count, 5) },
    { name: 'random markets, exact outputs', markets: randomOutputs(new Random(seed), count) },
    { name: 'other shapes', markets: shapes(new Random(seed), count, false) },
    { name: 'other shapes with books', markets: shapes(new Random(seed), count, true) },
  ]
}

/** The recorded requests, then random ones. */
function recorded(random: Random, count: number): RequestSet['markets'][number] {
  const pools = routePools()
  const tokens = [...new Map(pools.flatMap(({ a, b }) => [a, b]).map((token) => [token.id, token])).values()]
  const requests: ExactInRequest[] = routeCases()
    .filter(({ exact }) => exact === 'in')
    .map(({ input, output, amount, maxHops }) => ({ input, output, amount: BigInt(amount), maxHops }))
  for (let i = 0; i < count; i++) {
    const [input, output] = [random.pick(tokens), random.pick(tokens)]
    const amount = BigInt(Math.floor(10 ** (random.next() * 6 + input.decimals - 2)) + 1)
    if (input !== output) requests.push({ input: input.id, output: output.id, amount, slippage: SLIPPAGE })
  }
  return { pools, books: [], requests }
}

function recordedOutputs(): RequestSet['markets'][number] {
  const requests = routeCases()
    .filter(({ exact }) => exact === 'out')
    .map(({ input, output, amount, maxHops }): RoutedRequest => {
      return { exact: 'out', input, output, amount: BigInt(amount), maxHops, paths: true }
    })
  return { pools: routePools(), books: [], requests }
}

function synthetic(count: number): RequestSet[] {
  const random = new Random(1)
  const { tokens, pools, books } = syntheticChain(random, 6300, 1600)
  const near = () => tokens[Math.floor(tokens.length * random.next() ** 3)] as (typeof tokens)[number]
  const requests = Array.from({ length: count }, (): ExactInRequest => {
    const input = near()
    let output = near()
    while (output === input) output = near()
    const amount = BigInt(Math.max(1, Math.floor(10 ** (random.next() * 3.5) / input.worth)))
    return { input: input.id, output: output.id, amount, slippage: SLIPPAGE }
  })
  return [
    { name: '6,300 pools', markets: [{ pools, books: [], requests }] },
    { name: '6,300 pools with books', markets: [{ pools, books, requests }] },
  ]
}

function randomMarkets(random: Random, count: number, books: number): RequestSet['markets'] {
  return Array.from({ length: count }, () => {
    const market = randomMarket(random.integer(1, 2 ** 31), 6, 14, books)
    const [input, output] = market.tokens as [(typeof market.tokens)[0], (typeof market.tokens)[0]]
    const amount = amountOf(market.random, input)
    return { ...market, requests: [{ input: input.id, output: output.id, amount, slippage: SLIPPAGE }] }
  })
}

function randomOutputs(random: Random, count: number): RequestSet['markets'] {
  return Array.from({ length: count }, () => {
    const market = randomMarket(random.integer(1, 2 ** 31), 6, 14, 0)
    const [input, output] = market.tokens as [(typeof market.tokens)[0], (typeof market.tokens)[0]]
    const request = {
      exact: 'out' as const,
      input: input.id,
      output: output.id,
      amount: amountOf(market.random, output),
    }
    return { ...market, requests: [{ ...request, paths: true }, request] }
  })
}

function shapes(random: Random, count: number, withBooks: boolean): RequestSet['markets'] {
  return Array.from({ length: count }, () => {
    const { pools, books, ...request } = shapedMarket(random.integer(1, 2 ** 31), withBooks)
    return { pools, books, requests: [request] }
  })
}
