// Makes the past of chains, all in step: sparse blocks, more where somebody waits, certificates where they are needed
// and now and then, in slices that leave the process responsive.

import { setImmediate } from 'node:timers/promises'
import { SLOT_MS } from '../core/antelope/time.ts'
import type { Chain } from './chain/chain.ts'
import type { Inbox } from './chain/inbox.ts'
import type { Player, World } from './scenario.ts'

export interface HistoryOptions {
  /** Unix milliseconds of the last block at the latest. */
  end: number
  /** Unix milliseconds at which to stop before that: it can be gone on with. */
  until?: number
  /** Milliseconds from block to block. */
  interval: number
  /** The same for the last hour. */
  lastHourInterval: number
  /** Every so many blocks, two blocks in a row carry a certificate, so that all before them becomes final. */
  certificateEvery: number
  /** Every so many blocks the finalizer policy changes. */
  policyEvery: number
}

/** A chain with who makes its transactions. */
export interface Line {
  chain: Chain
  player: Player
  /** What others send, once it goes on live. */
  inbox?: Inbox
}

const SLICE_MS = 20
const HOUR_MS = 3_600_000
const FINALIZERS_KNOWN = 7
const FINALIZERS_ACTIVE = 4

/** Indexes of the finalizers of the policy number `round`: one leaves and one comes each time. */
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

/** Time of the block after the head by the clock; blocks in between do not move it. */
function clock({ headTime, startTime }: Chain, { end, interval, lastHourInterval }: HistoryOptions): number {
  const lastHour = slotAfter(end - HOUR_MS)
  const [from, step] = headTime < lastHour ? [startTime, interval] : [lastHour, lastHourInterval]
  return from + (Math.floor((headTime - from) / step) + 1) * step
}

/** Time of the next block: by the clock, or earlier when somebody waits for one. */
function nextTime({ chain, player }: Line, options: HistoryOptions): number {
  const soonest = chain.headTime + SLOT_MS
  if (player.waiting) return soonest
  return Math.max(soonest, slotAfter(Math.min(clock(chain, options), player.due)))
}

/** Time of the first block to come that may concern a partner: nothing does before it is irreversible. */
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
 * Makes blocks from the chains' heads to `end`, in the order of their times. Depends only on the chains, the players, what
 * a partner tells and the options.
 *
 * @param lines   simultaneous blocks are made in this order
 * @param signal  ends it early, between two blocks
 */
export async function makeHistory(
  lines: readonly Line[],
  { bystander, partner }: Pick<World, 'bystander' | 'partner'>,
  options: HistoryOptions,
  signal?: AbortSignal,
): Promise<void> {
  const { end, until = end } = options
  const promise = (now: boolean) => {
    const quiet = lines.map((line) => quietUntil(line, options))
    partner?.promise(Math.min(...quiet, bystander?.quiet ?? Number.POSITIVE_INFINITY), now)
  }
  let sliceEnd = performance.now() + SLICE_MS
  while (!signal?.aborted) {
    let first: Line | undefined
    let time = Number.POSITIVE_INFINITY
    for (const line of lines) {
      const next = nextTime(line, options)
      if (next < time) [first, time] = [line, next]
    }
    const event = bystander && bystander.next <= time
    if (event) time = bystander.next
    // At the end, too: what has still to arrive may want a block by then.
    const needed = Math.min(time, until)
    if (partner && needed >= partner.horizon) {
      promise(true)
      if (needed >= partner.horizon) await partner.changed()
      continue
    }
    if (time > until) break
    if (event) await bystander.advance(time)
    else if (first) produce(first, time, options)
    promise(false)
    if (performance.now() < sliceEnd) continue
    await setImmediate()
    sliceEnd = performance.now() + SLICE_MS
  }
  promise(true)
}
