// Bridge transfers in words: the steps of a leg, who acts next, amounts and times. Pure.
import { formatUnits } from '../../shared/amounts.ts'
import type { Get } from '../data/types.ts'
import type { BridgePlace } from './config.ts'
import { grouped } from './numbers.ts'

export type Journey = Get<'/api/bridge/v1/hops/{key}'>
export type Leg = Get<'/api/bridge/v1/transfers/{key}'>

export interface Step {
  title: string
  /** `failed`: the leg did not reach its destination. */
  state: 'done' | 'failed'
  /** Unix seconds; null when unknown. */
  time: number | null
  /** Chain of the transaction, as in the bridge API. */
  chain: string
  transaction: string | null
}

/** Greatest time that a Date can hold, Unix seconds. Deadlines are unsigned 64-bit. */
const MAX_SECONDS = 8.64e12

/** Milliseconds for a time in seconds; null when no calendar has it. */
export function milliseconds(seconds: number): number | null {
  return seconds > MAX_SECONDS ? null : seconds * 1000
}

/** An amount of smallest units: `5 USDC`, exact. */
export function amountText(units: string, precision: number | null, symbol: string | null): string {
  const number = precision === null ? `${grouped(units)} units` : grouped(formatUnits(BigInt(units), precision))
  return symbol === null ? number : `${number} ${symbol}`
}

export function placeOf(places: readonly BridgePlace[], id: string): BridgePlace {
  return places.find((place) => place.id === id) ?? { id, name: id, domain: null, chain: null, transactionPage: null }
}

/** Name of a domain's chain for people; the number when no chain of it is configured. */
export function nameOfDomain(places: readonly BridgePlace[], domain: string): string {
  return places.find((place) => place.domain === domain)?.name ?? `domain ${domain}`
}

const isEvmTransaction = (id: string) => id.startsWith('0x')

/** Titles of what ended a leg. `at` is the chain of the transaction. */
const OUTCOMES: Record<string, { title: string; state: Step['state'] }> = {
  credited: { title: 'Credited', state: 'done' },
  parked: { title: 'Arrived', state: 'done' },
  forwarded: { title: 'Forwarded', state: 'done' },
  bounced: { title: 'Refused', state: 'failed' },
  released: { title: 'Paid out', state: 'done' },
  expired: { title: 'Expired', state: 'failed' },
  refunded: { title: 'Refunded', state: 'failed' },
}

/**
 * Chain of the transaction that a leg's status rests on. The API names the transaction only: a deposit ends on the
 * ledger's chain, a payout on the destination where that is indexed, and a refund on the ledger's chain.
 */
function chainOfOutcome({ kind, from, to, status, dst_tx }: Leg, places: readonly BridgePlace[]): string {
  if (kind === 'deposit') return to.chain
  if (dst_tx !== null && isEvmTransaction(dst_tx)) return to.chain
  return status === 'released' && placeOf(places, to.chain).chain !== null ? to.chain : from.chain
}

/** Start of a leg, and its outcome when there is one. */
export function legSteps(leg: Leg, places: readonly BridgePlace[]): Step[] {
  const name = (id: string) => placeOf(places, id).name
  const { from, to, src_time, src_tx, dst_tx, dst_time } = leg
  const start: Step = {
    title: `Sent from ${name(from.chain)} to ${name(to.chain)}`,
    state: 'done',
    time: src_time,
    chain: from.chain,
    transaction: src_tx,
  }
  const outcome = OUTCOMES[leg.status]
  if (outcome === undefined) return [start]
  const chain = chainOfOutcome(leg, places)
  const where = leg.kind === 'withdrawal' && leg.status !== 'refunded' ? to.chain : chain
  return [
    start,
    { ...outcome, title: `${outcome.title} on ${name(where)}`, time: dst_time, chain, transaction: dst_tx },
  ]
}

const STATUSES: Record<Journey['status'], { label: string; tone: string }> = {
  arriving: { label: 'Arriving', tone: 'pending' },
  sending: { label: 'On its way', tone: 'pending' },
  delivered: { label: 'Delivered', tone: 'final' },
  bounced: { label: 'Not delivered', tone: 'failed' },
  returning: { label: 'Coming back', tone: 'pending' },
  returned: { label: 'Returned', tone: 'plain' },
}

/** Status of a journey with the tone of its badge. */
export function statusOf({ status }: Journey): { label: string; tone: string } {
  return STATUSES[status]
}

const ACTIONS: Record<string, string> = {
  credit: 'bring the proof of the deposit to the ledger’s chain',
  forward: 'pass the deposit on',
  claim: 'collect the credit',
  release: 'release the payout',
  expire: 'report the expiry',
  bounce: 'send the deposit back',
  recover: 'send the refund back',
}

/** Who has to do what next; null at the end. */
export function nextText({ next, to }: Journey): string | null {
  if (next === null) return null
  const does = next.action === null ? null : (ACTIONS[next.action] ?? next.action)
  switch (next.actor) {
    case 'automatic':
      return 'Nobody has to do anything: the chains do it.'
    case 'relayer':
      return does === null ? 'A relayer carries it on.' : `A relayer has to ${does}.`
    case 'recipient':
      return `The recipient${to.recipient === null ? '' : ` ${to.recipient}`} can ${does ?? 'go on'}.`
    default:
      return `Anyone can ${does ?? 'go on'}.`
  }
}

/** Whether a person goes on on the bridge page. */
export function waitsForPerson({ next }: Journey): boolean {
  return next?.actor === 'recipient' || next?.actor === 'anyone'
}
