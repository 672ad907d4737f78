// Pools and order-book markets as JSON, kept until something in them changes: most are the same from block to block.
import { Kept } from '../exchange/kept.ts'
import { later, poolMark, tokenMark } from '../market/marks.ts'
import type { LiveBook, LivePool, MarketState } from '../market/model.ts'
import { Json } from './answer.ts'
import type { WindowName } from './chart.ts'
import type { Facts } from './facts.ts'
import { pairItem } from './pair-item.ts'
import { type PoolOptions, poolItem } from './pool-item.ts'

const pools = new Map<string, Kept<LivePool, Json>>()
const pairs = new Map<string, Kept<LiveBook, Json>>()

function keptAs<Item extends object>(all: Map<string, Kept<Item, Json>>, form: string): Kept<Item, Json> {
  let kept = all.get(form)
  if (kept === undefined) all.set(form, (kept = new Kept()))
  return kept
}

export function poolJson(
  state: MarketState,
  facts: Facts,
  window: WindowName,
  pool: LivePool,
  options: PoolOptions,
): Json {
  const make = () => Json.of(poolItem(state, facts, pool, options))
  // Farms end with time, and change without their pool.
  if (options.incentives !== undefined) return make()
  return keptAs(pools, `${window} ${options.tx === true}`).of(pool, poolMark(state, pool), '', make)
}

export function pairJson(state: MarketState, facts: Facts, window: WindowName, book: LiveBook): Json {
  const since = later(book.changed, tokenMark(state, book.target.id))
  return keptAs(pairs, window).of(book, since, '', () => Json.of(pairItem(state, facts, book)))
}
