// The legs that have no final end yet with their facts, kept in memory: few at any time, however many legs there have been.
// At a new block only those are read again of which something has been written behind the last irreversible block, or that
// have waited for finality: the facts of all others are irreversible, and nothing was added to them. A leg leaves when its
// end is irreversible, so that a fork never takes a leg back that is not here.

import { type BridgeContext, type ChainPosition, type Database, hasRewound } from './bridge-context.ts'
import type { DepositFacts, WithdrawalFacts } from './facts.ts'
import { depositKey, parseLegKey, withdrawalKey } from './key.ts'
import { depositStanding, type LegStatus, withdrawalStanding } from './leg-state.ts'
import { readDeposits, readWithdrawals } from './read-legs.ts'
import { ENDED_LEGS, newFacts, OPEN_LEGS } from './sql.ts'

interface KeyRow {
  kind: 'd' | 'w'
  domain: string | null
  number: string
}

export function rowKey({ kind, domain, number }: KeyRow): string {
  return kind === 'd' ? depositKey(domain as string, number) : withdrawalKey(number)
}

/** Statuses of which legs leave. */
export const ENDED: ReadonlySet<LegStatus> = new Set(['credited', 'forwarded', 'bounced', 'released', 'refunded'])

/** Legs by their keys. */
export interface OpenFacts {
  deposits: ReadonlyMap<string, DepositFacts>
  withdrawals: ReadonlyMap<string, WithdrawalFacts>
}

export class OpenLegs {
  private deposits = new Map<string, DepositFacts>()
  private withdrawals = new Map<string, WithdrawalFacts>()
  /** Keys of legs that are read again at the next block. */
  private unsettled = new Set<string>()
  /** Of which snapshot this is. */
  private tag = ''
  private ledger = ''
  /** How far each chain was irreversible then. */
  private marks: ReadonlyMap<string, ChainPosition> = new Map()
  private turn: Promise<unknown> = Promise.resolve()

  /** Legs that are open in this snapshot, with perhaps some that have just ended. */
  read(database: Database, world: BridgeContext): Promise<OpenFacts> {
    const mine = this.turn.then(() => this.refresh(database, world))
    this.turn = mine.catch(() => {})
    return mine
  }

  private async refresh(database: Database, world: BridgeContext): Promise<OpenFacts> {
    if (this.tag !== world.tag || this.ledger !== world.ledger) {
      // Whatever fails in between, the next one begins anew.
      const startsOver = this.tag === '' || this.mustStartOver(world)
      this.tag = ''
      if (startsOver) {
        this.deposits = new Map()
        this.withdrawals = new Map()
      }
      const keys = startsOver ? await this.allKeys(database, world) : await this.newKeys(database, world)
      await this.load(database, world, keys)
      await this.dropEnded(database, world)
      this.tag = world.tag
      this.ledger = world.ledger
      this.marks = new Map(world.positions)
    }
    const { deposits, withdrawals } = this
    return { deposits: new Map(deposits), withdrawals: new Map(withdrawals) }
  }

  /** When a chain is another one than it was, or had no time from which to read on. */
  private mustStartOver(world: BridgeContext): boolean {
    return (
      hasRewound(world, this.ledger, this.marks) || [...this.marks.values()].some(({ libTime }) => libTime === null)
    )
  }

  private async allKeys(database: Database, { ledger, positions, domains }: BridgeContext): Promise<Set<string>> {
    const chains = new Map<string, string | null>([[ledger, null]])
    for (const { chain, domain } of domains) if (positions.has(chain)) chains.set(chain, String(domain))
    const values = [ledger, [...chains.keys()], [...chains.values()]]
    return keysOf((await database.query<KeyRow>(OPEN_LEGS, values)).rows)
  }

  /** Legs with facts behind the last irreversible blocks of the last time, and those that waited. */
  private async newKeys(database: Database, { positions, domains }: BridgeContext): Promise<Set<string>> {
    const keys = new Set(this.unsettled)
    for (const chain of positions.keys()) {
      const domain = domains.find((one) => one.chain === chain)?.domain ?? null
      const mark = this.marks.get(chain)
      const text = newFacts(chain, domain, { num: mark?.lib ?? 0, time: mark?.libTime ?? 0 })
      const { rows } = await database.query<KeyRow>(text)
      for (const key of keysOf(rows)) keys.add(key)
    }
    return keys
  }

  private async load(database: Database, world: BridgeContext, keys: ReadonlySet<string>): Promise<void> {
    for (const key of keys) {
      this.deposits.delete(key)
      this.withdrawals.delete(key)
      this.unsettled.delete(key)
    }
    const parsed = [...keys].map(parseLegKey).filter((key) => key !== null)
    const deposits = parsed.filter((key) => key.kind === 'deposit')
    for (const facts of await readDeposits(database, world, deposits)) {
      const key = depositKey(facts.domain, facts.nonce)
      this.deposits.set(key, facts)
      if (mayChange(facts, world)) this.unsettled.add(key)
    }
    const ids = parsed.flatMap((key) => (key.kind === 'withdrawal' ? [key.id] : []))
    for (const facts of await readWithdrawals(database, world, ids)) {
      const key = withdrawalKey(facts.id)
      this.withdrawals.set(key, facts)
      if (withdrawalMayChange(facts, world)) this.unsettled.add(key)
    }
  }

  /** Forgets the legs whose end is irreversible. A refund that lies with the hop contract is none. */
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

  /** How many there are. */
  get size(): number {
    return this.deposits.size + this.withdrawals.size
  }
}

function keysOf(rows: readonly KeyRow[]): Set<string> {
  return new Set(rows.flatMap((row) => (row.kind === 'd' && row.domain === null ? [] : [rowKey(row)])))
}

const isReversible = (block: number, chain: string, { positions }: BridgeContext): boolean =>
  block > (positions.get(chain)?.lib ?? 0)

/** Whether a deposit can change without a new fact: a fork takes one back, or its block becomes final. */
function mayChange({ source, events, routeSymbol }: DepositFacts, world: BridgeContext): boolean {
  if (source !== null && (!source.final || (source.symbol === null && routeSymbol === null))) return true
  return events.some(({ block }) => isReversible(block, world.ledger, world))
}

/** The same of a withdrawal; its proof may be there too. */
function withdrawalMayChange(facts: WithdrawalFacts, world: BridgeContext): boolean {
  const { final, proved, symbol, outcomes, settlements } = facts
  if (!final || symbol === null || (world.followed && proved !== true)) return true
  if (outcomes.some(({ block, chain }) => isReversible(block, chain, world))) return true
  return settlements.some(({ block }) => isReversible(block, world.ledger, world))
}
