// Value of an account's balances and positions at the end of each hour, by the prices that the ledger has for that
// moment. Pure. Exact until the text.
import type { Ratio } from '../../../core/amm/price.ts'
import { significant } from '../../kit/digits.ts'
import { type Held, PositionHours, type PositionRows } from './position-hours.ts'

/** Rows of the statement; hours are Unix seconds, amounts raw units, prices decimal texts. */
export interface HourRows extends PositionRows {
  /** Oldest first. `known`: whether all balances and positions at its end are indexed. */
  hours: { hour: number; known: boolean }[]
  /** By hour: those before the first of `hours` are the balances with which they begin. */
  changes: { token: string; hour: number; amount: string; decimals: number }[]
  prices: { token: string; hour: number; system: string; usd: string | null }[]
  /** Time of the first indexed block; null without one. */
  since: number | null
}

interface Worth {
  value: string | null
  valueUsd: string | null
  unvalued: number
}

interface HourValue extends Worth {
  time: string
  balances: Worth
  positions: Worth
}

/** Decimals of stored prices. */
const PRICE_DECIMALS = 24
/** Greatest precision of a token. */
const MAX_DECIMALS = 18
const DENOMINATOR = 10n ** BigInt(PRICE_DECIMALS + MAX_DECIMALS)

/** A sum of the values of `known` of all `parts`, times `DENOMINATOR`. */
interface Sum {
  total: bigint
  known: number
  parts: number
}

interface Sums {
  system: Sum
  usd: Sum
}

interface Price {
  system: bigint
  usd: bigint | null
}

/**
 * One value for each hour, as it is taken; null when balances, or the prices of all of them, are unknown.
 */
export function* hourValues(rows: HourRows): Generator<HourValue> {
  const pricesOf = pricesByHour(rows.prices)
  const held = new Map<string, { amount: bigint; decimals: number }>()
  const positions = new PositionHours(rows)
  let next = 0
  for (const { hour, known } of rows.hours) {
    for (let one = rows.changes[next]; one !== undefined && one.hour <= hour; one = rows.changes[++next])
      if (one.amount === '0') held.delete(one.token)
      else held.set(one.token, { amount: BigInt(one.amount), decimals: one.decimals })
    const prices = pricesOf.get(hour) ?? new Map<string, Price>()
    const open = positions.at(hour)
    const worth = known ? sumOf(held, ([token, { amount, decimals }]) => [part(prices, token, amount, decimals)]) : null
    const liquidity = known && open !== null ? sumOf(open, (position) => sidesOf(prices, position)) : null
    yield {
      time: new Date(hour * 1000).toISOString(),
      ...texts(
        worth && liquidity && { system: plus(worth.system, liquidity.system), usd: plus(worth.usd, liquidity.usd) },
      ),
      balances: texts(worth),
      positions: texts(liquidity),
    }
  }
}

type Part = { system: bigint; usd: bigint | null } | null

/** Prices by hour and token, times 10^`PRICE_DECIMALS`. */
function pricesByHour(rows: HourRows['prices']): Map<number, Map<string, Price>> {
  const hours = new Map<number, Map<string, Price>>()
  for (const { hour, token, system, usd } of rows) {
    let prices = hours.get(hour)
    if (prices === undefined) hours.set(hour, (prices = new Map()))
    prices.set(token, { system: scaled(system), usd: usd === null ? null : scaled(usd) })
  }
  return hours
}

function part(prices: ReadonlyMap<string, Price>, token: string, amount: bigint, decimals: number): Part {
  const price = prices.get(token)
  if (price === undefined) return null
  const raw = amount * 10n ** BigInt(MAX_DECIMALS - decimals)
  return { system: raw * price.system, usd: price.usd === null ? null : raw * price.usd }
}

function sidesOf(prices: ReadonlyMap<string, Price>, position: Held | null): Part[] {
  if (position === null) return [null]
  const { pool, amounts } = position
  return [part(prices, pool.tokenA, amounts.a, pool.decimalsA), part(prices, pool.tokenB, amounts.b, pool.decimalsB)]
}

/** @param partsOf  values of a thing: its own is known when all of them are */
function sumOf<Thing>(things: Iterable<Thing>, partsOf: (thing: Thing) => Part[]): Sums {
  const [system, usd]: [Sum, Sum] = [
    { total: 0n, known: 0, parts: 0 },
    { total: 0n, known: 0, parts: 0 },
  ]
  for (const thing of things) {
    const parts = partsOf(thing)
    add(
      system,
      parts.map((one) => one?.system ?? null),
    )
    add(
      usd,
      parts.map((one) => one?.usd ?? null),
    )
  }
  return { system, usd }
}

function add(sum: Sum, values: readonly (bigint | null)[]): void {
  sum.parts++
  if (values.includes(null)) return
  for (const value of values) sum.total += value ?? 0n
  sum.known++
}

function plus(x: Sum, y: Sum): Sum {
  return { total: x.total + y.total, known: x.known + y.known, parts: x.parts + y.parts }
}

/** @param sums  null when the parts are not known */
function texts(sums: Sums | null): Worth {
  if (sums === null) return { value: null, valueUsd: null, unvalued: 0 }
  const text = (sum: Sum) => (sum.known > 0 || sum.parts === 0 ? significant(ratioOf(sum)) : null)
  return { value: text(sums.system), valueUsd: text(sums.usd), unvalued: sums.system.parts - sums.system.known }
}

function ratioOf({ total }: Sum): Ratio {
  return { numerator: total, denominator: DENOMINATOR }
}

/** A decimal text of at most `PRICE_DECIMALS` decimals as an integer. */
function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(PRICE_DECIMALS, '0'))
}
