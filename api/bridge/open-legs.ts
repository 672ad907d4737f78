// Cache of the legs whose end is not irreversible yet, with their facts. Their number does not grow with the history.
// At a new block it reads only legs with facts after the previous last irreversible block, and legs that wait for
// finality; the facts of all others are unchanged. A leg is removed only when its end is irreversible, so that every
// leg that a rewind can change is in the cache.

import { depositKey, parseLegKey, withdrawalKey } from '../kit/leg-key.ts'
import { type BridgeContext, type ChainPosition, type Database, hasRewound } from './bridge-context.ts'
import type { DepositFacts, WithdrawalFacts } from './facts.ts'
import { depositStanding, type LegStatus, withdrawalStanding } from './leg-state.ts'
import { readDeposits, readWithdrawals } from './read-legs.ts'
import { ENDED_LEGS, newFacts, OPEN_LEGS } from './sql/open-legs.ts'

interface KeyRow {
  kind: 'd' | 'w'
  domain: string | null
  number: string
}

/** The key of a leg. A deposit's row must have a domain. */
export function rowKey({ kind, domain, number }: KeyRow): string {
  return kind === 'd' ? depositKey(domain as string, number) : withdrawalKey(number)
}

/** Statuses that end a leg. */
export const ENDED: ReadonlySet<LegStatus> = new Set(['credited', 'forwarded', 'bounced', 'released', 'refunded'])

/** Legs by their keys. */
export interface OpenFacts {
  deposits: ReadonlyMap<string, DepositFacts>
  withdrawals: ReadonlyMap<string, WithdrawalFacts>
}

export const NO_FACTS: OpenFacts = { deposits: new Map(), withdrawals: new Map() }

export class OpenLegs {
  private deposits = new Map<string, DepositFacts>()
  private withdrawals = new Map<string, WithdrawalFacts>()
  /** Keys of legs to read again at the next block. */
  private unsettled = new Set<string>()
  /** Tag of the snapshot in the cache; empty if there is none. */
  private tag = ''
  private ledger = ''
  /** Positions of the chains in that snapshot. */
  private positions: ReadonlyMap<string, ChainPosition> = new Map()
  private queue: Promise<unknown> = Promise.resolve()

  /** Open legs of a snapshot. May contain legs that have just ended. Concurrent calls run one after the other. */
  read(database: Database, context: BridgeContext): Promise<OpenFacts> {
    const read = this.queue.then(() => this.refresh(database, context))
    this.queue = read.catch(() => {})
    return read
  }

  private async refresh(database: Database, context: BridgeContext): Promise<OpenFacts> {
    if (this.tag !== context.tag || this.ledger !== context.ledger) {
      // After a failure the next call starts over.
      const startsOver = this.tag === '' || this.mustStartOver(context)
      this.tag = ''
      if (startsOver) {
        this.deposits = new Map()
        this.withdrawals = new Map()
      }
      const keys = startsOver ? await this.allKeys(database, context) : await this.newKeys(database, context)
      await this.load(database, context, keys)
      await this.dropEnded(database, context)
      this.tag = context.tag
      this.ledger = context.ledger
      this.positions = new Map(context.positions)
    }
    const { deposits, withdrawals } = this
    return { deposits: new Map(deposits), withdrawals: new Map(withdrawals) }
  }

  /** Whether irreversible blocks were rewound, or the time of a chain's last irreversible block is unknown. */
  private mustStartOver(context: BridgeContext): boolean {
    return (
      hasRewound(context, this.ledger, this.positions) ||
      [...this.positions.values()].some(({ libTime }) => libTime === null)
    )
  }

  private async allKeys(database: Database, { ledger, positions, domains }: BridgeContext): Promise<Set<string>> {
    const chains = new Map<string, string | null>([[ledger, null]])
    for (const { chain, domain } of domains) if (positions.has(chain)) chains.set(chain, String(domain))
    const values = [ledger, [...chains.keys()], [...chains.values()]]
    return keysOf((await database.query<KeyRow>(OPEN_LEGS, values)).rows)
  }

  /** Legs with facts after the previous last irreversible blocks, and legs that wait for finality. */
  private async newKeys(database: Database, { positions, domains }: BridgeContext): Promise<Set<string>> {
    const keys = new Set(this.unsettled)
    for (const chain of positions.keys()) {
      const domain = domains.find((one) => one.chain === chain)?.domain ?? null
      const mark = this.positions.get(chain)
      const text = newFacts(chain, domain, { num: mark?.lib ?? 0, time: mark?.libTime ?? 0 })
      const { rows } = await database.query<KeyRow>(text)
      for (const key of keysOf(rows)) keys.add(key)
    }
    return keys
  }

  private async load(database: Database, context: BridgeContext, keys: ReadonlySet<string>): Promise<void> {
    for (const key of keys) {
      this.deposits.delete(key)
      this.withdrawals.delete(key)
      this.unsettled.delete(key)
    }
    const parsed = [...keys].map(parseLegKey).filter((key) => key !== null)
    const deposits = parsed.filter((key) => key.kind === 'deposit')
    for (const facts of await readDeposits(database, context, deposits)) {
      const key = depositKey(facts.domain, facts.nonce)
      this.deposits.set(key, facts)
      if (depositMayChange(facts, context)) this.unsettled.add(key)
    }
    const ids = parsed.flatMap((key) => (key.kind === 'withdrawal' ? [key.id] : []))
    for (const facts of await readWithdrawals(database, context, ids)) {
      const key = withdrawalKey(facts.id)
      this.withdrawals.set(key, facts)
      if (withdrawalMayChange(facts, context)) this.unsettled.add(key)
    }
  }

  /** Removes the legs whose end is irreversible. A refund that the hop contract still holds is not an end. */
  private async dropEnded(database: Database, { ledger }: BridgeContext): Promise<void> {
    const deposits = [...this.deposits.values()].filter((facts) => ENDED.has(depositStanding(facts).status))
    const withdrawals = [...this.withdrawals.values()].filter((facts) => ENDED.has(withdrawalStanding(facts).status))
    if (deposits.length + withdrawals.length === 0) return
    const values = [
      ledger,
      deposits.map(({ domain }) => String(domain)),
      deposits.map(({ nonce }) => String(nonce)),
      withdrawals.map(({ id }) => String(id)),
    ]
    const { rows } = await database.query<KeyRow>({ name: 'bridge-ended', text: ENDED_LEGS, values })
    for (const key of keysOf(rows)) {
      this.deposits.delete(key)
      this.withdrawals.delete(key)
      this.unsettled.delete(key)
    }
  }

  get size(): number {
    return this.deposits.size + this.withdrawals.size
  }
}

function keysOf(rows: readonly KeyRow[]): Set<string> {
  return new Set(rows.flatMap((row) => (row.kind === 'd' && row.domain === null ? [] : [rowKey(row)])))
}

const isReversible = (block: number, chain: string, { positions }: BridgeContext): boolean =>
  block > (positions.get(chain)?.lib ?? 0)

/**
 * Whether a deposit can change without a new fact: by a rewind, when its block becomes final, or when its token gets a
 * route.
 */
function depositMayChange({ source, events, routeSymbol }: DepositFacts, context: BridgeContext): boolean {
  if (source !== null && (!source.final || (source.symbol === null && routeSymbol === null))) return true
  return events.some(({ block }) => isReversible(block, context.ledger, context))
}

/** Whether a withdrawal can change without a new fact: for the same reasons, or when its proof becomes possible. */
function withdrawalMayChange(facts: WithdrawalFacts, context: BridgeContext): boolean {
  const { final, proved, symbol, outcomes, settlements } = facts
  if (!final || symbol === null || (context.followed && proved !== true)) return true
  if (outcomes.some(({ block, chain }) => isReversible(block, chain, context))) return true
  return settlements.some(({ block }) => isReversible(block, context.ledger, context))
}
