// Pools as the market API shows them.
import { priceOfA } from '../../core/amm/price.ts'
import { decimalText } from '../exchange/numbers.ts'
import type { BlockMark, LivePool, MarketState } from '../market/model.ts'
import type { MarketPrices } from '../market/pricing.ts'
import { percentText } from '../route/texts.ts'
import { significant } from './digits.ts'
import { tokenObjectText } from './token.ts'
import { worthOfBoth } from './values.ts'

/** Pool fees are hundredths of a basis point: 10,000 are one percent. */
const FEE_DECIMALS = 4

/** A pool's JSON, and the blocks of the last changes of all that it follows from. */
interface Kept {
  pool: BlockMark
  tokenA: BlockMark | undefined
  tokenB: BlockMark | undefined
  everything: BlockMark
  text: string
}

/** Texts of the pools of a market, by their ids. */
const markets = new WeakMap<MarketState, Map<number, Kept>>()

/** A pool's JSON, made again only when the pool, a price of its tokens or what concerns all prices has changed. */
export function poolText(state: MarketState, pool: LivePool): string {
  let texts = markets.get(state)
  if (texts === undefined) markets.set(state, (texts = new Map()))
  const { tokens, everything } = state.changed
  const [tokenA, tokenB] = [tokens.get(pool.a.id), tokens.get(pool.b.id)]
  const kept = texts.get(pool.id)
  // The blocks themselves and not the latest of them: a fork can put an older one in the place of a later one.
  if (kept?.pool === pool.changed && kept.tokenA === tokenA && kept.tokenB === tokenB && kept.everything === everything)
    return kept.text
  const text = textOf(state.prices, pool)
  if (kept === undefined) texts.set(pool.id, { pool: pool.changed, tokenA, tokenB, everything, text })
  else Object.assign(kept, { pool: pool.changed, tokenA, tokenB, everything, text })
  return text
}

/** Written by hand, because a block may change thousands: but for its tokens a pool holds nothing to escape. */
function textOf(prices: MarketPrices, pool: LivePool): string {
  const { id, a, b, fee, tickSpacing, active, sqrtPriceX64, tick, liquidity, reserveA, reserveB } = pool
  const { system, usd } = worthOfBoth(prices, [a.id, reserveA], [b.id, reserveB])
  const price = significant(priceOfA(sqrtPriceX64, a.decimals, b.decimals))
  const tokens = `"tokenA":${tokenObjectText(a)},"tokenB":${tokenObjectText(b)}`
  const setting = `"fee":"${percentText(fee, FEE_DECIMALS)}","tickSpacing":${tickSpacing},"active":${active}`
  const place = `"price":"${price}","sqrtPriceX64":"${sqrtPriceX64}","tick":${tick},"liquidity":"${liquidity}"`
  const held = `"reserveA":"${decimalText(reserveA, a.decimals)}","reserveB":"${decimalText(reserveB, b.decimals)}"`
  return `{"id":${id},${tokens},${setting},${place},${held},"tvl":${quoted(system)},"tvlUsd":${quoted(usd)}}`
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}
