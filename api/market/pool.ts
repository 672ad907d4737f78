// Pools as the market API shows them.
import { priceOfA } from '../../core/amm/price.ts'
import { nearText, significant } from '../kit/digits.ts'
import { decimalText } from '../kit/numbers.ts'
import { percentText } from '../kit/texts.ts'
import { tokenObjectText } from '../kit/token-object.ts'
import { worthOfBoth } from '../kit/values.ts'
import type { BlockMark, LivePool, MarketState } from '../live-market/model.ts'
import type { MarketPrices } from '../live-market/pricing.ts'

/** Pool fees are hundredths of a basis point: 10,000 are one percent. */
const FEE_DECIMALS = 4
const ROOT_ONE = 2 ** 64

/** The part of a pool's JSON that seldom changes, with its inputs. */
interface Setting extends Pick<LivePool, 'a' | 'b' | 'fee' | 'tickSpacing'> {
  text: string
}

/** A pool's cached JSON, with the blocks of the last changes of its inputs. */
interface CachedPool {
  setting: Setting
  pool: BlockMark
  tokenA: BlockMark | undefined
  tokenB: BlockMark | undefined
  everything: BlockMark
  text: string
}

/** Cached texts of the pools of each market, by pool id. */
const markets = new WeakMap<MarketState, Map<number, CachedPool>>()

/** JSON of a pool, cached until the pool, a price of its tokens or an input of all prices changes. */
export function poolText(state: MarketState, pool: LivePool): string {
  let texts = markets.get(state)
  if (texts === undefined) markets.set(state, (texts = new Map()))
  const { tokens, everything } = state.changed
  const tokenA = tokens.get(pool.a.id)
  const tokenB = tokens.get(pool.b.id)
  const cached = texts.get(pool.id)
  // Compares all blocks, not only the latest: a fork can replace a later block with an earlier one.
  if (
    cached?.pool === pool.changed &&
    cached.tokenA === tokenA &&
    cached.tokenB === tokenB &&
    cached.everything === everything
  )
    return cached.text
  const setting = cached !== undefined && isSetting(cached.setting, pool) ? cached.setting : settingOf(pool)
  const text = textOf(state.prices, setting, pool)
  texts.set(pool.id, { setting, pool: pool.changed, tokenA, tokenB, everything, text })
  return text
}

function isSetting(setting: Setting, { a, b, fee, tickSpacing }: LivePool): boolean {
  return setting.a === a && setting.b === b && setting.fee === fee && setting.tickSpacing === tickSpacing
}

function settingOf({ id, a, b, fee, tickSpacing }: LivePool): Setting {
  const tokens = `"tokenA":${tokenObjectText(a)},"tokenB":${tokenObjectText(b)}`
  const text = `"id":${id},${tokens},"fee":"${percentText(fee, FEE_DECIMALS)}","tickSpacing":${tickSpacing}`
  return { a, b, fee, tickSpacing, text }
}

/** Built by hand for speed, because a block may change thousands of pools. Only token names need escaping. */
function textOf(prices: MarketPrices, setting: Setting, pool: LivePool): string {
  const { a, b, active, sqrtPriceX64, tick, liquidity, reserveA, reserveB } = pool
  const { system, usd } = worthOfBoth(prices, a.id, reserveA, b.id, reserveB)
  const root = Number(sqrtPriceX64) / ROOT_ONE
  const near = root * root * 10 ** (a.decimals - b.decimals)
  const price = nearText(near) ?? significant(priceOfA(sqrtPriceX64, a.decimals, b.decimals))
  const place = `"price":"${price}","sqrtPriceX64":"${sqrtPriceX64}","tick":${tick},"liquidity":"${liquidity}"`
  const held = `"reserveA":"${decimalText(reserveA, a.decimals)}","reserveB":"${decimalText(reserveB, b.decimals)}"`
  return `{${setting.text},"active":${active},${place},${held},"tvl":${quoted(system)},"tvlUsd":${quoted(usd)}}`
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}
