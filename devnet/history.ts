// Makes the history of several chains together, in the order of block times. Blocks are sparse: one each interval, and
// additional ones when a task is due. A certificate comes at intervals, and when a player waits for finality. Yields to
// the event loop every SLICE_MS.

import { setImmediate } from 'node:timers/promises'
import { SLOT_MS } from '../core/antelope/time.ts'
import type { Chain } from './chain/chain.ts'
import type { Inbox } from './chain/inbox.ts'
import type { Player, Simulation } from './scenario.ts'

export interface HistoryOptions {
  /** Unix milliseconds; upper bound of the last block. */
  end: number
  /** Unix milliseconds at which to stop before `end`; a later call continues. */
  until?: number
  /** Milliseconds between blocks. */
  interval: number
  /** Milliseconds between blocks in the last hour before `end`. */
  lastHourInterval: number
  /** Interval in blocks at which two successive blocks carry a certificate, which makes all earlier blocks final. */
  certificateEvery: number
  /** Interval in blocks at which the finalizer policy changes. */
  policyEvery: number
}

/** A chain with its player. */
export interface Line {
  chain: Chain
  player: Player
  /** Transactions that clients send while the chain is live; absent in history. */
  inbox?: Inbox
}

/** Longest work between two turns of the event loop. */
const SLICE_MS = 20
const HOUR_MS = 3_600_000
const FINALIZERS_KNOWN = 7
const FINALIZERS_ACTIVE = 4

/** Finalizer indexes of policy number `round`: one leaves and one joins each time. */
export function finalizersOf(round: number): number[] {
  return Array.from({ length: FINALIZERS_ACTIVE }, (_, i) => (round + i) % FINALIZERS_KNOWN)
}

/** Makes the next block of a line. */
function produce({ chain, player }: Line, time: number, { certificateEvery, policyEvery }: HistoryOptions): void {
  const { waiting } = player
  const block = chain.begin(time)
  player.fill(block)
  const certificate = waiting || block.num % certificateEvery < 2 ? 'strong' : 'none'
  const finalizers = block.num % policyEvery === 0 ? finalizersOf(block.num / policyEvery) : undefined
  block.finish(certificate, chain.policy(finalizers))
}

const slotAfter = (time: number): number => Math.ceil(time / SLOT_MS) * SLOT_MS

/** Time of the next scheduled block; additional blocks do not shift it. */
function clock({ headTime, startTime }: Chain, { end, interval, lastHourInterval }: HistoryOptions): number {
  const lastHour = slotAfter(end - HOUR_MS)
  const [from, step] = headTime < lastHour ? [startTime, interval] : [lastHour, lastHourInterval]
  return from + (Math.floor((headTime - from) / step) + 1) * step
}

/** Time of the next block: scheduled, or earlier when a task is due. */
function nextTime({ chain, player }: Line, options: HistoryOptions): number {
  const soonest = chain.headTime + SLOT_MS
  if (player.waiting) return soonest
  return Math.max(soonest, slotAfter(Math.min(clock(chain, options), player.due)))
}

/**
 * Lower bound of the time of the next block that may concern the partner, Unix milliseconds: the next certificate, which
 * makes earlier blocks irreversible, or the time that the player promises, whichever is earlier.
 */
function quietUntil(line: Line, options: HistoryOptions): number {
  const next = nextTime(line, options)
  if (line.player.waiting) return next
  const { certificateEvery, interval, lastHourInterval, end } = options
  const { num } = line.chain.head
  const blocks = (certificateEvery + 1 - (num % certificateEvery)) % certificateEvery || certificateEvery
  const lastHour = end - HOUR_MS
  const certified =
    next < lastHour ? Math.min(next + (blocks - 1) * interval, lastHour) : next + (blocks - 1) * lastHourInterval
  return Math.max(next, Math.min(line.player.quiet, certified))
}

/**
 * Makes blocks from the chains' heads to `end`, in the order of their times. Depends only on the chains, the players, a
 * partner's messages and the options.
 *
 * @param lines   simultaneous blocks are made in this order
 * @param signal  stops between two blocks
 */
export async function makeHistory(
  lines: readonly Line[],
  { externalEvents, partner }: Pick<Simulation, 'externalEvents' | 'partner'>,
  options: HistoryOptions,
  signal?: AbortSignal,
): Promise<void> {
  const { end, until = end } = options
  const sendPromise = (now: boolean) => {
    const quiet = lines.map((line) => quietUntil(line, options))
    partner?.promise(Math.min(...quiet, externalEvents?.quiet ?? Number.POSITIVE_INFINITY), now)
  }
  let sliceEnd = performance.now() + SLICE_MS
  while (!signal?.aborted) {
    let first: Line | undefined
    let time = Number.POSITIVE_INFINITY
    for (const line of lines) {
      const next = nextTime(line, options)
      if (next < time) [first, time] = [line, next]
    }
    const event = externalEvents && externalEvents.next <= time
    if (event) time = externalEvents.next
    // Waits for the partner also after the last block: a message that arrives later may need a block before `until`.
    const needed = Math.min(time, until)
    if (partner && needed >= partner.horizon) {
      sendPromise(true)
      if (needed >= partner.horizon) await partner.changed()
      continue
    }
    if (time > until) break
    if (event) await externalEvents.advance(time)
    else if (first) produce(first, time, options)
    sendPromise(false)
    if (performance.now() < sliceEnd) continue
    await setImmediate()
    sliceEnd = performance.now() + SLICE_MS
  }
  sendPromise(true)
}
