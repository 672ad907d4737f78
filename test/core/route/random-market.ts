// Random pools and books around fair prices, for tests and benchmarks of the router.
import { MAX_TICK, sqrtPriceAtTick, tickAtSqrtPrice } from '../../../core/amm/ticks.ts'
import { type BookOrder, byPriority, unitPrice } from '../../../core/book/order.ts'
import type { RouteBook, RoutePool, RouteToken } from '../../../core/route/model.ts'
import { Router } from '../../../core/route/router.ts'
import { Random } from '../../support/random.ts'

export interface PricedToken extends RouteToken {
  /** Worth of one raw unit. */
  worth: number
}

const SPACINGS = [
  [500, 10],
  [3000, 60],
  [10000, 200],
] as const

export function randomToken(random: Random, index: number): PricedToken {
  const decimals = random.integer(4, 8)
  return { id: `t${index}-contract`, decimals, worth: 10 ** (random.next() * 3 - 1 - decimals) }
}

/** @param value  about what the pool's sides are worth together */
export function randomPool(random: Random, id: number, a: PricedToken, b: PricedToken, value: number): RoutePool {
  const [fee, tickSpacing] = random.pick(SPACINGS)
  const price = (a.worth / b.worth) * (1 + (random.next() - 0.5) * 0.02)
  const sqrtPriceX64 = BigInt(Math.floor(Math.sqrt(price) * 2 ** 32)) << 32n
  const tick = tickAtSqrtPrice(sqrtPriceX64)
  const nets = new Map<number, bigint>()
  let liquidity = 0n
  const positions = random.integer(1, 12)
  for (let i = 0; i < positions; i++) {
    const isFull = i === 0 || random.chance(0.1)
    const width = isFull ? MAX_TICK : random.integer(1, 400) * tickSpacing
    const middle = isFull ? 0 : tick + random.integer(-5, 5) * tickSpacing * 4
    const lower = Math.ceil(Math.max(middle - width, -MAX_TICK) / tickSpacing) * tickSpacing
    const upper = Math.floor(Math.min(middle + width, MAX_TICK) / tickSpacing) * tickSpacing
    const rootB = Number(sqrtPriceX64) / 2 ** 64
    const amountB = value / positions / 2 / b.worth
    const span = isFull ? rootB : Math.max(rootB - Number(sqrtPriceAtTick(lower)) / 2 ** 64, rootB * 0.001)
    const size = BigInt(Math.max(1, Math.floor(amountB / span)))
    nets.set(lower, (nets.get(lower) ?? 0n) + size)
    nets.set(upper, (nets.get(upper) ?? 0n) - size)
    if (lower <= tick && tick < upper) liquidity += size
  }
  return {
    id,
    active: true,
    a: { id: a.id, decimals: a.decimals },
    b: { id: b.id, decimals: b.decimals },
    fee,
    feeProtocol: random.pick([0, 4, 10]),
    tickSpacing,
    sqrtPriceX64,
    tick,
    liquidity,
    feeGrowthGlobalAX64: 0n,
    feeGrowthGlobalBX64: 0n,
    ticks: new Map([...nets].filter(([, net]) => net !== 0n).map(([at, net]) => [at, { id: at, liquidityNet: net }])),
  }
}

/** @param value  about what each side's orders are worth together */
export function randomBook(
  random: Random,
  id: number,
  base: PricedToken,
  target: PricedToken,
  value: number,
  orders = random.integer(0, 12),
): RouteBook {
  const fair = base.worth / target.worth
  const side = (kind: 'buy' | 'sell'): BookOrder[] =>
    Array.from({ length: orders }, (_, i) => {
      const distance = random.next() * 0.05 - 0.004
      const price = fair * (kind === 'sell' ? 1 + distance : 1 - distance)
      const amount = Math.max(1, Math.floor(((value / orders) * (0.2 + random.next())) / base.worth))
      const cost = BigInt(Math.max(1, Math.floor(amount * price)))
      const offer = kind === 'sell' ? { bid: BigInt(amount), ask: cost } : { bid: cost, ask: BigInt(amount) }
      const account = `maker${random.integer(1, 9)}`
      return { id: BigInt(i), account, ...offer, unitPrice: unitPrice(kind, offer, target.decimals, base.decimals) }
    }).sort(byPriority)
  return {
    id,
    base: { id: base.id, decimals: base.decimals },
    target: { id: target.id, decimals: target.decimals },
    minBuy: BigInt(random.integer(0, 2000)),
    minBuyDecimals: target.decimals,
    minSell: BigInt(random.integer(0, 2000)),
    minSellDecimals: base.decimals,
    frozen: false,
    fee: random.pick([0, 20, 35]),
    bids: side('buy'),
    asks: side('sell'),
  }
}

export interface Market {
  random: Random
  tokens: PricedToken[]
  pools: RoutePool[]
  books: RouteBook[]
  /** Knows all of them. */
  router: Router
}

/** Pools and books between random pairs of a few tokens, worth 10 to 100,000 each. */
export function randomMarket(seed: number, tokenCount: number, poolCount: number, bookCount: number): Market {
  const random = new Random(seed)
  const tokens = Array.from({ length: tokenCount }, (_, i) => randomToken(random, i))
  const pair = (): [PricedToken, PricedToken] => {
    const first = random.integer(0, tokenCount - 1)
    const second = (first + random.integer(1, tokenCount - 1)) % tokenCount
    return [tokens[first] as PricedToken, tokens[second] as PricedToken]
  }
  const value = () => 10 ** (1 + random.next() * 4)
  const pools = Array.from({ length: poolCount }, (_, id) => randomPool(random, id, ...pair(), value()))
  const books = Array.from({ length: bookCount }, (_, id) => randomBook(random, id, ...pair(), value()))
  const router = new Router()
  for (const pool of pools) router.putPool(pool)
  for (const book of books) router.putBook(book)
  return { random, tokens, pools, books, router }
}

/** Raw units of a token that are worth between 0.1 and 10,000. */
export function amountOf(random: Random, token: PricedToken): bigint {
  return BigInt(Math.max(1, Math.floor(10 ** (random.next() * 5 - 1) / token.worth)))
}
