// Progress of a journey for people: stage, percent, estimated seconds left from measured times, and the next actor.
// Pure. It is below 100 percent until the end.

import { isEvmDomain } from '../../core/chains.ts'
import { type BridgeContext, nowOf } from './bridge-context.ts'
import type { WithdrawalFacts } from './facts.ts'
import type { HopStatus, JourneyFacts } from './journey-state.ts'
import { depositStanding, withdrawalStanding } from './leg-state.ts'
import { chainAt, ledgerId, unixSeconds } from './parties.ts'
import type { Journey } from './schema.ts'
import type { Timing, Timings } from './timing.ts'

type Progress = Pick<Journey, 'progress' | 'next'>

/** Percent at the start and at the end of each part. */
const ARRIVING = [5, 50] as const
const SENDING = [50, 95] as const
const BOUNCED = 60
const RETURNING = [65, 95] as const
const MIN_SECONDS_LEFT = 5

const AUTOMATIC = { actor: 'automatic', action: null, deadline: null } as const
const RELAYER = { actor: 'relayer', action: null, deadline: null } as const

interface Times {
  world: BridgeContext
  timings: Timings
}

/** A delivery that is later than this was refused, and its time is unknown. Milliseconds. */
const DELIVERY_MS = 600_000

/** Destination of a journey's second leg. */
export interface Goal {
  /** Null when the memo names no destination. */
  domain: bigint | null
  /** Time of the second leg; null when no open route takes it. */
  onward: Timing | null
}

/** Progress of a journey that begins with a deposit. @param goal  null for a journey of one leg */
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
      ? payoutProgress(back, `coming back to ${chainAt(world, back.domain).name}`, RETURNING, times)
      : progressOf('coming back', RETURNING[0], null, RELAYER)
  if (status === 'bounced') return bouncedProgress(facts, destination, home)
  if (status === 'sending') {
    if (onward) return payoutProgress(onward, `on its way to ${destination}`, SENDING, times)
    if (leg === 'credited')
      return progressOf(`credited on ${home}: to be collected`, SENDING[1], null, {
        actor: 'recipient',
        action: 'claim',
        deadline: null,
      })
    if (leg === 'parked')
      return progressOf(`arrived on ${home}: to be delivered`, SENDING[0], null, {
        actor: 'relayer',
        action: 'forward',
        deadline: null,
      })
    return progressOf(`passed on to ${destination}`, SENDING[0], null, AUTOMATIC)
  }
  const expected = timings.deposit(deposit.domain)
  const onwardTime = goal?.onward ?? null
  const isStuck = goal !== null && goal.onward === null
  const began = deposit.source?.time ?? deposit.events[0]?.time ?? nowOf(world)
  const elapsed = Math.max(0, (nowOf(world) - began) / 1000)
  const eta = isStuck ? null : secondsLeft(elapsed, expected, onwardTime)
  const percent = percentAt(elapsed, expected.seconds, ARRIVING)
  if (leg === 'seen') return progressOf(`waiting for finality on ${source}`, percent, eta, AUTOMATIC)
  if (leg === 'provable')
    return progressOf(`final on ${source}: being proved on ${home}`, percent, eta, { ...RELAYER, action: 'credit' })
  if (isStuck)
    return progressOf(`arrived on ${home}: it cannot be passed on and is to be sent back`, ARRIVING[1] - 1, null, {
      ...RELAYER,
      action: 'bounce',
    })
  const arrived = deposit.events.find(({ type }) => type === 'parked')?.time ?? nowOf(world)
  const isRefused = nowOf(world) > arrived + DELIVERY_MS
  return progressOf(
    `arrived on ${home}: to be passed on`,
    ARRIVING[1] - 1,
    isRefused ? null : (onwardTime?.seconds ?? null),
    { ...RELAYER, action: 'forward' },
  )
}

/** Progress of a journey that is one withdrawal. */
export function withdrawalProgress(facts: WithdrawalFacts, status: HopStatus, times: Times): Progress {
  const { world } = times
  const destination = chainAt(world, facts.domain).name
  const home = ledgerId(world).name
  if (status === 'delivered') return ended(`delivered on ${destination}`)
  if (status === 'returned') return ended(`back with the owner on ${home}`)
  if (status === 'bounced')
    return progressOf(`expired on ${destination}: to be refunded on ${home}`, BOUNCED, null, RELAYER)
  return payoutProgress(facts, `on its way to ${destination}`, SENDING, times)
}

function bouncedProgress({ deposit, onward }: JourneyFacts, destination: string, home: string): Progress {
  if (onward === null || depositStanding(deposit).status === 'bounced')
    return progressOf(`refused on ${home}: to be sent back`, BOUNCED, null, RELAYER)
  if (withdrawalStanding(onward).status === 'refunded')
    return progressOf(`refunded on ${home}: to be sent back`, BOUNCED, null, {
      actor: 'anyone',
      action: 'recover',
      deadline: null,
    })
  return progressOf(`expired on ${destination}: to be refunded on ${home}`, BOUNCED, null, RELAYER)
}

/** Progress from a burn to its payout. */
function payoutProgress(
  burned: WithdrawalFacts,
  what: string,
  [low, high]: readonly [number, number],
  { world, timings }: Times,
): Progress {
  const evm = isEvmDomain(burned.domain)
  const { status } = withdrawalStanding(burned)
  const destination = chainAt(world, burned.domain).name
  const late = unixSeconds(nowOf(world)) > burned.deadline
  if (status === 'expired' || status === 'refunded') return progressOf(`expired on ${destination}`, low, null, RELAYER)
  if (late)
    return progressOf(
      `past its deadline on ${destination}: to be expired`,
      low,
      null,
      // On an Antelope chain no contract takes a proof: the relayer reports the expiry.
      evm ? { actor: 'anyone', action: 'expire', deadline: null } : RELAYER,
    )
  if (evm && status === 'provable')
    return progressOf(`ready on ${destination}: to be released before ${utc(burned.deadline)}`, high, null, {
      actor: 'recipient',
      action: 'release',
      deadline: burned.deadline,
    })
  const expected = timings.withdrawal(burned.domain)
  const elapsed = Math.max(0, (nowOf(world) - burned.burn.time) / 1000)
  // A withdrawal that the relayer has not paid by its deadline is refunded.
  const next = evm ? AUTOMATIC : { ...RELAYER, deadline: burned.deadline }
  const stage = evm ? `waiting for the proof of the way to ${destination}` : what
  return progressOf(stage, percentAt(elapsed, expected.seconds, [low, high]), secondsLeft(elapsed, expected), next)
}

function ended(stage: string): Progress {
  return { progress: { stage, percent: 100, etaSeconds: null }, next: null }
}

function progressOf(stage: string, percent: number, etaSeconds: number | null, next: Journey['next']): Progress {
  return { progress: { stage, percent, etaSeconds }, next }
}

/** Percent of a part: linear in time from `low`, at most `high - 1`. */
function percentAt(elapsed: number, expected: number, [low, high]: readonly [number, number]): number {
  const part = Math.min(1, elapsed / Math.max(1, expected))
  return Math.min(high - 1, Math.floor(low + (high - low) * part))
}

/** Seconds left of one part plus the next; null once the first takes longer than its slowest measured time. */
function secondsLeft(elapsed: number, expected: Timing, then: Timing | null = null): number | null {
  const slowest = expected.measured ? expected.range[1] : expected.seconds * 2
  if (elapsed > Math.max(slowest, expected.seconds)) return null
  return Math.max(MIN_SECONDS_LEFT, Math.round(expected.seconds - elapsed)) + (then?.seconds ?? 0)
}

function utc(seconds: number): string {
  const ms = seconds * 1000
  return ms > 8.64e15 ? 'any time' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
