// Pools as the market API shows them.
import { priceOfA } from '../../core/amm/price.ts'
import { Kept } from '../exchange/kept.ts'
import { decimalText } from '../exchange/numbers.ts'
import type { LivePool, MarketState } from '../market/model.ts'
import { percentText } from '../route/texts.ts'
import { significant } from './digits.ts'
import { type TokenObject, tokenObject, tokenObjectText } from './token.ts'
import { worthOfBoth } from './values.ts'

export interface PoolAnswer {
  id: number
  tokenA: TokenObject
  tokenB: TokenObject
  fee: string
  tickSpacing: number
  active: boolean
  price: string
  sqrtPriceX64: string
  tick: number
  liquidity: string
  reserveA: string
  reserveB: string
  tvl: string | null
  tvlUsd: string | null
}

/** Pool fees are hundredths of a basis point: 10,000 are one percent. */
const FEE_DECIMALS = 4

export function poolAnswer({ prices }: MarketState, pool: LivePool): PoolAnswer {
  const { id, a, b, fee, tickSpacing, active, sqrtPriceX64, tick, liquidity, reserveA, reserveB } = pool
  const { system: tvl, usd: tvlUsd } = worthOfBoth(prices, [a.id, reserveA], [b.id, reserveB])
  return {
    id,
    tokenA: tokenObject(a),
    tokenB: tokenObject(b),
    fee: percentText(fee, FEE_DECIMALS),
    tickSpacing,
    active,
    price: significant(priceOfA(sqrtPriceX64, a.decimals, b.decimals)),
    sqrtPriceX64: sqrtPriceX64.toString(),
    tick,
    liquidity: liquidity.toString(),
    reserveA: decimalText(reserveA, a.decimals),
    reserveB: decimalText(reserveB, b.decimals),
    tvl,
    tvlUsd,
  }
}

/** A pool object belongs to one chain. */
const texts = new Kept<LivePool, string>()

/** A pool's JSON, made again only when the pool, a price of its tokens or what concerns all prices has changed. */
export function poolText(state: MarketState, pool: LivePool): string {
  const { tokens, everything } = state.changed
  // The blocks themselves and not the latest of them: a fork can put an older one in the place of a later one.
  const marks = `${tokens.get(pool.a.id)?.id} ${tokens.get(pool.b.id)?.id} ${everything.id}`
  return texts.of(pool, pool.changed, marks, () => textOf(poolAnswer(state, pool), pool))
}

/** Written by hand, because a block may change thousands: but for its tokens a pool holds nothing to escape. */
function textOf(answer: PoolAnswer, { a, b }: LivePool): string {
  const { id, fee, tickSpacing, active, price, sqrtPriceX64, tick, liquidity, reserveA, reserveB, tvl, tvlUsd } = answer
  const tokens = `"tokenA":${tokenObjectText(a)},"tokenB":${tokenObjectText(b)}`
  const setting = `"fee":"${fee}","tickSpacing":${tickSpacing},"active":${active},"price":"${price}"`
  const place = `"sqrtPriceX64":"${sqrtPriceX64}","tick":${tick},"liquidity":"${liquidity}"`
  const held = `"reserveA":"${reserveA}","reserveB":"${reserveB}","tvl":${quoted(tvl)},"tvlUsd":${quoted(tvlUsd)}`
  return `{"id":${id},${tokens},${setting},${place},${held}}`
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `"${text}"`
}
