// What is done on the ledger: the relayer brings deposits and outcomes of withdrawals, delivers what is parked, sends
// back what nobody takes; owners claim, withdraw and get refunds.

import type { ActionCall } from '../chain/contract.ts'
import { call } from '../contracts/actions.ts'
import { type PaymentLog, packProven, rootKey } from '../contracts/bridge/antelope-gateway.ts'
import type { HopRow } from '../contracts/bridge/hop.ts'
import { BRIDGE, GATEWAYS, HOP, RELAYER } from '../contracts/exchange.ts'
import type { Acting, LogReader } from './acting.ts'
import type { Agenda, Task } from './agenda.ts'
import { withdrawalKind } from './journeys.ts'
import type { Pace } from './pace.ts'
import { retryAt } from './retry.ts'
import type { Evidence } from './wax-watcher.ts'
import { withdrawal } from './withdrawing.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A deposit or a withdrawal, as its key names it. */
interface DepositKey {
  domain: bigint
  nonce: bigint
}

/** What the ledger's side has to know of wax to let a withdrawal expire. */
export interface Payments {
  isPaid(id: bigint): boolean
  /** Unix milliseconds up to which that is known. */
  readonly finalTime: number
}

export class TelosSide implements LogReader {
  private readonly agenda: Agenda
  private readonly pace: Pace

  constructor(agenda: Agenda, pace: Pace) {
    this.agenda = agenda
    this.pace = pace
    this.agenda.post(this.journey(0, pace.start + 3 * HOUR))
  }

  /** The relayer credits a deposit that its gateway takes the packed proof of. @param at Unix milliseconds */
  credit(gateway: string, { domain, nonce }: DepositKey, proof: Uint8Array, at: number): void {
    const calls = () => [call(gateway, 'credit', RELAYER, { relayer: RELAYER, nonce, proof })]
    this.relay(`credit d:${domain}:${nonce}`, at, true, calls)
  }

  /** The same with a proof that leads to a root of wax. */
  creditFromWax(key: DepositKey, evidence: Evidence, at: number): void {
    const proof = packProven(evidence.proven)
    const credit = call(GATEWAYS.wax, 'credit', RELAYER, { relayer: RELAYER, nonce: key.nonce, proof })
    this.relay(`credit d:${key.domain}:${key.nonce}`, at, true, (acting) => [...newRoot(acting, evidence), credit])
  }

  /** The relayer tells what became of a withdrawal on an EVM chain. @param at Unix milliseconds */
  settle(id: bigint, released: boolean, proof: Uint8Array, at: number): void {
    const calls = () => [call(GATEWAYS.evm, 'settle', RELAYER, { relayer: RELAYER, id, released, proof })]
    this.relay(`settle w:${id}`, at, false, calls)
  }

  settlePaid({ id }: PaymentLog, evidence: Evidence, at: number): void {
    const proof = packProven(evidence.proven)
    const settle = call(GATEWAYS.wax, 'settle', RELAYER, { relayer: RELAYER, id, released: true, proof })
    this.relay(`settle w:${id}`, at, false, (acting) => [...newRoot(acting, evidence), settle])
  }

  /** Lets a withdrawal into wax expire once it is certain that it was not paid. @param deadline Unix milliseconds */
  expire(id: bigint, deadline: number, payments: Payments | null): void {
    const data = { relayer: RELAYER, id, released: false, proof: new Uint8Array() }
    const run = (acting: Acting, task: Task) => {
      if (payments?.isPaid(id)) return null
      if (payments && payments.finalTime <= deadline) return acting.now + 2 * MINUTE
      return acting.push([call(GATEWAYS.wax, 'settle', RELAYER, data)]) ? null : retryAt(acting.now, task)
    }
    this.agenda.post({ key: `expire w:${id}`, at: deadline + 2 * MINUTE, urgent: false, run })
  }

  logged(name: string, data: Record<string, unknown>, acting: Acting): void {
    const { now, view } = acting
    if (name === 'wdlog') acting.hurry()
    else if (name === 'credlog' && view.random() < 0.85) this.claimed(data as unknown as DepositKey, data, acting)
    else if (name === 'parklog') {
      const key = data as unknown as DepositKey
      acting.add(this.delivery(key, now + view.between(3, 15) * SECOND))
    } else if (name === 'settlelog' && !data.released) {
      const id = data.id as bigint
      const refund = (a: Acting) => [call(BRIDGE, 'refund', a.view.user(), { id })]
      acting.add(once(`refund w:${id}`, now + view.between(2, 2.5) * HOUR, refund))
    } else if (name === 'refundlog' && data.owner === HOP) this.recovered(data.id as bigint, acting)
  }

  private claimed({ domain, nonce }: DepositKey, log: Record<string, unknown>, acting: Acting): void {
    const owner = log.owner as string
    const { symbol } = log.quantity as { symbol: string }
    const calls = () => [call(BRIDGE, 'claim', owner, { owner, sym_code: symbol })]
    acting.add(once(`claim d:${domain}:${nonce}`, acting.now + acting.view.between(1, 600) * MINUTE, calls))
  }

  /** A delivery that the receiver refuses is sent back when it has waited for an hour. */
  private delivery({ domain, nonce }: DepositKey, at: number): Task {
    const run = (acting: Acting) => {
      const { now, view } = acting
      if (acting.push([call(BRIDGE, 'forward', RELAYER, { domain, nonce })])) return null
      const bounce = (a: Acting) => [call(BRIDGE, 'bounce', a.view.user(), { domain, nonce })]
      acting.add(once(`bounce d:${domain}:${nonce}`, now + HOUR + view.between(1, 20) * MINUTE, bounce))
      return null
    }
    return { key: `forward d:${domain}:${nonce}`, at: Math.round(at), urgent: true, run }
  }

  private recovered(withdrawalId: bigint, acting: Acting): void {
    const { now, view } = acting
    for (const { id, wd_id } of view.tables(HOP).rows<HopRow>('hops', HOP)) {
      if (wd_id !== withdrawalId) continue
      const recover = (a: Acting) => [call(HOP, 'recover', a.view.user(), { id })]
      acting.add(once(`recover ${id}`, now + view.between(2, 2.5) * HOUR, recover))
    }
  }

  private journey(n: number, at: number): Task {
    const run = (acting: Acting) => {
      const { view, now } = acting
      acting.push(withdrawal(view, withdrawalKind(n, view.random())))
      acting.add(this.journey(n + 1, this.pace.nextJourney(now, view.random())))
      return null
    }
    return { key: `journey ${n}`, at, urgent: false, run }
  }

  /** What the relayer sends until it is accepted. */
  private relay(key: string, at: number, urgent: boolean, calls: (acting: Acting) => ActionCall[]): void {
    const run = (acting: Acting, task: Task) => (acting.push(calls(acting)) ? null : retryAt(acting.now, task))
    this.agenda.post({ key, at, urgent, run })
  }
}

/** What somebody does when it is time, whether it is accepted or not. */
function once(key: string, at: number, calls: (acting: Acting) => ActionCall[]): Task {
  const run = (acting: Acting) => {
    acting.push(calls(acting))
    return null
  }
  return { key, at: Math.round(at), urgent: false, run }
}

/** The root that a proof leads to, unless the gateway has it. */
function newRoot({ view }: Acting, { proven, rootBlock }: Evidence): ActionCall[] {
  const { finalityMroot } = proven
  if (view.tables(GATEWAYS.wax).get('roots', GATEWAYS.wax, rootKey(finalityMroot))) return []
  const root = { relayer: RELAYER, block_num: rootBlock, finality_mroot: finalityMroot }
  return [call(GATEWAYS.wax, 'submitroot', RELAYER, root)]
}
