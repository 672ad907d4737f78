// Depth of a pair: how much can be traded before the average price has fallen by so many percent.
import type { Route } from './model.ts'
import type { Router } from './router.ts'

export interface DepthRequest {
  /** Token ids. */
  input: string
  output: string
  /** Percent below the reference, each above 0 and at most 100. */
  impacts: readonly number[]
  /** Raw units of output per raw unit of input, fees not included (the pair's mid); null to use a small trade. */
  mid: number | null
  /** As for a route; both count in what a transfer over a second venue may spend. */
  slippage?: Parameters<Router['exactIn']>[0]['slippage']
  books?: boolean
}

export interface DepthLevel {
  impact: number
  /** The largest input found, raw units; null when even a small trade is worse. */
  input: bigint | null
  output: bigint | null
}

export interface Depth {
  /** Raw units of output per raw unit of input; null when there is no route at all. */
  reference: number | null
  referenceKind: 'mid' | 'smallTrade'
  /** In the order asked. */
  levels: DepthLevel[]
}

/** Largest amount that the router takes. */
const LIMIT = 1n << 62n
/** The answer is at most this factor below the largest input. */
const ACCURACY = 1.005

/**
 * For each level the largest input, to about one percent, whose average price, fees included, is at most that many
 * percent below the reference.
 */
export function depthOf(router: Router, request: DepthRequest): Depth {
  const { impacts, mid } = request
  const quote = (amount: bigint) => router.exactIn({ ...request, amount })
  const small = smallTrade(quote)
  const referenceKind = mid === null ? 'smallTrade' : 'mid'
  const reference = small === null ? null : (mid ?? priceOf(small))
  const levels = impacts.map((impact): DepthLevel => {
    const none = { impact, input: null, output: null }
    if (small === null || reference === null) return none
    const best = largest(quote, small, reference * (1 - impact / 100))
    return best === null ? none : { impact, input: best.input, output: best.output }
  })
  return { reference, referenceKind, levels }
}

type Quote = (amount: bigint) => Route | null

function priceOf(route: Route): number {
  return Number(route.output) / Number(route.input)
}

/** The smallest power of ten whose output has enough digits for a price. */
function smallTrade(quote: Quote): Route | null {
  let found: Route | null = null
  for (let amount = 1n; amount < LIMIT; amount *= 10n) {
    const route = quote(amount)
    if (route !== null) found = route
    else if (found !== null) return found
    if (route !== null && route.output >= 10_000n && amount >= 10_000n) return route
  }
  return found
}

function largest(quote: Quote, small: Route, least: number): Route | null {
  if (priceOf(small) < least) return null
  let good = small
  let bad: number = Number(LIMIT)
  let step = 16
  while (bad / Number(good.input) > ACCURACY) {
    const from = Number(good.input)
    const next = bad === Number(LIMIT) ? from * step : Math.sqrt(from * bad)
    const amount = BigInt(Math.floor(Math.min(next, bad)))
    if (amount <= good.input || amount >= LIMIT) break
    const route = quote(amount)
    if (route !== null && priceOf(route) >= least) good = route
    else {
      bad = Number(amount)
      step = 2
    }
  }
  return good
}
