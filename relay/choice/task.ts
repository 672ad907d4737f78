// The work as tasks, one for each entry of the bridge API's lists. A task names where it is sent, who is concerned and
// which actions may be tried, in order.
import { isEvmDomain } from '../../core/chains.ts'
import type {
  PendingDeposit,
  PendingHop,
  PendingSettlement,
  PendingWithdrawal,
  PendingWork,
  RelayAction,
} from '../pending.ts'

/** Amount in ledger units. */
interface Amount {
  symbol: string
  units: bigint
  decimals: number
}

interface Shared {
  /** Key of the transfer or journey. */
  leg: string
  /** Actions to try, in order; only one of them may be open. */
  actions: readonly RelayAction[]
  /** Domain of the chain to send to; null: the ledger's chain. */
  to: bigint | null
  /** Accounts and addresses concerned, in lower case. */
  parties: readonly string[]
  /** What is transferred; null when the API does not say. */
  amount: Amount | null
  /** Part of the amount that the sender gets. */
  fee: bigint
}

export type Task = Shared &
  (
    | { kind: 'withdrawal'; entry: PendingWithdrawal }
    | { kind: 'deposit'; entry: PendingDeposit }
    | { kind: 'settlement'; entry: PendingSettlement }
    | { kind: 'hop'; entry: PendingHop }
  )

/** A withdrawal on an EVM chain. */
export type EvmTask = Extract<Task, { kind: 'withdrawal' }>

/** Tasks in the order of the lists. What no sender can do is left out: `expire` on an Antelope chain is a `settle`. */
export function tasksOf(work: PendingWork): Task[] {
  return [
    ...work.pending.flatMap(withdrawalTask),
    ...work.deposits.map(depositTask),
    ...work.settlements.map(settlementTask),
    ...work.hops.map(hopTask),
  ]
}

function amountOf(symbol: string | null, amount: string, precision: number | null): Amount | null {
  return symbol === null || precision === null ? null : { symbol, units: BigInt(amount), decimals: precision }
}

function withdrawalTask(entry: PendingWithdrawal): Task[] {
  const to = BigInt(entry.domain)
  const isEvm = isEvmDomain(to)
  if (!isEvm && entry.action === 'expire') return []
  return [
    {
      kind: 'withdrawal',
      leg: entry.key,
      actions: [isEvm ? entry.action : 'pay'],
      to,
      parties: [entry.recipient.toLowerCase()],
      amount: amountOf(entry.symbol, entry.amount, entry.precision),
      fee: entry.action === 'release' && isEvm ? BigInt(entry.fee) : 0n,
      entry,
    },
  ]
}

function depositTask(entry: PendingDeposit): Task {
  return {
    kind: 'deposit',
    leg: entry.key,
    actions: entry.actions,
    to: null,
    parties: entry.recipient === null ? [] : [entry.recipient.toLowerCase()],
    amount: amountOf(entry.symbol, entry.amount, entry.precision),
    fee: 0n,
    entry,
  }
}

function settlementTask(entry: PendingSettlement): Task {
  const parties = entry.owner === null ? [] : [entry.owner]
  return {
    kind: 'settlement',
    leg: entry.key,
    actions: [entry.action],
    to: null,
    parties,
    amount: null,
    fee: 0n,
    entry,
  }
}

function hopTask(entry: PendingHop): Task {
  return { kind: 'hop', leg: entry.key, actions: ['recover'], to: null, parties: [], amount: null, fee: 0n, entry }
}
