// The v2 endpoint's answer: one transfer of the input token for each part of the route.
import { itemAt, required } from '../../core/required.ts'
import type { Route, RoutePart } from '../../core/route/model.ts'
import { amountText, impactText } from '../kit/texts.ts'
import { tokenReference } from '../kit/token-reference.ts'
import type { LivePool, MarketState } from '../live-market/model.ts'
import { assetText, swapMemo } from './memo.ts'
import type { V2Request } from './v2-request.ts'

export function v2Answer(state: MarketState, route: Route, { trade, receiver, includePoolDetails }: V2Request) {
  const { input, output } = trade
  const swaps = route.parts.map((part) => {
    const pools = poolIds(part)
    return {
      input: assetText(part.input, input),
      output: assetText(part.output, output),
      percent: part.percent,
      route: pools,
      memo: swapMemo(route.exact, pools, receiver, part.minReceived, output),
      minReceived: amountText(part.minReceived, output),
      maxSent: amountText(part.maxSent, input),
    }
  })
  const first = itemAt(swaps, 0)
  return {
    swaps,
    input: amountText(route.input, input),
    output: amountText(route.output, output),
    minReceived: amountText(route.minReceived, output),
    maxSent: amountText(route.maxSent, input),
    priceImpact: impactText(route.priceImpact),
    executionPrice: { numerator: route.output.toString(), denominator: route.input.toString() },
    route: first.route,
    memo: first.memo,
    ...(includePoolDetails ? { pools: poolDetails(state, route) } : {}),
  }
}

/** A v2 route uses pools only. */
function poolIds({ hops }: RoutePart): number[] {
  return hops.map(({ pool }) => required(pool, 'pool in a hop').id)
}

function poolDetails({ pools }: MarketState, { parts }: Route) {
  const details = ({ fee, a, b, reserveA, reserveB }: LivePool) => ({
    fee,
    tokenA: tokenReference(a, reserveA),
    tokenB: tokenReference(b, reserveB),
  })
  return Object.fromEntries(
    parts.flatMap(poolIds).map((id) => [String(id), details(required(pools.get(id), `pool ${id}`))]),
  )
}
