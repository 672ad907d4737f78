// Value of an account's balances at the end of each hour, by the prices that the ledger has for that moment. Pure. Exact
// until the text.
import type { Ratio } from '../../../core/amm/price.ts'
import { significant } from '../../kit/digits.ts'

/** Rows of the statement; hours are Unix seconds, amounts raw units, prices decimal texts. */
export interface HourRows {
  /** Oldest first. `known`: whether all balances at its end are indexed. */
  hours: { hour: number; known: boolean }[]
  /** By hour: those before the first of `hours` are the balances with which they begin. */
  changes: { token: string; hour: number; amount: string; decimals: number }[]
  prices: { token: string; hour: number; system: string; usd: string | null }[]
  /** Time of the first indexed block; null without one. */
  since: number | null
}

interface HourValue {
  time: string
  value: string | null
  valueUsd: string | null
  unvalued: number
}

/** Decimals of stored prices. */
const PRICE_DECIMALS = 24
/** Greatest precision of a token. */
const MAX_DECIMALS = 18
const DENOMINATOR = 10n ** BigInt(PRICE_DECIMALS + MAX_DECIMALS)

/** A sum of values, times `DENOMINATOR`. */
interface Sum {
  total: bigint
  known: number
}

/** One value for each hour; null when balances or the prices of all of them are unknown. */
export function hourValues({ hours, changes, prices }: HourRows): HourValue[] {
  const priceAt = new Map(prices.map((price) => [`${price.hour} ${price.token}`, price]))
  const held = new Map<string, { amount: bigint; decimals: number }>()
  let next = 0
  return hours.map(({ hour, known }) => {
    for (let one = changes[next]; one !== undefined && one.hour <= hour; one = changes[++next])
      if (one.amount === '0') held.delete(one.token)
      else held.set(one.token, { amount: BigInt(one.amount), decimals: one.decimals })
    const [system, usd]: [Sum, Sum] = [
      { total: 0n, known: 0 },
      { total: 0n, known: 0 },
    ]
    for (const [token, { amount, decimals }] of held) {
      const price = priceAt.get(`${hour} ${token}`)
      const raw = amount * 10n ** BigInt(MAX_DECIMALS - decimals)
      if (price !== undefined) add(system, raw, price.system)
      if (price !== undefined && price.usd !== null) add(usd, raw, price.usd)
    }
    const text = (sum: Sum) => (known && (sum.known > 0 || held.size === 0) ? significant(ratioOf(sum)) : null)
    return {
      time: new Date(hour * 1000).toISOString(),
      value: text(system),
      valueUsd: text(usd),
      unvalued: held.size - system.known,
    }
  })
}

function add(sum: Sum, raw: bigint, price: string): void {
  sum.total += raw * scaled(price)
  sum.known++
}

function ratioOf({ total }: Sum): Ratio {
  return { numerator: total, denominator: DENOMINATOR }
}

/** A decimal text of at most `PRICE_DECIMALS` decimals as an integer. */
function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(PRICE_DECIMALS, '0'))
}
