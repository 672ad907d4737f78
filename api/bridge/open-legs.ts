// Keys of the legs that have no final end yet, kept in memory: few at any time, however many legs there have been. A leg
// leaves when its end is irreversible, so that a fork never takes a leg back that is not here. Which status each has is
// asked of the database every time.

import { depositKey, parseLegKey, withdrawalKey } from './key.ts'
import type { Candidate } from './newest.ts'
import { ENDED_LEGS, NEW_ON_LEDGER, NEW_SOURCES, OPEN_LEGS } from './sql.ts'
import { type BridgeWorld, type ChainPosition, type Database, wentBack } from './world.ts'

interface KeyRow {
  kind: 'd' | 'w'
  domain: string | null
  number: string
  time: number
}

export function rowKey({ kind, domain, number }: Pick<KeyRow, 'kind' | 'domain' | 'number'>): string {
  return kind === 'd' ? depositKey(domain as string, number) : withdrawalKey(number)
}

export class OpenLegs {
  /** By key: the time of its latest beginning, on its own chain or on the ledger's. */
  private readonly times = new Map<string, number>()
  /** Of which snapshot this is. */
  private tag = ''
  private ledger = ''
  /** How far each chain was irreversible then. */
  private marks: ReadonlyMap<string, ChainPosition> = new Map()
  private turn: Promise<void> = Promise.resolve()

  /** Legs that are open in this snapshot, newest first, with perhaps some that have just ended. */
  async read(database: Database, world: BridgeWorld): Promise<Candidate[]> {
    const mine = this.turn.then(() => this.refresh(database, world))
    this.turn = mine.catch(() => {})
    await mine
    return [...this.times].map(([key, time]) => ({ key, time })).sort((one, other) => other.time - one.time)
  }

  private async refresh(database: Database, world: BridgeWorld): Promise<void> {
    if (this.tag === world.tag && this.ledger === world.ledger) return
    if (this.mustStartAnew(world)) await this.startAnew(database, world)
    else {
      await this.dropEnded(database, world)
      await this.addNew(database, world)
    }
    this.tag = world.tag
    this.ledger = world.ledger
    this.marks = new Map(world.positions)
  }

  /** When a chain is another one than it was, or had no time from which to read on. */
  private mustStartAnew(world: BridgeWorld): boolean {
    return wentBack(world, this.ledger, this.marks) || [...this.marks.values()].some(({ libTime }) => libTime === null)
  }

  private async startAnew(database: Database, { ledger, positions, domains }: BridgeWorld): Promise<void> {
    const chains = new Map<string, string | null>([[ledger, null]])
    for (const { chain, domain } of domains) if (positions.has(chain)) chains.set(chain, String(domain))
    this.times.clear()
    const values = [ledger, [...chains.keys()], [...chains.values()]]
    this.add((await database.query<KeyRow>(OPEN_LEGS, values)).rows)
  }

  /** Facts behind the last irreversible block of the last time, some of them once more. */
  private async addNew(database: Database, { ledger, positions, domains }: BridgeWorld): Promise<void> {
    for (const { chain, domain } of domains) {
      if (!positions.has(chain)) continue
      const values = [chain, String(domain), this.marks.get(chain)?.libTime]
      this.add((await database.query<KeyRow>({ name: 'bridge-new-sources', text: NEW_SOURCES, values })).rows)
    }
    const values = [ledger, this.marks.get(ledger)?.libTime]
    this.add((await database.query<KeyRow>({ name: 'bridge-new-on-ledger', text: NEW_ON_LEDGER, values })).rows)
  }

  private add(rows: readonly KeyRow[]): void {
    for (const row of rows) {
      if (row.kind === 'd' && row.domain === null) continue
      const key = rowKey(row)
      this.times.set(key, Math.max(row.time, this.times.get(key) ?? row.time))
    }
  }

  private async dropEnded(database: Database, { ledger }: BridgeWorld): Promise<void> {
    if (this.times.size === 0) return
    const keys = [...this.times.keys()].map((text) => parseLegKey(text)).filter((key) => key !== null)
    const deposits = keys.filter((key) => key.kind === 'deposit')
    const withdrawals = keys.filter((key) => key.kind === 'withdrawal')
    const values = [
      ledger,
      deposits.map(({ domain }) => String(domain)),
      deposits.map(({ nonce }) => String(nonce)),
      withdrawals.map(({ id }) => String(id)),
    ]
    const { rows } = await database.query<KeyRow>({ name: 'bridge-ended', text: ENDED_LEGS, values })
    for (const row of rows) this.times.delete(rowKey(row))
  }

  /** How many there are. */
  get size(): number {
    return this.times.size
  }
}
