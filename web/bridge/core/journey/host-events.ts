// Events of a transfer for the host page of a widget. All members are public on the chains.
import { formatUnits } from '../../../shared/amounts.ts'
import type { JourneyAnswer } from '../answers.ts'
import type { Way } from '../routes.ts'
import type { FinishedData, SentData, TransactionRef } from '../types.ts'
import type { OwnTransaction, State } from './state.ts'

function directionOf({ route, from, homeId }: Way): SentData['direction'] {
  if (route.via !== null) return 'hop'
  return from.id === homeId ? 'withdrawal' : 'deposit'
}

/** Without links to explorers: the view adds them where one is configured. */
function refOf({ chain, label, ref }: OwnTransaction): TransactionRef {
  return { chain, label, ref, url: '' }
}

export function sentData({ order, own }: State): SentData {
  const transactions = own.map(refOf)
  if (order === null)
    return {
      direction: 'hop',
      from_chain: '',
      to_chain: '',
      token: '',
      amount: '',
      sender: '',
      recipient: '',
      transactions,
    }
  const { way, units, sender, recipient, draft } = order
  return {
    direction: directionOf(way),
    from_chain: draft.from,
    to_chain: draft.to,
    token: draft.token,
    amount: formatUnits(units, way.route.precision),
    sender,
    recipient,
    transactions,
  }
}

export function finishedData({ own }: State, answer: JourneyAnswer): FinishedData {
  const { symbol, amount, precision } = answer.deposit
  return {
    key: answer.key,
    outcome: answer.status === 'returned' ? 'returned' : 'delivered',
    token: symbol ?? '',
    amount: precision === null ? amount : formatUnits(BigInt(amount), precision),
    transactions: own.map(refOf),
  }
}
