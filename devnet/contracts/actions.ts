// Helpers for contracts: authorizations, inline actions with the contract's own authority, token payments.
import type { Asset } from '../../core/antelope/asset.ts'
import { asUnixSeconds, type UnixSeconds } from '../../core/antelope/time.ts'
import type { Actions } from '../../core/contracts/token.ts'
import type { ActionCall, ActionData, ApplyContext } from '../chain/contract.ts'

/** Members of a token transfer. */
export type Transfer = Actions['transfer']

/** Members of an action, typed by the caller: the chain has decoded them by the contract's ABI. */
export function membersOf<Members>({ data }: Pick<ActionCall, 'data'>): Members {
  return data as Members
}

/** Block time as contracts see it. */
export function nowSeconds(context: ApplyContext): UnixSeconds {
  return asUnixSeconds(Math.floor(context.now / 1000))
}

export function requireAuthority(context: ApplyContext, actor: string): void {
  const signed = context.action.authorization.some((level) => level.actor === actor)
  context.check(signed, `missing authority of ${actor}`)
}

/** An action authorised by an account's `active` permission. */
export function call(account: string, name: string, actor: string, data: ActionData): ActionCall {
  return { account, name, authorization: [{ actor, permission: 'active' }], data }
}

/** Queues a log action of the running contract. */
export function log(context: ApplyContext, name: string, data: ActionData): void {
  context.inline(call(context.receiver, name, context.receiver, data))
}

/** Queues a token transfer out of the running contract. */
export function pay(context: ApplyContext, token: string, to: string, quantity: Asset, memo: string): void {
  context.inline(call(token, 'transfer', context.receiver, { from: context.receiver, to, quantity, memo }))
}

/** The token transfer to the contract that is being notified; null for other actions and for its own payments. */
export function incomingTransfer(context: ApplyContext): Transfer | null {
  const { receiver, action } = context
  if (action.account === receiver || action.name !== 'transfer') return null
  const transfer = membersOf<Transfer>(action)
  return transfer.to === receiver && transfer.from !== receiver ? transfer : null
}
