// A second market in a chart: how the address names it, and its prices at the times of the first one; and the span in
// view. Pure.

export interface Compared {
  kind: 'pool' | 'market'
  id: number
}

const TEXT = /^(pool|market):(\d{1,15})$/

/** The parameter of the address: `pool:3`. @param own  the market of the page, which is not compared with itself */
export function comparedOf(text: string | null, own: Compared): Compared | null {
  const [, kind, id] = TEXT.exec(text ?? '') ?? []
  if (kind === undefined) return null
  const found: Compared = { kind: kind as Compared['kind'], id: Number(id) }
  return found.kind === own.kind && found.id === own.id ? null : found
}

export const comparedText = ({ kind, id }: Compared) => `${kind}:${id}`

/** The span in an address: `1700000000-1700086400`, Unix seconds; without an end up to the newest candle. */
export function spanOf(text: string | null): { from: number; to: number | null } | null {
  const [, from, to] = /^(\d{1,10})-(\d{1,10})?$/.exec(text ?? '') ?? []
  return from === undefined ? null : { from: Number(from), to: to === undefined ? null : Number(to) }
}

export const spanText = ({ from, to }: { from: number; to: number | null }) => `${from}-${to ?? ''}`

interface Close {
  /** Start of the candle, Unix seconds. */
  time: number
  close: number
}

/**
 * Prices of another market at the candles of this one: of the candle at the same time, else of the last one before it.
 *
 * @param times   starts of the candles, ascending
 * @param others  candles of the other market, ascending
 * @returns one price for each time; null before the other market's first candle
 */
export function pricesAt(times: readonly number[], others: readonly Close[]): (number | null)[] {
  let next = 0
  let price: number | null = null
  return times.map((time) => {
    for (let one = others[next]; one !== undefined && one.time <= time; one = others[++next]) price = one.close
    return price
  })
}

/** Newer candles in the place of old ones of the same time, and after them. Both ascending. */
export function withNewer<C extends Close>(held: readonly C[], newer: readonly C[]): C[] {
  const first = newer[0]
  return first === undefined ? [...held] : [...held.filter(({ time }) => time < first.time), ...newer]
}

/** Percent from the first known value at or after `from` to the value at `at`; null when one is not known or the first is 0. */
export function changeSince(values: readonly (number | null)[], from: number, at: number): number | null {
  const start = Math.max(0, Math.ceil(from))
  const first = values.slice(start, at + 1).find((value) => value !== null)
  const last = values[at]
  return first == null || last == null || first === 0 ? null : (last / first - 1) * 100
}
