// How much happens when. History is thinner than live trading: a block holds about as much, however long it took.

import type { TraderPace } from '../contracts/trader.ts'
import type { WorldSetting } from '../scenario.ts'

const HOUR = 3_600_000
const PER_SPARSE_BLOCK = 2.1
/** Prices go far from block to block: to follow each step would take more transactions than all else. */
const SPARSE_SLACK = 0.004
const BLOCKS_PER_QUOTE = 5
const LIVE: TraderPace = { rate: 1.4, quoteInterval: 60_000, slack: 0 }
/** Mean milliseconds from journeys that begin at one place to the next ones: in history, in its last hour, live. */
const JOURNEY_GAPS = { history: 18 * HOUR, lastHour: HOUR / 6, live: 120_000 }
/**
 * Journeys that begin at once. They become irreversible together, with two certificates: signing those takes as long as
 * making dozens of blocks.
 */
export const JOURNEYS_AT_ONCE = 2

type Phase = keyof typeof JOURNEY_GAPS

export class Pace {
  /** Unix milliseconds. */
  readonly start: number
  readonly end: number
  private readonly paces: Readonly<Record<Phase, TraderPace>>

  constructor({ start, end, interval, lastHourInterval }: WorldSetting) {
    this.start = start
    this.end = end
    this.paces = { history: sparse(interval), lastHour: sparse(lastHourInterval), live: LIVE }
  }

  private phase(now: number): Phase {
    if (now >= this.end) return 'live'
    return now >= this.end - HOUR ? 'lastHour' : 'history'
  }

  /** How much is traded and quoted. */
  trading(now: number): TraderPace {
    return this.paces[this.phase(now)]
  }

  /**
   * When the next journeys begin after those that began now.
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

/** @param interval  milliseconds from block to block */
function sparse(interval: number): TraderPace {
  const quoteInterval = Math.max(LIVE.quoteInterval, BLOCKS_PER_QUOTE * interval)
  return { rate: (PER_SPARSE_BLOCK * 1000) / interval, quoteInterval, slack: SPARSE_SLACK }
}
