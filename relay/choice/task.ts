// The work as tasks, one for each entry of the bridge API's lists. A task names where it is sent, who is concerned and
// which actions may be tried, in order.
import { isEvmDomain } from '../../core/chains.ts'
import type { ReleaseArguments } from '../../proofs/json.ts'
import type {
  PendingDeposit,
  PendingHop,
  PendingSettlement,
  PendingWithdrawal,
  PendingWork,
  RelayAction,
} from '../pending.ts'
import { NotAllowed } from './refusal.ts'
import type { Token, Tokens } from './tokens.ts'

/** Key of a transfer: `w:<id>`, or `d:<domain>:<nonce>`. */
const KEY = /^(w:\d{1,20}|d:\d{1,20}:\d{1,20})$/

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
  /** What is transferred; null when the ledger has no route of its token. */
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

/**
 * Tasks in the order of the lists. What no sender can do is left out: `expire` on an Antelope chain is a `settle`.
 *
 * @param tokens       by which amounts are read, whatever symbol and precision an entry has
 * @param onMalformed  called for an entry that is no task; the others are not affected
 */
export function tasksOf(
  work: PendingWork,
  tokens: Tokens,
  onMalformed: (key: string, error: unknown) => void = () => {},
): Task[] {
  const each = <E extends { key: string }>(entries: readonly E[], make: (entry: E) => Task[]): Task[] => {
    const known = new Set<string>()
    return entries.flatMap((entry) => {
      try {
        if (!KEY.test(entry.key)) throw new TypeError('its key is no key of a transfer')
        // A page may repeat an entry of the one before it, and each entry is acted on once.
        if (known.has(entry.key)) return []
        known.add(entry.key)
        return make(entry)
      } catch (error) {
        onMalformed(String(entry?.key), error)
        return []
      }
    })
  }
  return [
    ...each(work.pending, (entry) => withdrawalTask(entry, tokens)),
    ...each(work.deposits, (entry) => depositTask(entry, tokens)),
    ...each(work.settlements, settlementTask),
    ...each(work.hops, hopTask),
  ]
}

/** A withdrawal as its proof has it: token, amount, fee, recipient and deadline. @throws NotAllowed for the proof of another one */
export function provenTask(task: EvmTask, release: ReleaseArguments, tokens: Tokens): EvmTask {
  const { entry } = task
  const { id, domain, recipient, token } = release
  if (`${id} ${domain}` !== `${entry.id} ${entry.domain}`)
    throw new NotAllowed(`the proof of ${entry.key} is of withdrawal ${id} to domain ${domain}`)
  return {
    ...task,
    parties: [recipient.toLowerCase()],
    amount: amountOf(tokens.of(entry.domain, token, null), release.amount),
    fee: entry.action === 'release' ? BigInt(release.fee) : 0n,
    entry: { ...entry, deadline: Number(release.deadline) },
  }
}

function amountOf(token: Token | null, amount: string): Amount | null {
  const units = BigInt(amount)
  return token && { ...token, units }
}

function withdrawalTask(entry: PendingWithdrawal, tokens: Tokens): Task[] {
  if (entry.key !== `w:${entry.id}`) throw new TypeError(`its key is not that of withdrawal ${entry.id}`)
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
      amount: amountOf(tokens.of(entry.domain, entry.token, entry.symbol), entry.amount),
      fee: entry.action === 'release' && isEvm ? BigInt(entry.fee) : 0n,
      entry,
    },
  ]
}

function depositTask(entry: PendingDeposit, tokens: Tokens): Task[] {
  const deposit: Task = {
    kind: 'deposit',
    leg: entry.key,
    actions: entry.actions,
    to: null,
    parties: entry.recipient === null ? [] : [entry.recipient.toLowerCase()],
    amount: amountOf(tokens.deposited(entry.domain, entry.symbol), entry.amount),
    fee: 0n,
    entry,
  }
  return [deposit]
}

function settlementTask(entry: PendingSettlement): Task[] {
  const parties = entry.owner === null ? [] : [entry.owner.toLowerCase()]
  const settlement: Task = {
    kind: 'settlement',
    leg: entry.key,
    actions: [entry.action],
    to: null,
    parties,
    amount: null,
    fee: 0n,
    entry,
  }
  return [settlement]
}

function hopTask(entry: PendingHop): Task[] {
  const { recipient } = entry.back
  const parties = recipient === null ? [] : [recipient.toLowerCase()]
  return [{ kind: 'hop', leg: entry.key, actions: ['recover'], to: null, parties, amount: null, fee: 0n, entry }]
}
