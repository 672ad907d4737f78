// Pools and order-book markets as JSON. What does not depend on the window is kept until something in them changes: most
// are the same from block to block, and all windows share it.
import { Kept } from '../exchange/kept.ts'
import { later, poolMark, tokenMark } from '../market/marks.ts'
import type { LiveBook, LivePool, MarketState } from '../market/model.ts'
import { usdNumber } from '../market/rolling.ts'
import { Json } from './answer.ts'
import type { WindowName } from './chart.ts'
import { type Facts, NO_FACTS, ROLLING } from './facts.ts'
import { orderDepth, pairHead } from './pair-item.ts'
import { type PoolOptions, poolApr, poolHead, poolIncentives } from './pool-item.ts'

/** The members before those of the window, the object open, and the one between them. */
type Parts = readonly [head: string, middle: string]

const pools = new Kept<LivePool, Parts>()
const pairs = new Kept<LiveBook, Parts>()

export function poolJson(
  state: MarketState,
  facts: Facts,
  window: WindowName,
  pool: LivePool,
  options: PoolOptions,
): Json {
  const { incentives } = options
  const [head, fees] = poolParts(state, pool)
  const { usd, trades } = pool.volumes[ROLLING[window]]
  // Farms end with time, and change without their pool.
  const apr = incentives === undefined ? fees : JSON.stringify(poolApr(state, facts, pool, options))
  const tx = options.tx === true ? `,"tx":{"swaps":${trades}}` : ''
  const farms =
    incentives === undefined ? '' : `,"incentives":${JSON.stringify(poolIncentives(state, facts, pool, incentives))}`
  return new Json(`${head},"volume":{"usd":${usdNumber(usd)}},"apr":${apr}${tx}${farms}}`)
}

/** Has at hand what is said of a pool whatever is asked. */
export function poolParts(state: MarketState, pool: LivePool): Parts {
  return pools.of(pool, poolMark(state, pool), '', () => {
    const apr = poolApr(state, NO_FACTS, pool, {})
    return [JSON.stringify(poolHead(state, pool)).slice(0, -1), JSON.stringify(apr)]
  })
}

export function pairJson(state: MarketState, window: WindowName, book: LiveBook): Json {
  const since = later(book.changed, tokenMark(state, book.target.id))
  const [head, orders] = pairs.of(book, since, '', () => [
    JSON.stringify(pairHead(book)).slice(0, -1),
    JSON.stringify(orderDepth(state, book)),
  ])
  const { usd, trades } = book.volumes[ROLLING[window]]
  return new Json(`${head},"volume":{"usd":${usdNumber(usd)}},"orders":${orders},"tx":{"matches":${trades}}}`)
}
