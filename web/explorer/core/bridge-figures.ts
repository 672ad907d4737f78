// Figures of the bridge's page for operators, computed from answers of the bridge API. Pure.
import type { Get } from '../data/types.ts'
import { amountText } from './transfer.ts'

export type BridgeChains = Get<'/api/bridge/v1/chains'>
export type Pending = Get<'/api/bridge/v1/pending'>
export type BridgeLeg = Get<'/api/bridge/v1/transfers'>['transfers'][number]

/** Statuses of each direction, in the order in which a leg passes through them. */
const STATUSES = [
  ['deposit', 'seen'],
  ['deposit', 'provable'],
  ['deposit', 'parked'],
  ['deposit', 'credited'],
  ['deposit', 'forwarded'],
  ['deposit', 'bounced'],
  ['withdrawal', 'burned'],
  ['withdrawal', 'provable'],
  ['withdrawal', 'released'],
  ['withdrawal', 'expired'],
  ['withdrawal', 'refunded'],
] as const

/** Statuses in which a leg waits for an action or for finality. */
export const OPEN: readonly string[] = ['seen', 'provable', 'parked', 'burned', 'expired']

interface StatusCount {
  direction: string
  status: string
  count: number
  /** Age of the oldest leg, seconds; null without one. */
  oldest: number | null
}

/** Counts legs by direction and status. @param now  Unix seconds */
export function byStatus(
  legs: readonly Pick<BridgeLeg, 'direction' | 'status' | 'src_time'>[],
  now: number,
): StatusCount[] {
  return STATUSES.map(([direction, status]) => {
    const times = legs
      .filter((leg) => leg.direction === direction && leg.status === status)
      .map(({ src_time }) => src_time)
    return { direction, status, count: times.length, oldest: times.length > 0 ? now - Math.min(...times) : null }
  })
}

/** A duration in its largest unit and the next smaller one: `2 h 5 min`. */
export function span(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds))
  if (rounded < 60) return `${rounded} s`
  if (rounded < 3600) return `${Math.floor(rounded / 60)} min ${rounded % 60} s`
  if (rounded < 86_400) return `${Math.floor(rounded / 3600)} h ${Math.floor((rounded % 3600) / 60)} min`
  return `${Math.floor(rounded / 86_400)} d ${Math.floor((rounded % 86_400) / 3600)} h`
}

/** Texts of the API's `obstacle`: why an action cannot succeed now. */
const OBSTACLES: Record<string, string> = {
  no_account: 'no such account',
  overtaken: 'a later one succeeded before it',
  paused: 'the vault is paused',
  allowance: 'above what the vault may pay now',
  no_proof: 'no proof yet',
  no_contract: 'no contract is known',
}

interface Waiting {
  key: string
  /** Action that a relayer can send, or several with `or`. */
  action: string
  /** Id of the chain in the bridge API. */
  chain: string
  /** Amount with symbol, or the hop and its recipient. */
  what: string
  /** Time to the deadline or since it; empty without one. */
  until: string
  /** Obstacle, fee, kind of proof and gas. */
  remarks: string[]
  /** Unix seconds; null when unknown. */
  since: number | null
}

/** One list of pending withdrawals, deposits, and journeys that came back. @param now  Unix seconds */
export function waiting(
  { pending, deposits, hops }: Pick<Pending, 'pending' | 'deposits' | 'hops'>,
  now: number,
): Waiting[] {
  return [
    ...pending.map((one) => ({
      key: one.key,
      action: one.action,
      chain: one.chain,
      what: amountText(one.amount, one.precision, one.symbol),
      until: one.action === 'release' ? `${span(one.deadline - now)} left` : `late by ${span(now - one.deadline)}`,
      remarks: remarksOn(one),
      since: one.src_time,
    })),
    ...deposits.map(({ key, actions, chain, amount, precision, symbol, bounceFrom, src_time, obstacle }) => ({
      key,
      action: actions.join(' or '),
      chain,
      what: amountText(amount, precision, symbol),
      until: bounceFrom !== null && bounceFrom > now ? `may bounce in ${span(bounceFrom - now)}` : '',
      remarks: inWords(obstacle),
      since: src_time,
    })),
    ...hops.map(({ key, action, back, id }) => ({
      key,
      action,
      chain: back.chain,
      what: `hop ${id} to ${back.recipient ?? ''}`,
      until: '',
      remarks: [],
      since: null,
    })),
  ]
}

function remarksOn({ obstacle, fee, precision, track, estimatedGas }: Pending['pending'][number]): string[] {
  const remarks = inWords(obstacle)
  if (fee !== '0') remarks.push(`fee ${amountText(fee, precision, null)}`)
  const gas = estimatedGas === null || track === null ? null : (estimatedGas[track] ?? estimatedGas.hard)
  if (track !== null) remarks.push(`${track} track${gas === null ? '' : `, ${gas.toLocaleString('en')} gas`}`)
  return remarks
}

function inWords(obstacle: string | null): string[] {
  return obstacle === null ? [] : [OBSTACLES[obstacle] ?? obstacle]
}
