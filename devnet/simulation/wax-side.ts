// Activity on wax: users deposit into the bridge, the relayer pays the ledger's withdrawals.

import type { Asset } from '../../core/antelope/asset.ts'
import type { ActionCall } from '../chain/contract.ts'
import { call } from '../contracts/actions.ts'
import { WAX_DOMAIN } from '../contracts/bridge/domains.ts'
import { BRIDGE, bridgedTokens, EVM_TOKENS, RELAYER } from '../contracts/exchange.ts'
import { transfer } from '../contracts/trader/view.ts'
import type { Acting, LogReader } from './acting.ts'
import type { Agenda, Task } from './agenda.ts'
import { type DepositKind, depositKind, destination, isHop } from './journeys.ts'
import { JOURNEYS_AT_ONCE, type Pace } from './pace.ts'
import { retryAt } from './retry.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A withdrawal of the ledger to pay on wax. */
export interface Payment {
  id: bigint
  token_contract: string
  recipient: string
  quantity: Asset
  /** Unix milliseconds. */
  deadline: number
}

export class WaxSide implements LogReader {
  private readonly agenda: Agenda
  private readonly pace: Pace

  constructor(agenda: Agenda, pace: Pace) {
    this.agenda = agenda
    this.pace = pace
    this.agenda.post(this.journey(0, pace.start + 2 * HOUR))
    // At the end of history the receivers have refused these deposits, which wait for their bounce.
    for (const minutes of [50, 40]) this.lateDeposit('refused', pace.end - minutes * MINUTE)
    this.lateDeposit('bad hop', pace.end - 45 * MINUTE)
  }

  logged(name: string, _data: Record<string, unknown>, acting: Acting): void {
    if (name === 'deplog') acting.hurry()
  }

  /** @param at  Unix milliseconds of the relayer's payment */
  pay({ deadline, ...payment }: Payment, at: number): void {
    const data = { ...payment, memo: `withdrawal ${payment.id}` }
    const run = (acting: Acting, task: Task) => {
      if (acting.now > deadline) {
        // Once this block is irreversible, it is certain that the withdrawal was not paid in time.
        acting.hurry()
        return null
      }
      if (acting.now > deadline - HOUR) return deadline + 1000
      if (acting.push([call(BRIDGE, 'pay', RELAYER, data)])) return null
      return Math.min(retryAt(acting.now, task), deadline + 1000)
    }
    this.agenda.post({ key: `pay w:${payment.id}`, at, urgent: true, reach: 0, run })
  }

  private journey(n: number, at: number): Task {
    const run = (acting: Acting) => {
      const { view, now } = acting
      for (let i = 0; i < JOURNEYS_AT_ONCE; i++) acting.push(deposit(acting, depositKind(n + i, view.random())))
      acting.add(this.journey(n + JOURNEYS_AT_ONCE, this.pace.nextJourney(now, view.random())))
      return null
    }
    return { key: `journey ${n}`, at, urgent: false, reach: 0, run }
  }

  /** A deposit of a kind in the last hours of history. */
  private lateDeposit(kind: DepositKind, at: number): void {
    if (at < this.pace.start + 2 * HOUR) return
    const run = (acting: Acting) => {
      acting.push(deposit(acting, kind))
      return null
    }
    this.agenda.post({ key: `${kind} at ${at}`, at, urgent: false, reach: 0, run })
  }
}

function deposit({ view }: Acting, kind: DepositKind): ActionCall[] {
  const tokens = bridgedTokens(view.profile).filter(({ code }) => !isHop(kind) || EVM_TOKENS[code] !== undefined)
  const token = view.pick(tokens)
  const user = view.user()
  const quantity = view.affordable(user, token, view.between(20, 300))
  const { telosTo, memo } = destination(kind, WAX_DOMAIN, user, view)
  return quantity
    ? [transfer(token.contract, user, BRIDGE, quantity, memo === '' ? telosTo : `${telosTo}:${memo}`)]
    : []
}
