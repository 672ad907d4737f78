// What people are told of a journey: its stage, how far it is, how long it still takes by measured times, and who acts
// next. Pure. It is never at 100 percent before its end.

import { isEvmDomain } from '../chain-names.ts'
import { type BridgeContext, nowOf } from './bridge-context.ts'
import type { WithdrawalFacts } from './facts.ts'
import type { HopStatus, JourneyFacts } from './journey-state.ts'
import { depositStanding, withdrawalStanding } from './leg-state.ts'
import { chainAt, ledgerId, unixSeconds } from './parties.ts'
import type { Journey } from './schema.ts'
import type { Timing, Timings } from './timing.ts'

type Progress = Pick<Journey, 'progress' | 'next'>

/** Percents at which each part begins and ends. */
const ARRIVING = [5, 50] as const
const SENDING = [50, 95] as const
const BOUNCED = 60
const RETURNING = [65, 95] as const
const SECONDS_LEFT_LEAST = 5

const AUTOMATIC = { actor: 'automatic', action: null, deadline: null } as const
const RELAYER = { actor: 'relayer', action: null, deadline: null } as const

interface Times {
  world: BridgeContext
  timings: Timings
}

/** Milliseconds after which a delivery that did not come was refused: nobody knows when it will be taken. */
const DELIVERY_MS = 600_000

/** Where the second leg of a journey goes. */
export interface Goal {
  /** Null when the memo names none. */
  domain: bigint | null
  /** How long that takes; null when nothing takes it there. */
  onward: Timing | null
}

/** Of a journey that begins with a deposit. @param goal  null for a journey of one leg */
export function depositProgress(facts: JourneyFacts, status: HopStatus, times: Times, goal: Goal | null): Progress {
  const { deposit, onward, back } = facts
  const { world, timings } = times
  const { status: leg } = depositStanding(deposit)
  const source = chainAt(world, deposit.domain).name
  const home = ledgerId(world).name
  const destination = goal === null || goal.domain === null ? home : chainAt(world, goal.domain).name
  if (status === 'delivered') return ended(`delivered on ${destination}`)
  if (status === 'returned') return ended(`back with the sender on ${back ? chainAt(world, back.domain).name : source}`)
  if (status === 'returning')
    return back
      ? onItsWay(back, `coming back to ${chainAt(world, back.domain).name}`, RETURNING, times)
      : said('coming back', RETURNING[0], null, RELAYER)
  if (status === 'bounced') return bouncedProgress(facts, destination, home)
  if (status === 'sending') {
    if (onward) return onItsWay(onward, `on its way to ${destination}`, SENDING, times)
    if (leg === 'credited')
      return said(`credited on ${home}: to be collected`, SENDING[1], null, {
        actor: 'recipient',
        action: 'claim',
        deadline: null,
      })
    if (leg === 'parked')
      return said(`arrived on ${home}: to be delivered`, SENDING[0], null, {
        actor: 'relayer',
        action: 'forward',
        deadline: null,
      })
    return said(`passed on to ${destination}`, SENDING[0], null, AUTOMATIC)
  }
  const expected = timings.deposit(deposit.domain)
  const onwardTime = goal?.onward ?? null
  const isStuck = goal !== null && goal.onward === null
  const began = deposit.source?.time ?? deposit.events[0]?.time ?? nowOf(world)
  const elapsed = Math.max(0, (nowOf(world) - began) / 1000)
  const eta = isStuck ? null : left(elapsed, expected, onwardTime)
  const percent = share(elapsed, expected.seconds, ARRIVING)
  if (leg === 'seen') return said(`waiting for finality on ${source}`, percent, eta, AUTOMATIC)
  if (leg === 'provable')
    return said(`final on ${source}: being proved on ${home}`, percent, eta, { ...RELAYER, action: 'credit' })
  if (isStuck)
    return said(`arrived on ${home}: it cannot be passed on and is to be sent back`, ARRIVING[1] - 1, null, {
      ...RELAYER,
      action: 'bounce',
    })
  const arrived = deposit.events.find(({ type }) => type === 'parked')?.time ?? nowOf(world)
  const isRefused = nowOf(world) > arrived + DELIVERY_MS
  return said(
    `arrived on ${home}: to be passed on`,
    ARRIVING[1] - 1,
    isRefused ? null : (onwardTime?.seconds ?? null),
    { ...RELAYER, action: 'forward' },
  )
}

/** Of a withdrawal by itself. */
export function withdrawalProgress(facts: WithdrawalFacts, status: HopStatus, times: Times): Progress {
  const { world } = times
  const destination = chainAt(world, facts.domain).name
  const home = ledgerId(world).name
  if (status === 'delivered') return ended(`delivered on ${destination}`)
  if (status === 'returned') return ended(`back with the owner on ${home}`)
  if (status === 'bounced') return said(`expired on ${destination}: to be refunded on ${home}`, BOUNCED, null, RELAYER)
  return onItsWay(facts, `on its way to ${destination}`, SENDING, times)
}

function bouncedProgress({ deposit, onward }: JourneyFacts, destination: string, home: string): Progress {
  if (onward === null || depositStanding(deposit).status === 'bounced')
    return said(`refused on ${home}: to be sent back`, BOUNCED, null, RELAYER)
  if (withdrawalStanding(onward).status === 'refunded')
    return said(`refunded on ${home}: to be sent back`, BOUNCED, null, {
      actor: 'anyone',
      action: 'recover',
      deadline: null,
    })
  return said(`expired on ${destination}: to be refunded on ${home}`, BOUNCED, null, RELAYER)
}

/** A burn until its payout. */
function onItsWay(
  burned: WithdrawalFacts,
  what: string,
  [low, high]: readonly [number, number],
  { world, timings }: Times,
): Progress {
  const evm = isEvmDomain(burned.domain)
  const { status } = withdrawalStanding(burned)
  const destination = chainAt(world, burned.domain).name
  const late = unixSeconds(nowOf(world)) > burned.deadline
  if (status === 'expired' || status === 'refunded') return said(`expired on ${destination}`, low, null, RELAYER)
  if (late)
    return said(
      `past its deadline on ${destination}: to be expired`,
      low,
      null,
      // Where no contract takes a proof, it is the relayer's word.
      evm ? { actor: 'anyone', action: 'expire', deadline: null } : RELAYER,
    )
  if (evm && status === 'provable')
    return said(`ready on ${destination}: to be released before ${utc(burned.deadline)}`, high, null, {
      actor: 'recipient',
      action: 'release',
      deadline: burned.deadline,
    })
  const expected = timings.withdrawal(burned.domain)
  const elapsed = Math.max(0, (nowOf(world) - burned.burn.time) / 1000)
  // What a relayer does not pay out in time comes back.
  const next = evm ? AUTOMATIC : { ...RELAYER, deadline: burned.deadline }
  const stage = evm ? `waiting for the proof of the way to ${destination}` : what
  return said(stage, share(elapsed, expected.seconds, [low, high]), left(elapsed, expected), next)
}

function ended(stage: string): Progress {
  return { progress: { stage, percent: 100, etaSeconds: null }, next: null }
}

function said(stage: string, percent: number, etaSeconds: number | null, next: Journey['next']): Progress {
  return { progress: { stage, percent, etaSeconds }, next }
}

/** Grows with time from the first percent to the last, and stops below it. */
function share(elapsed: number, expected: number, [low, high]: readonly [number, number]): number {
  const part = Math.min(1, elapsed / Math.max(1, expected))
  return Math.min(high - 1, Math.floor(low + (high - low) * part))
}

/** Seconds that are left of one stretch and all of the next; null once the first takes longer than it ever did. */
function left(elapsed: number, expected: Timing, then: Timing | null = null): number | null {
  const slowest = expected.measured ? expected.range[1] : expected.seconds * 2
  if (elapsed > Math.max(slowest, expected.seconds)) return null
  return Math.max(SECONDS_LEFT_LEAST, Math.round(expected.seconds - elapsed)) + (then?.seconds ?? 0)
}

function utc(seconds: number): string {
  const ms = seconds * 1000
  return ms > 8.64e15 ? 'any time' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
