// Looks for a transaction that the user signed: on its chain, through the wallet's node, and at the bridge. A
// transaction that the wallet replaced to speed it up has another hash; it is found by its deposit.
import type { JourneyAnswer, LegAnswer } from '../answers.ts'
import { depositNonce } from '../evm/calls.ts'
import { isGone, type Receipt, receiptOf, trial } from '../evm/provider.ts'
import { evmFault, Fault } from '../faults.ts'
import { sameAddress } from '../parties.ts'
import type { EvmWallet, Wallet } from '../types.ts'
import { fillTemplate } from './prepare.ts'
import type { Call, JourneyInput, Order } from './state.ts'
import type { Surroundings } from './surroundings.ts'

/** Ask the bridge at every third attempt while the wallet's node can be asked. */
const BRIDGE_EVERY = 3
/** Attempts after which the transaction may have been replaced, when the node cannot tell. */
const MAX_TRIES = 15

export interface Sought {
  order: Order
  wallet: Wallet
  call: Call | null
  ref: string
  last: boolean
  tries: number
  /** Deposits of the sender from before. */
  known: ReadonlySet<string>
}

/** @returns what happened, in order */
export async function lookFor(around: Surroundings, sought: Sought): Promise<JourneyInput[]> {
  const { wallet } = sought
  if (wallet.kind === 'antelope') return (await fromBridge(around, sought)) ?? [{ type: 'missing' }]
  const receipt = await receiptOf(wallet, sought.ref).catch(() => null)
  if (receipt !== null) return fromReceipt(around, sought, wallet, receipt)
  if (!sought.last) return [{ type: 'missing' }]
  if (sought.tries % BRIDGE_EVERY === BRIDGE_EVERY - 1) {
    const located = await fromBridge(around, sought)
    if (located !== null) return located
    const gone = await isGone(wallet, sought.ref)
    if (gone === true || sought.tries > MAX_TRIES)
      return (await findReplacement(around, sought)) ?? [{ type: 'missing' }]
  }
  return [{ type: 'missing' }]
}

async function fromReceipt(
  around: Surroundings,
  { order, call, ref, last }: Sought,
  wallet: EvmWallet,
  { ok, logs }: Receipt,
): Promise<JourneyInput[]> {
  if (!ok) return [{ type: 'reverted', trouble: await whyReverted(wallet, call) }]
  if (!last) return [{ type: 'mined' }]
  const vault = order.way.route.how.deposit?.contract ?? ''
  const nonce = depositNonce(logs, vault)
  if (nonce !== null) return [{ type: 'located', key: `d:${order.way.domain}:${nonce}` }]
  return (await fromBridge(around, { order, ref })) ?? [{ type: 'missing' }]
}

async function whyReverted(wallet: EvmWallet, call: Call | null) {
  const reverted = new Fault('TRANSACTION_REVERTED', 'The transaction is in a block, but the contract has refused it.')
  if (call?.body.kind !== 'evm') return troubleOf(reverted)
  try {
    await trial(wallet, call.body.call)
    return troubleOf(reverted)
  } catch (error) {
    return troubleOf(evmFault(error))
  }
}

export const troubleOf = ({ code, message }: Fault) => ({ code, text: message })

async function fromBridge(
  { api }: Surroundings,
  { order, ref }: Pick<Sought, 'order' | 'ref'>,
): Promise<JourneyInput[] | null> {
  const journeys = await api.journeysOfTransaction(ref).catch(() => [])
  const found = journeys.find((one) => fits(one, order)) ?? journeys[0]
  return found === undefined ? null : [{ type: 'located', key: found.key }]
}

/** A transaction may begin several journeys. */
function fits({ deposit, to }: JourneyAnswer, order: Order): boolean {
  return deposit.amount === String(order.units) && sameAddress(to.recipient ?? '', order.recipient)
}

/** A new deposit of the sender that differs only in its transaction. */
async function findReplacement({ api }: Surroundings, { order, known, ref }: Sought): Promise<JourneyInput[] | null> {
  const deposits = await api.depositsOf(order.sender).catch((): LegAnswer[] => [])
  const memo = fillTemplate(order.way.route.how.deposit?.memo ?? '', order)
  const found = deposits.find(
    (leg) =>
      !known.has(leg.key) &&
      leg.from.chain === order.way.from.id &&
      leg.symbol === order.draft.token &&
      leg.amount === String(order.units) &&
      (leg.memoText ?? '') === memo &&
      leg.src_tx !== null &&
      leg.src_tx !== ref,
  )
  return found === undefined
    ? null
    : [
        { type: 'replaced', ref: found.src_tx as string },
        { type: 'located', key: found.key },
      ]
}
