// Presents a transfer: a pure function of its state and of the page's configured chains.
import { formatUnits } from '../../../shared/amounts.ts'
import type { JourneyAnswer } from '../answers.ts'
import type { Action, Draft, JourneyView, Phase, Stage, TransactionRef } from '../types.ts'
import { isEnd, startLabel } from './machine.ts'
import { legsOf, type Names, type Shape, shapeOfAnswer, shapeOfWay } from './shape.ts'
import { stagesOf } from './stages.ts'
import type { Act, OwnTransaction, State } from './state.ts'

export interface Places extends Names {
  explorer(chain: string, transaction: string): string
}

/** Greatest percentage before the end. */
export const WORKING = 99
/** Polls after which an unknown key or transaction is mentioned. */
const UNKNOWN_POLLS = 30

export function viewOf(state: State, places: Places): JourneyView {
  const { answer, order } = state
  const shape =
    answer !== null && order === null ? shapeOfAnswer(answer, places) : order && shapeOfWay(order.way, places)
  const phase = phaseOf(state)
  const transactions = transactionsOf(state, shape, places)
  return {
    phase,
    key: state.key,
    headline: headlineOf(state, shape),
    percent: percentOf(state),
    left: leftOf(state),
    draft: draftOf(state),
    sender: order?.sender ?? answer?.from.address ?? null,
    back: backOf(state, places),
    stages: shape === null ? [] : withTransactions(stagesOf(shape, state, answer), transactions, state, shape),
    actions: actionsOf(state, shape, places),
    transactions,
    error: state.error,
    warnings: warningsOf(state),
    safeToLeave: state.local.at === 'following' || (state.local.at === 'mining' && (state.local.call?.last ?? true)),
  }
}

function phaseOf({ local, answer, acting }: State): Phase {
  if (local.at === 'checking') return 'checking'
  if (local.at === 'signing') return 'signing'
  if (local.at === 'failed') return 'failed'
  if (local.at === 'mining' || answer === null) return 'moving'
  if (answer.status === 'delivered' || answer.status === 'returned') return answer.status
  if (acting !== null) return acting.at === 'signing' ? 'signing' : acting.at === 'preparing' ? 'checking' : 'moving'
  return waitsForPerson(answer) ? 'waiting' : 'moving'
}

function waitsForPerson({ next }: JourneyAnswer): boolean {
  return next !== null && (next.actor === 'recipient' || next.actor === 'anyone')
}

function percentOf({ local, answer }: State): number {
  if (local.at === 'failed' || local.at === 'checking') return 0
  if (local.at === 'signing') return local.call.last ? 2 : 1
  if (answer === null) return 3
  return isEnd(answer) ? 100 : Math.max(4, Math.min(WORKING, answer.progress.percent))
}

function headlineOf({ local, answer, acting, order, unknown }: State, shape: Shape | null): string {
  const from = shape?.from.name ?? 'its chain'
  switch (local.at) {
    case 'checking':
      return 'Checking what is needed before anything is signed.'
    case 'signing':
      return local.call.last
        ? 'Confirm the transfer in your wallet. Compare recipient and amount there.'
        : 'Confirm the allowance in your wallet.'
    case 'failed':
      return 'Nothing is under way.'
    case 'mining':
      if (local.call?.last === false) return `Waiting for the allowance to be in a block of ${from}.`
      return local.tries > UNKNOWN_POLLS
        ? `The transaction is in no block yet. If you have cancelled it in the wallet, nothing was sent.`
        : `Signed. Waiting for a block of ${from}.`
    default:
  }
  if (answer === null)
    return unknown === 0 && order === null
      ? 'Asking the bridge.'
      : 'The bridge does not know this transfer yet. It is asked again; a new one takes a moment to appear.'
  if (answer.status === 'delivered') return order === null ? 'Delivered.' : `Delivered on ${shape?.to.name}.`
  if (answer.status === 'returned') return 'It could not be delivered. The tokens are back.'
  if (acting?.at === 'preparing') return 'Checking before the wallet is asked.'
  if (acting?.at === 'signing') return `Confirm it in your wallet: ${acting.label}.`
  if (acting?.at === 'mining') return 'Signed. Waiting for its block.'
  if (acting?.at === 'noticing') return 'Done on its chain. Waiting for the bridge to see it.'
  const { stage } = answer.progress
  return `${stage.slice(0, 1).toUpperCase()}${stage.slice(1)}.`
}

function leftOf({ local, answer }: State): string | null {
  if (local.at !== 'following' || answer === null || isEnd(answer) || waitsForPerson(answer)) return null
  const seconds = answer.progress.etaSeconds
  return seconds === null ? null : `about ${duration(seconds)} left`
}

/** `40 seconds`, `12 minutes`, `3 hours`, `6 days`. */
export function duration(seconds: number): string {
  const [count, unit] =
    seconds < 90
      ? [Math.max(1, Math.round(seconds)), 'second']
      : seconds < 5400
        ? [Math.round(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.round(seconds / 3600), 'hour']
          : [Math.round(seconds / 86_400), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function draftOf({ order, answer }: State): Draft {
  if (order !== null) return order.draft
  if (answer === null) return { from: '', to: '', token: '', amount: '', recipient: '' }
  const { symbol, amount, precision } = answer.deposit
  return {
    from: answer.from.chain,
    to: answer.to.chain,
    token: symbol ?? '',
    amount: precision === null ? amount : formatUnits(BigInt(amount), precision),
    recipient: answer.to.recipient ?? '',
  }
}

function backOf({ order, answer }: State, places: Places): string | null {
  if (answer?.back?.recipient) return `${answer.back.recipient} on ${places.nameOf(answer.back.chain)}`
  return order === null ? null : `${order.sender} on ${order.way.from.name}`
}

function warningsOf({ answer, takenBack, unknown, order, failures }: State): string[] {
  const warnings = [...(answer?.warnings ?? [])]
  if (takenBack) warnings.push('A fork of a chain has taken a step back. It usually comes again by itself.')
  if (unknown > UNKNOWN_POLLS && order === null)
    warnings.push('The bridge knows no transfer of this key. Look whether it is written right.')
  if (failures > 2) warnings.push('What you see may be old: the bridge has not answered for a while.')
  return warnings
}

const LABELS: Readonly<Record<Act, (shape: Shape) => string>> = {
  collect: ({ home }) => `Collect on ${home.name}`,
  release: ({ to }) => `Release on ${to.name}`,
  expire: () => 'Expire it, so that it goes back',
  recover: ({ home }) => `Send it back from ${home.name}`,
  forward: () => 'Have it delivered now',
  bounce: () => 'Send it back',
}
const BY_ANSWER: Readonly<Record<string, Act>> = {
  claim: 'collect',
  release: 'release',
  expire: 'expire',
  recover: 'recover',
}

/** The withdrawal that waits on an EVM chain, with the id of that chain. */
export function waitingExit(answer: JourneyAnswer): { key: string; chain: string } | null {
  const { onward, back } = legsOf(answer)
  if (back !== null) return { key: back.key, chain: answer.back?.chain ?? answer.from.chain }
  return onward === null ? null : { key: onward.key, chain: answer.to.chain }
}

function actionsOf(state: State, shape: Shape | null, places: Places): Action[] {
  const { local, answer, acting, order, possible } = state
  if (local.at === 'failed' && order !== null) {
    const { kind, id: chain } = order.way.from
    return [{ name: 'retry', label: 'Try again', primary: true, wallet: { kind, chain }, blocked: null }]
  }
  if (local.at !== 'following' || answer === null || shape === null || isEnd(answer)) return []
  const named = BY_ANSWER[answer.next?.action ?? '']
  const names = [...(named === undefined ? [] : [named]), ...possible.filter((name) => name !== named)]
  const busy =
    acting === null ? null : acting.at === 'noticing' ? 'Done; waiting for the bridge to see it.' : 'Under way.'
  return names.map((name) => {
    const exit = name === 'release' || name === 'expire' ? waitingExit(answer) : null
    const kind = exit === null ? 'antelope' : 'evm'
    const chain = exit?.chain ?? shape.home.id
    const label = exit && name === 'release' ? `Release on ${places.nameOf(chain)}` : LABELS[name](shape)
    return { name, label, primary: name === named, wallet: { kind, chain }, blocked: busy }
  })
}

/** The page's own transactions, and those in the bridge's answer. */
function transactionsOf(state: State, shape: Shape | null, places: Places): TransactionRef[] {
  const list: OwnTransaction[] = [...state.own]
  const add = (chain: string, label: string, ref: string | null) => {
    if (ref !== null && !list.some((one) => one.ref.toLowerCase() === ref.toLowerCase()))
      list.push({ chain, label, ref })
  }
  const { answer } = state
  if (answer !== null && shape !== null) {
    add(answer.from.chain, startLabel(shape.from.kind), answer.deposit.src_tx)
    for (const { key, status, tx } of answer.legs) {
      const isDeposit = key.startsWith('d:')
      const exit = waitingExit(answer)
      const there = exit?.key === key ? exit.chain : answer.to.chain
      if (isDeposit && status !== 'seen' && status !== 'provable') add(shape.home.id, PROGRESS[status] ?? 'Credit', tx)
      if (!isDeposit && (status === 'released' || tx?.startsWith('0x'))) add(there, PROGRESS[status] ?? 'Release', tx)
      else if (!isDeposit) add(shape.home.id, PROGRESS[status] ?? 'Burn', tx)
    }
  }
  return list.map(({ chain, label, ref }) => ({
    chain,
    label,
    ref,
    url: places.explorer(chain, ref),
  }))
}

const PROGRESS: Readonly<Record<string, string>> = {
  credited: 'Credit',
  parked: 'Arrival',
  forwarded: 'Delivery',
  bounced: 'Bounce',
  burned: 'Burn',
  provable: 'Burn',
  released: 'Release',
  expired: 'Expiry',
  refunded: 'Refund',
}

const OF_STAGE: Readonly<Record<string, readonly string[]>> = {
  approve: ['Reset allowance', 'Approve'],
  send: ['Deposit', 'Transfer'],
  credit: ['Credit', 'Arrival'],
  forward: ['Delivery', 'Bounce'],
  collect: ['Collect'],
  release: ['Learn', 'Release', 'Expiry', 'Expire'],
  payout: ['Release'],
  refund: ['Refund'],
  recover: ['Send back'],
}

/** Steps with the same name on the way out and on the way back, each on its own chain. */
const EXITS: readonly string[] = ['release', 'payout']
const BACK = /^back-/

function withTransactions(
  stages: readonly Stage[],
  transactions: readonly TransactionRef[],
  { answer }: State,
  { from, to }: Shape,
): Stage[] {
  return stages.map((stage) => {
    const id = stage.id.replace(BACK, '')
    const labels = OF_STAGE[id] ?? []
    const place = !EXITS.includes(id) ? null : BACK.test(stage.id) ? (answer?.back?.chain ?? from.id) : to.id
    const isHere = ({ label, chain }: TransactionRef) => labels.includes(label) && (place === null || chain === place)
    return { ...stage, transactions: transactions.filter(isHere) }
  })
}
