// How much happens when. History is thinner than live trading: a block holds about as much, however long it took.

import type { WorldSetting } from '../scenario.ts'

const HOUR = 3_600_000
const PER_SPARSE_BLOCK = 3
const PER_LIVE_SECOND = 2
/** Mean milliseconds from one journey that begins at one place to the next: in history, in its last hour, live. */
const JOURNEY_GAPS = { history: 9 * HOUR, lastHour: HOUR / 8, live: 90_000 }

type Phase = keyof typeof JOURNEY_GAPS

export class Pace {
  /** Unix milliseconds. */
  readonly start: number
  readonly end: number
  private readonly perSecond: Readonly<Record<Phase, number>>

  constructor({ start, end, interval, lastHourInterval }: WorldSetting) {
    this.start = start
    this.end = end
    this.perSecond = {
      history: (PER_SPARSE_BLOCK * 1000) / interval,
      lastHour: (PER_SPARSE_BLOCK * 1000) / lastHourInterval,
      live: PER_LIVE_SECOND,
    }
  }

  private phase(now: number): Phase {
    if (now >= this.end) return 'live'
    return now >= this.end - HOUR ? 'lastHour' : 'history'
  }

  /** Transactions of traders a second, in the daily mean. */
  rate(now: number): number {
    return this.perSecond[this.phase(now)]
  }

  /**
   * When the next journey begins after one that began now.
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
