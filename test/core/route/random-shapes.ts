// Random markets of other shapes than those of random-market.ts: parallel pools of several fees, chains of three hops,
// stars, diamonds; tokens of 0 to 12 decimals; pools that are nearly empty, out of range, or full of ticks; books with few
// orders and with least orders near the size of the trade.
import type { Ratio } from '../../../core/amm/price.ts'
import { MAX_TICK, sqrtPriceAtTick, tickAtSqrtPrice } from '../../../core/amm/ticks.ts'
import { type BookOrder, byPriority, unitPrice } from '../../../core/book/order.ts'
import type { RouteBook, RoutePool } from '../../../core/route/model.ts'
import { Router } from '../../../core/route/router.ts'
import { Random } from '../../support/random.ts'
import type { PricedToken } from './random-market.ts'

const SPACINGS = [
  [100, 20],
  [500, 10],
  [3000, 60],
  [10000, 200],
] as const
const KINDS = ['full', 'full', 'mixed', 'narrow', 'many', 'gappy'] as const
const SHAPES = ['parallel', 'chain', 'star', 'dense', 'diamond'] as const
const DECIMALS = [
  [0, 2],
  [2, 4],
  [4, 8],
  [6, 12],
  [0, 12],
] as const
const SLIPPAGES: readonly Ratio[] = [
  { numerator: 0n, denominator: 1n },
  { numerator: 3n, denominator: 1000n },
  { numerator: 1n, denominator: 100n },
]

export interface ShapedMarket {
  pools: RoutePool[]
  books: RouteBook[]
  router: Router
  input: string
  output: string
  amount: bigint
  slippage: Ratio
}

/** A number between two others, spread evenly over its logarithm. */
function spread(random: Random, low: number, high: number): number {
  return low * (high / low) ** random.next()
}

/** Positions as lower tick, upper tick and value. */
function* positions(random: Random, tick: number, spacing: number, value: number): Generator<[number, number, number]> {
  switch (random.pick(KINDS)) {
    case 'full':
      yield [-MAX_TICK, MAX_TICK, value]
      return
    case 'narrow': {
      const width = random.integer(1, 5) * spacing
      yield [tick - width, tick + width + spacing, value]
      return
    }
    case 'many':
      for (let k = random.integer(30, 120); k > 0; k--) {
        const middle = tick + random.integer(-60, 60) * spacing
        const width = random.integer(1, 20) * spacing
        yield [middle - width, middle + width, value / 60]
      }
      return
    case 'gappy':
      for (let k = random.integer(2, 6); k > 0; k--) {
        const lower = tick + random.integer(-80, 80) * spacing
        yield [lower, lower + random.integer(1, 10) * spacing, value / 4]
      }
      return
    default:
      yield [-MAX_TICK, MAX_TICK, value * spread(random, 0.01, 0.5)]
      for (let k = random.integer(1, 8); k > 0; k--) {
        const width = random.integer(1, 300) * spacing
        yield [tick - width + random.integer(-20, 20) * spacing, tick + width, value / 5]
      }
  }
}

/** @param value  of token B, about, @param off  by what share the price may be off */
function shapedPool(
  random: Random,
  id: number,
  [a, b]: readonly [PricedToken, PricedToken],
  value: number,
  off: number,
) {
  const [fee, tickSpacing] = random.pick(SPACINGS)
  const price = (a.worth / b.worth) * (1 + (random.next() - 0.5) * 2 * off)
  const sqrtPriceX64 = BigInt(Math.max(1, Math.floor(Math.sqrt(price) * 2 ** 40))) << 24n
  const tick = tickAtSqrtPrice(sqrtPriceX64)
  const root = Number(sqrtPriceX64) / 2 ** 64
  const nets = new Map<number, bigint>()
  let liquidity = 0n
  for (const [from, to, worth] of positions(random, tick, tickSpacing, value)) {
    const lower = Math.ceil(Math.max(from, -MAX_TICK) / tickSpacing) * tickSpacing
    const upper = Math.floor(Math.min(to, MAX_TICK) / tickSpacing) * tickSpacing
    if (upper <= lower) continue
    const [low, high] = [Number(sqrtPriceAtTick(lower)) / 2 ** 64, Number(sqrtPriceAtTick(upper)) / 2 ** 64]
    const unit =
      upper <= tick
        ? high - low
        : lower > tick
          ? (1 / low - 1 / high) * price
          : root - low + (1 / root - 1 / high) * price
    const size = BigInt(Math.floor(Math.min(worth / unit, 1e18)))
    if (size <= 0n) continue
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

/** @param value  of a side, about, @param trade  worth of the trade that is to come */
function shapedBook(
  random: Random,
  id: number,
  [base, target]: readonly [PricedToken, PricedToken],
  value: number,
  trade: number,
): RouteBook {
  const fair = (base.worth / target.worth) * (1 + (random.next() - 0.5) * 0.04)
  const orders = random.pick([1, 2, 3, 5, 10, 30])
  const steepness = random.pick([0.002, 0.02, 0.2])
  const side = (kind: 'buy' | 'sell'): BookOrder[] =>
    Array.from({ length: orders }, (_, i) => {
      const distance = ((i + random.next()) / orders) * steepness
      const price = fair * (kind === 'sell' ? 1 + distance : 1 - distance)
      const amount = Math.max(1, Math.floor(((value / orders) * spread(random, 0.1, 2)) / base.worth))
      const cost = BigInt(Math.max(1, Math.floor(amount * price)))
      const offer = kind === 'sell' ? { bid: BigInt(amount), ask: cost } : { bid: cost, ask: BigInt(amount) }
      const price8 = unitPrice(kind, offer, target.decimals, base.decimals)
      return { id: BigInt(i), account: `maker${i % 4}`, ...offer, unitPrice: price8 }
    }).sort(byPriority)
  const least = ({ worth }: PricedToken) =>
    BigInt(Math.floor(random.chance(0.5) ? random.next() * 10 : (trade / worth) * spread(random, 0.005, 0.7)))
  return {
    id,
    base: { id: base.id, decimals: base.decimals },
    target: { id: target.id, decimals: target.decimals },
    minBuy: least(target),
    minBuyDecimals: target.decimals,
    minSell: least(base),
    minSellDecimals: base.decimals,
    frozen: false,
    fee: random.pick([0, 10, 20, 50]),
    bids: side('buy'),
    asks: side('sell'),
  }
}

/** Pairs of tokens that are to be joined; from token 0 to token 1 leads the trade. */
function pairsOf(random: Random, shape: (typeof SHAPES)[number], tokens: number): [number, number][] {
  const pairs: [number, number][] = []
  const join = (a: number, b: number, most: number, chance = 1) => {
    if (!random.chance(chance)) return
    for (let k = random.integer(1, most); k > 0; k--) pairs.push(random.chance(0.5) ? [a, b] : [b, a])
  }
  if (shape === 'parallel') {
    join(0, 1, 6)
    if (tokens > 2)
      for (const [a, b] of [
        [0, 2],
        [2, 1],
      ] as const)
        join(a, b, 3)
  } else if (shape === 'chain') {
    for (const [a, b] of [
      [0, 2],
      [2, 3],
      [3, 1],
    ] as const)
      join(a, b, 3)
    join(0, 1, 1, 0.3)
  } else if (shape === 'star') {
    for (let hub = 2; hub < tokens; hub++)
      for (const [a, b] of [
        [0, hub],
        [hub, 1],
      ] as const)
        join(a, b, 2)
  } else if (shape === 'dense') {
    for (let a = 0; a < tokens; a++) for (let b = a + 1; b < tokens; b++) join(a, b, 2, 0.7)
  } else {
    for (const [a, b] of [
      [0, 2],
      [0, 3],
      [2, 1],
      [3, 1],
    ] as const)
      join(a, b, 1)
    join(2, 3, 2)
    join(0, 1, 1, 0.5)
  }
  return pairs
}

export function shapedMarket(seed: number, withBooks: boolean): ShapedMarket {
  const random = new Random(seed)
  const shape = random.pick(SHAPES)
  const [least, most] = random.pick(DECIMALS)
  const many = { parallel: [2, 3], chain: [4, 4], star: [4, 7], dense: [4, 5], diamond: [4, 4] }[shape]
  const tokens = Array.from({ length: random.integer(...(many as [number, number])) }, (_, i): PricedToken => {
    const decimals = random.integer(least, most)
    return { id: `t${i}-contract`, decimals, worth: spread(random, 0.01, 100) / 10 ** decimals }
  })
  const trade = spread(random, 0.1, 20_000)
  const off = random.pick([0, 0.003, 0.02, 0.2])
  const scale = random.pick([1, 1, 0.1, 10])
  const pools: RoutePool[] = []
  const books: RouteBook[] = []
  for (const [a, b] of pairsOf(random, shape, tokens.length)) {
    const pair = [tokens[a] as PricedToken, tokens[b] as PricedToken] as const
    const id = pools.length + books.length
    if (withBooks && random.chance(0.45))
      books.push(shapedBook(random, id, pair, trade * spread(random, 0.02, 3), trade))
    else pools.push(shapedPool(random, id, pair, (trade * scale * spread(random, 0.05, 50)) / pair[1].worth, off))
  }
  const router = new Router()
  for (const pool of pools) router.putPool(pool)
  for (const book of books) router.putBook(book)
  const [input, output] = [tokens[0] as PricedToken, tokens[1] as PricedToken]
  const amount = BigInt(Math.max(1, Math.floor(trade / input.worth)))
  return { pools, books, router, input: input.id, output: output.id, amount, slippage: random.pick(SLIPPAGES) }
}
