// Activity on the ledger: the relayer pushes deposits and outcomes of withdrawals, delivers parked deposits, and
// bounces deposits that no receiver takes; owners claim, withdraw and get refunds.

import type { ActionCall } from '../chain/contract.ts'
import { call, membersOf } from '../contracts/actions.ts'
import { type PolicyRow, packProof, rootKey } from '../contracts/bridge/antelope-gateway.ts'
import { WAX_DOMAIN } from '../contracts/bridge/domains.ts'
import type { HopRow } from '../contracts/bridge/hop.ts'
import { BRIDGE, GATEWAYS, HOP, RELAYER } from '../contracts/exchange.ts'
import type { Acting, LogReader } from './acting.ts'
import type { Agenda, Task } from './agenda.ts'
import type { Evidence, PolicyEvidence } from './evidence.ts'
import { withdrawalKind } from './journeys.ts'
import type { ToTelos } from './messages.ts'
import { JOURNEYS_AT_ONCE, type Pace } from './pace.ts'
import { retryAt } from './retry.ts'
import { withdrawal } from './withdrawing.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NO_BYTES = new Uint8Array()
/** Delay of the relayer's deliveries of parked deposits. */
const DELIVERY_DELAY = 6 * SECOND
/** Minimum time that owners take for a step of the way back, a refund or a recovery. */
const MIN_STEP_BACK = 2 * HOUR
/** An expired withdrawal concerns another chain after its refund and its recovery. */
export const SETTLED_REACH = 2 * MIN_STEP_BACK

/** Expiry of withdrawals that are never taken, in milliseconds after the end of history. */
const EXPIRY_OFFSETS = [0, 3 * MINUTE]

/** Key of a deposit. */
interface DepositKey {
  domain: bigint
  nonce: bigint
}

export class TelosSide implements LogReader {
  private readonly agenda: Agenda
  private readonly pace: Pace
  private readonly apart: boolean
  /** All policies of wax after the first, oldest first. */
  private readonly handoffs: PolicyEvidence[] = []

  /** @param apart  whether outside programs deliver, bounce and refund after the end of history */
  constructor(agenda: Agenda, pace: Pace, apart: boolean) {
    this.agenda = agenda
    this.pace = pace
    this.apart = apart
    this.agenda.post(this.journey(0, pace.start + 3 * HOUR))
    for (const [i, late] of EXPIRY_OFFSETS.entries()) this.unclaimedWithdrawal(`sleepy ${i}`, pace.end - 7 * DAY + late)
  }

  /** The relayer credits a deposit with the packed proof for its gateway. @param at Unix milliseconds */
  credit(gateway: string, { domain, nonce }: DepositKey, proof: Uint8Array, at: number): void {
    const calls = () => [call(gateway, 'credit', RELAYER, { relayer: RELAYER, nonce, proof })]
    this.pushUntilAccepted(`credit d:${domain}:${nonce}`, at, calls)
  }

  /** Handles a message from wax. */
  receive(message: ToTelos): void {
    const { at } = message
    const relayer = RELAYER
    if (message.kind === 'genesis') {
      const calls = [call(GATEWAYS.wax, 'follow', relayer, { relayer, policy: message.policy })]
      this.pushUntilAccepted('follow wax', at, () => calls)
    } else if (message.kind === 'policy') this.handoffs.push(message.evidence)
    else if (message.kind === 'deposit') {
      const { nonce } = message.log
      const credit = { relayer, nonce, proof: packProof(message.evidence.proof) }
      const calls = [call(GATEWAYS.wax, 'credit', RELAYER, credit)]
      this.pushUntilAccepted(`credit d:${WAX_DOMAIN}:${nonce}`, at, this.withRoot(message.evidence, calls))
    } else if (message.kind === 'payment') {
      const { id } = message.log
      const settle = { relayer, id, released: true, proof: packProof(message.evidence.proof) }
      const calls = [call(GATEWAYS.wax, 'settle', RELAYER, settle)]
      this.reportOutcome(id, at, this.withRoot(message.evidence, calls))
    } else {
      const { id } = message
      const calls = [call(GATEWAYS.wax, 'settle', RELAYER, { relayer, id, released: false, proof: NO_BYTES })]
      this.reportOutcome(id, at, () => calls)
    }
  }

  /** The relayer reports the outcome of a withdrawal on an EVM chain. @param at Unix milliseconds */
  settle(id: bigint, released: boolean, proof: Uint8Array, at: number): void {
    const calls = () => [call(GATEWAYS.evm, 'settle', RELAYER, { relayer: RELAYER, id, released, proof })]
    this.reportOutcome(id, at, calls)
  }

  /** Prepends the roots and policies that the proof needs and the gateway does not know yet. */
  private withRoot({ root }: Evidence, calls: readonly ActionCall[]): (acting: Acting) => ActionCall[] {
    const { finalityMroot, activeGeneration } = root.finality
    const relayer = RELAYER
    return ({ view }) => {
      const tables = view.tables(GATEWAYS.wax)
      if (tables.get('roots', GATEWAYS.wax, rootKey(finalityMroot))) return [...calls]
      const newest = Number(tables.rows<PolicyRow>('policies', GATEWAYS.wax).at(-1)?.generation ?? 0)
      const lacking = this.handoffs.filter(({ handoff }) => {
        const generation = handoff.lastPendingGeneration
        return generation > newest && generation <= activeGeneration
      })
      const learn = lacking.map((evidence) => call(GATEWAYS.wax, 'learn', relayer, { relayer, ...evidence }))
      return [...learn, call(GATEWAYS.wax, 'submitroot', relayer, { relayer, root }), ...calls]
    }
  }

  logged(name: string, data: Record<string, unknown>, acting: Acting): void {
    const { now, view } = acting
    if (name === 'wdlog') acting.hurry()
    else if (name === 'credlog' && view.random() < 0.85) this.claimed(membersOf<DepositKey>({ data }), data, acting)
    else if (this.apart && now > this.pace.end) return
    else if (name === 'parklog') {
      const key = membersOf<DepositKey>({ data })
      acting.add(this.delivery(key, now + DELIVERY_DELAY))
    } else if (name === 'settlelog' && !data.released) {
      const id = data.id as bigint
      const refund = (a: Acting) => [call(BRIDGE, 'refund', a.view.user(), { id })]
      acting.add(once(`refund w:${id}`, now + view.between(1, 1.25) * MIN_STEP_BACK, refund, MIN_STEP_BACK))
    } else if (name === 'refundlog' && data.owner === HOP) this.recovered(data.id as bigint, acting)
  }

  private claimed({ domain, nonce }: DepositKey, log: Record<string, unknown>, acting: Acting): void {
    const owner = log.owner as string
    const { symbol } = log.quantity as { symbol: string }
    const calls = () => [call(BRIDGE, 'claim', owner, { owner, sym_code: symbol })]
    const longest = acting.now > this.pace.end ? 3 : 600
    acting.add(once(`claim d:${domain}:${nonce}`, acting.now + acting.view.between(1, longest) * MINUTE, calls))
  }

  /** A delivery that the receiver refuses is bounced after an hour. */
  private delivery({ domain, nonce }: DepositKey, at: number): Task {
    const run = (acting: Acting) => {
      const { now, view } = acting
      if (acting.push([call(BRIDGE, 'forward', RELAYER, { domain, nonce })])) return null
      const bounce = (a: Acting) => [call(BRIDGE, 'bounce', a.view.user(), { domain, nonce })]
      const sentBack = now + HOUR + view.between(5, 20) * MINUTE
      if (!this.apart || sentBack <= this.pace.end) acting.add(once(`bounce d:${domain}:${nonce}`, sentBack, bounce, 0))
      return null
    }
    return { key: `forward d:${domain}:${nonce}`, at, urgent: true, reach: 0, run }
  }

  private recovered(withdrawalId: bigint, acting: Acting): void {
    const { now, view } = acting
    for (const { id, wd_id } of view.tables(HOP).rows<HopRow>('hops', HOP)) {
      if (wd_id !== withdrawalId) continue
      const recover = (a: Acting) => [call(HOP, 'recover', a.view.user(), { id })]
      acting.add(once(`recover ${id}`, now + view.between(1, 1.25) * MIN_STEP_BACK, recover, 0))
    }
  }

  private journey(n: number, at: number): Task {
    const run = (acting: Acting) => {
      const { view, now } = acting
      for (let i = 0; i < JOURNEYS_AT_ONCE; i++) acting.push(withdrawal(view, withdrawalKind(n + i, view.random())))
      acting.add(this.journey(n + JOURNEYS_AT_ONCE, this.pace.nextJourney(now, view.random())))
      return null
    }
    return { key: `journey ${n}`, at, urgent: false, reach: 0, run }
  }

  /** A withdrawal to a recipient on the EVM side that never takes it. */
  private unclaimedWithdrawal(key: string, at: number): void {
    if (at < this.pace.start + DAY) return
    const run = (acting: Acting) => {
      acting.push(withdrawal(acting.view, 'to a sleeper'))
      return null
    }
    this.agenda.post({ key, at, urgent: true, reach: 0, run })
  }

  /** The relayer retries a deposit until it is accepted; it is delivered soon after. */
  private pushUntilAccepted(key: string, at: number, calls: (acting: Acting) => ActionCall[]): void {
    this.agenda.post({ key, at, urgent: true, reach: 0, run: untilAccepted(calls) })
  }

  /** The relayer reports an outcome until it is accepted; its consequences take hours. */
  private reportOutcome(id: bigint, at: number, calls: (acting: Acting) => ActionCall[]): void {
    this.agenda.post({ key: `settle w:${id}`, at, urgent: false, reach: SETTLED_REACH, run: untilAccepted(calls) })
  }
}

function untilAccepted(calls: (acting: Acting) => ActionCall[]): Task['run'] {
  return (acting, task) => (acting.push(calls(acting)) ? null : retryAt(acting.now, task))
}

/** A task that runs once, whether it is accepted or not. */
function once(key: string, at: number, calls: (acting: Acting) => ActionCall[], reach?: number): Task {
  const run = (acting: Acting) => {
    acting.push(calls(acting))
    return null
  }
  return { key, at: Math.round(at), urgent: false, reach, run }
}
