// The contribution of one pool or order book to sums over many. An update replaces the old contribution with the new one.
import type { BlockMark, ClosedBook, LiveBook, LivePool } from '../live-market/model.ts'
import { WINDOW_NAMES, type WindowName } from '../live-market/rolling.ts'

/** Sums of trades. `usd`: USD × 10^18. `fees`: USD × 10^18 × the fee in the venue's own fee unit. */
interface Traded {
  usd: bigint
  fees: bigint
  trades: number
  /** Number of trades of unknown value. */
  withoutUsd: number
}

/** By window. */
export type Sums = Record<WindowName, Traded>

export function emptySums(): Sums {
  const none = () => ({ usd: 0n, fees: 0n, trades: 0, withoutUsd: 0 })
  return { day: none(), week: none(), month: none(), quarter: none(), all: none() }
}

export class Share<Of extends LivePool | LiveBook | ClosedBook> {
  readonly of: Of
  /** Block of the last trade change that is in the sums; null if none is. */
  traded: BlockMark | null = null
  /** Block of the last change of the value that is in the sums, and the value. */
  valued: BlockMark | null = null
  value = 0n
  /** Whether the value is unknown; it counts as 0. */
  withoutUsd = false
  /** Time of the first trade; null before it, or if not yet read. */
  first: number | null = null
  /** Raw units of its two tokens. */
  amounts: [bigint, bigint] = [0n, 0n]
  /** Number of open orders that offer base tokens, and target tokens. */
  orders: [number, number] = [0, 0]
  private windows = emptySums()

  constructor(of: Of) {
    this.of = of
  }

  /** Replaces the contribution to the sums with the current one. */
  update(sums: readonly Sums[]): void {
    const { volumes, changed } = this.of
    for (const name of WINDOW_NAMES) {
      const { usd, trades, withoutUsd } = volumes[name]
      this.replace(sums, name, { usd, fees: feesOf(this.of, name), trades, withoutUsd })
    }
    this.traded = changed
  }

  /** Removes the contribution from the sums. */
  remove(sums: readonly Sums[]): void {
    for (const name of WINDOW_NAMES) this.replace(sums, name, { usd: 0n, fees: 0n, trades: 0, withoutUsd: 0 })
    this.traded = null
  }

  private replace(sums: readonly Sums[], name: WindowName, now: Traded): void {
    const before = this.windows[name]
    const [usd, fees, trades] = [now.usd - before.usd, now.fees - before.fees, now.trades - before.trades]
    const withoutUsd = now.withoutUsd - before.withoutUsd
    this.windows[name] = now
    if (trades === 0 && usd === 0n && fees === 0n && withoutUsd === 0) return
    for (const { [name]: sum } of sums) {
      sum.usd += usd
      sum.fees += fees
      sum.trades += trades
      sum.withoutUsd += withoutUsd
    }
  }
}

/** Fees of swaps follow from the pool's constant rate; sums of deals include their own. */
function feesOf(of: LivePool | LiveBook | ClosedBook, name: WindowName): bigint {
  const { usd, fees } = of.volumes[name]
  return 'reserveA' in of ? usd * BigInt(of.fee) : fees
}
