// A transfer that could not begin: its view states what has changed since the form was checked.
import type { Fault } from '../faults.ts'
import type { Draft, FailedData, Journey, JourneyView, Wallet } from '../types.ts'
import { troubleOf } from './look.ts'
import { senderOf } from './prepare.ts'

export function refusedJourney(draft: Draft, wallet: Wallet, fault: Fault): Journey {
  const error = troubleOf(fault)
  const sender = senderOf(wallet)
  const view: JourneyView = {
    phase: 'failed',
    key: null,
    headline: 'Nothing is under way.',
    percent: 0,
    left: null,
    draft,
    sender,
    back: null,
    stages: [],
    actions: [],
    transactions: [],
    error,
    warnings: [],
    safeToLeave: false,
  }
  const data: FailedData = {
    direction: 'hop',
    from_chain: draft.from,
    to_chain: draft.to,
    token: draft.token,
    amount: draft.amount,
    sender,
    recipient: draft.recipient,
    transactions: [],
    errorCode: error.code,
    error: error.text,
  }
  return {
    view,
    subscribe: () => () => {},
    listen(listener) {
      listener({ type: 'failed', data })
      return () => {}
    },
    act: async () => {},
    close() {},
  }
}
