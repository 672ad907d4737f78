// Pools and order-book markets as JSON, cached until something in them changes; most are the same from block to block.
// Members that do not depend on the window are shared by all windows.
import { VersionedCache } from '../../core/cache.ts'
import { later, poolMark, tokenMark } from '../live-market/marks.ts'
import type { LiveBook, LivePool, MarketState } from '../live-market/model.ts'
import { usdNumber } from '../live-market/rolling.ts'
import type { WindowName } from './chart.ts'
import { type Facts, NO_FACTS, ROLLING } from './facts.ts'
import { orderDepth, pairHead } from './pair-item.ts'
import { type PoolOptions, poolApr, poolHead, poolIncentives } from './pool-item.ts'

/** JSON of the members before the window's, with the object's opening brace, and of the members after the window's. */
type Parts = readonly [head: string, middle: string]

class Item {
  readonly parts: Parts
  private readonly whole = new Map<string, Buffer>()

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** @param form  cache key for the result of `make` */
  of(form: string, make: (parts: Parts) => string): Buffer {
    let bytes = this.whole.get(form)
    if (bytes === undefined) this.whole.set(form, (bytes = Buffer.from(make(this.parts))))
    return bytes
  }
}

const pools = new VersionedCache<LivePool, Item>()
const pairs = new VersionedCache<LiveBook, Item>()

export function poolJson(
  state: MarketState,
  facts: Pick<Facts, 'incentives'>,
  window: WindowName,
  pool: LivePool,
  options: PoolOptions,
): Buffer {
  const { incentives, tx = false } = options
  const { usd, trades, withoutUsd } = pool.volumes[ROLLING[window]]
  const json = ([head, fees]: Parts, apr = fees, farms = '') =>
    `${head},"volume":{"usd":${usdNumber(usd)},"withoutUsd":${withoutUsd}},"apr":${apr}${tx ? `,"tx":{"swaps":${trades}}` : ''}${farms}}`
  const item = poolItem(state, pool)
  if (incentives === undefined) return item.of(tx ? `${window} tx` : window, json)
  // Farms end with time, which is no change of their pool.
  const apr = JSON.stringify(poolApr(state, facts, pool, options))
  const farms = JSON.stringify(poolIncentives(state, facts, pool, incentives))
  return Buffer.from(json(item.parts, apr, `,"incentives":${farms}`))
}

/** The cached parts of a pool, without what depends on the request. */
export function poolItem(state: MarketState, pool: LivePool): Item {
  return pools.get(pool, poolMark(state, pool).id, '', () => {
    const apr = poolApr(state, NO_FACTS, pool, {})
    return new Item([JSON.stringify(poolHead(state, pool)).slice(0, -1), JSON.stringify(apr)])
  })
}

export function pairJson(state: MarketState, window: WindowName, book: LiveBook): Buffer {
  const since = later(book.changed, tokenMark(state, book.target.id))
  const item = pairs.get(book, since.id, '', () => {
    const head = JSON.stringify(pairHead(book)).slice(0, -1)
    return new Item([head, JSON.stringify(orderDepth(state, book))])
  })
  return item.of(window, ([head, orders]) => {
    const { usd, trades, withoutUsd } = book.volumes[ROLLING[window]]
    return `${head},"volume":{"usd":${usdNumber(usd)},"withoutUsd":${withoutUsd}},"orders":${orders},"tx":{"matches":${trades}}}`
  })
}
