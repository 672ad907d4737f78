// Depth of a pair: how much can be traded before the average price has fallen by so many percent.
import { DepthSearch, type Trade } from './depth-search.ts'
import { guaranteedShare } from './quote.ts'
import { startPrice } from './rounding.ts'
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

/** A small trade that loses more than this share shows less of the price than the start of its route. */
const SMALL_LOSS = 2e-4

/**
 * For each level the largest input, to about one percent, whose average price, fees included, is at most that many
 * percent below the reference.
 */
export function depthOf(router: Router, request: DepthRequest): Depth {
  const steps = depthSteps(router, request)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * The same search, one quote a step, so that a caller can do other work in between. The router must not change before
 * the end; if it does, start again.
 */
export function* depthSteps(router: Router, request: DepthRequest): Generator<void, Depth> {
  const { impacts, mid, slippage } = request
  const search = new DepthSearch((amount) => router.exactIn({ ...request, amount }))
  const trades = yield* search.smallTrades()
  const referenceKind = mid === null ? 'smallTrade' : 'mid'
  const kept = slippage === undefined ? 1 : guaranteedShare(slippage)
  const reference = trades.length === 0 ? null : (mid ?? smallPrice(trades, kept))
  if (reference !== null) yield* search.spread(reference * (1 - Math.max(...impacts) / 100))
  const levels: DepthLevel[] = []
  for (const impact of impacts) {
    const best = reference === null ? null : yield* search.largest(reference * (1 - impact / 100))
    levels.push({ impact, input: best?.input ?? null, output: best?.output ?? null })
  }
  return { reference, referenceKind, levels }
}

/** Price of a small trade: of the one that loses least of its start price to its own size and to rounding. */
function smallPrice(trades: readonly Trade[], kept: number): number {
  const starts = trades.map(({ price, route }) => Math.max(price, startPrice(route, kept)))
  const losses = trades.map(({ price }, i) => 1 - price / (starts[i] as number))
  const least = Math.min(...losses)
  const at = losses.indexOf(least)
  return least <= SMALL_LOSS ? (trades[at] as Trade).price : (starts[at] as number)
}
