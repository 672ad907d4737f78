// Rates of activity over time. History is sparser than live trading: a block has about as much activity at any
// interval.

import type { TraderPace } from '../contracts/trader.ts'
import type { SimulationSettings } from '../scenario.ts'

const HOUR = 3_600_000
const PER_SPARSE_BLOCK = 2.1
/** Prices move far between blocks: following each move would take more transactions than all other activity. */
const SPARSE_SLACK = 0.004
const BLOCKS_PER_QUOTE = 5
const LIVE: TraderPace = { rate: 1.4, quoteInterval: 60_000, slack: 0 }
/** Mean milliseconds between starts of journeys at one place: in history, in its last hour, live. */
const JOURNEY_GAPS = { history: 18 * HOUR, lastHour: HOUR / 6, live: 120_000 }
/**
 * Number of journeys that start together. They become irreversible together, with two certificates. Signing those takes
 * as long as making dozens of blocks.
 */
export const JOURNEYS_AT_ONCE = 2

type Phase = keyof typeof JOURNEY_GAPS

export class Pace {
  /** Unix milliseconds. */
  readonly start: number
  readonly end: number
  private readonly paces: Readonly<Record<Phase, TraderPace>>

  constructor({ start, end, interval, lastHourInterval }: SimulationSettings) {
    this.start = start
    this.end = end
    this.paces = { history: sparse(interval), lastHour: sparse(lastHourInterval), live: LIVE }
  }

  private phase(now: number): Phase {
    if (now >= this.end) return 'live'
    return now >= this.end - HOUR ? 'lastHour' : 'history'
  }

  /** Rates of trades and quotes. */
  trading(now: number): TraderPace {
    return this.paces[this.phase(now)]
  }

  /**
   * Time of the next journeys after those at `now`.
   *
   * @param random  in [0, 1)
   */
  nextJourney(now: number, random: number): number {
    let wait = -Math.log(1 - random)
    let at = now
    for (const border of [this.end - HOUR, this.end, Number.POSITIVE_INFINITY]) {
      const gap = JOURNEY_GAPS[this.phase(at)]
      if (at >= border) continue
      if (at + wait * gap < border) return Math.round(at + wait * gap)
      wait -= (border - at) / gap
      at = border
    }
    return at
  }
}

/** @param interval  milliseconds between blocks */
function sparse(interval: number): TraderPace {
  const quoteInterval = Math.max(LIVE.quoteInterval, BLOCKS_PER_QUOTE * interval)
  return { rate: (PER_SPARSE_BLOCK * 1000) / interval, quoteInterval, slack: SPARSE_SLACK }
}
