// The relayer's journal in PostgreSQL: transactions, written before they are sent, and refusals. One session has the leases
// of the keys and does all writes, so a process that has lost a lease cannot write an intent, and sends nothing.
import pg from 'pg'
import { RetryableError, UserError } from '../../core/errors.ts'
import { type RefusalKind, retryAfter } from '../choice/refusal.ts'
import type { TokenRoute } from '../choice/tokens.ts'
import { openRelayClient } from '../connection.ts'
import type { RelayAction } from '../pending.ts'
import * as sql from '../sql.ts'
import { KeyLeases, RENEW_MS } from './lease.ts'
import type { IntentState } from './step.ts'

/** An action, a hand-off that no withdrawal needs yet, or a transfer of nothing that frees a nonce. */
export type IntentAction = RelayAction | 'learn' | 'cancel'

/** A contract's call, for a replacement. */
export interface StoredCall {
  to: string
  data: string
  /** Maximum cost of gas of this call, USD; null: no limit, it is sent even at a loss. */
  budgetUsd: number | null
}

/** What the journal says about the costs of withdrawals. */
export interface Costs {
  /** USD of gas by leg: what was paid, and the most that open transactions may cost. */
  spent: ReadonlyMap<string, number>
  /** Legs whose fees pay for the root of another leg. */
  shared: ReadonlySet<string>
}

export interface NewIntent {
  chain: string
  signer: string
  leg: string
  action: IntentAction
  step: string
  /** Null on an Antelope chain. */
  nonce: number | null
  /** Hash or id. */
  hash: string
  raw: Uint8Array
  call: StoredCall | null
  /** Null on an EVM chain. */
  expiresAt: Date | null
  /** Wei a unit of gas. */
  maxFee: bigint
  maxTip: bigint
  gasLimit: bigint
  /** Maximum cost. */
  costUsd: number | null
  feeUsd: number | null
  valueUsd: number | null
  /** Other legs whose fees pay for it. */
  shares: readonly string[]
}

export interface Intent extends NewIntent {
  id: string
  state: 'intended' | 'sent' | 'mined'
  /** Why a contract refused it at its first push; null: it did not. */
  reason: string | null
  block: number | null
  /** Last sent, without the times at which an EVM node had forgotten it; before that, when it was written. */
  sentAt: Date
  /** When it was written. */
  createdAt: Date
}

export interface Refusal {
  reason: string
  kind: RefusalKind
  /** In a row. */
  count: number
  isFinal: boolean
  /** Not to be tried now. */
  isClosed: boolean
  /** Since the first refusal in a row. */
  seconds: number
}

/** Whether one of these actions of a leg is under way: `waiting` for a block, or in one (`mined`). */
export type Busy = (leg: string, actions: readonly string[]) => 'waiting' | 'mined' | null

interface Row extends Omit<Intent, 'maxFee' | 'maxTip' | 'gasLimit' | 'nonce' | 'block'> {
  nonce: string | null
  block: string | null
  maxFee: string
  maxTip: string
  gasLimit: string
}

/** Refusals that are remembered of a key, the newest: a bridge API that lies could name any number of entries. */
const MAX_REFUSALS = 50_000
/** Rows that one statement removes. */
const PRUNE_ROWS = 5000

/** SQLSTATE of a statement that checks the leases after another process has taken over. */
const TAKEN_OVER = 'HW004'

const nameOf = (leg: string, action: string): string => `${action} ${leg}`

export class Journal {
  readonly #client: pg.Client
  readonly #leases: KeyLeases
  readonly #renewal: NodeJS.Timeout
  #isLost = false
  #last: Promise<unknown> = Promise.resolve()

  private constructor(client: pg.Client, leases: KeyLeases) {
    this.#client = client
    this.#leases = leases
    this.#renewal = setInterval(() => void this.#renew(), RENEW_MS).unref()
  }

  /**
   * Opens the journal for keys, and takes their leases.
   *
   * @param signers  addresses and accounts of the keys
   * @throws UserError RELAY_KEY_IN_USE when another process has one, RELAY_DATABASE
   */
  static async open(databaseUrl: string, signers: readonly string[]): Promise<Journal> {
    let journal: Journal | undefined
    const client = openRelayClient(databaseUrl, () => {
      if (journal) journal.#isLost = true
    })
    try {
      await client.connect()
      await requireTables(client, 'relay.leases')
    } catch (cause) {
      await client.end().catch(() => {})
      throw cause instanceof UserError ? cause : unusable(cause)
    }
    const leases = new KeyLeases(signers)
    const held = await leases.take(client).catch(async (error) => {
      await client.end().catch(() => {})
      throw error
    })
    if (held !== null) {
      await client.end()
      throw new UserError('RELAY_KEY_IN_USE', `another relayer runs with the key of ${held.signer}: ${held.holder}`, {
        hint: 'stop it first, or give this one a key of its own: two programs with one key take each other’s nonces. One that hangs loses its key after 30 seconds',
      })
    }
    journal = new Journal(client, leases)
    return journal
  }

  /** Whether the session or a lease is gone. */
  get isLost(): boolean {
    return this.#isLost
  }

  /**
   * Writes a transaction before it is sent. The same statement counts the day's gas, so that lanes which write at the same
   * time keep the limit together.
   *
   * @param gasUsdDay  maximum USD of gas in 24 hours; null: it costs no gas
   * @returns its row; null when it would exceed the limit, or its cost is unknown
   */
  async intend(intent: NewIntent, gasUsdDay: number | null): Promise<Intent | null> {
    const { chain, signer, leg, action, step, nonce, hash, raw, call, expiresAt } = intent
    const { costUsd, feeUsd, valueUsd, shares } = intent
    const fees = [intent.maxFee, intent.maxTip, intent.gasLimit].map(String)
    const what = [signer, chain, leg, action, step, nonce, hash, Buffer.from(raw), call, expiresAt]
    const values = [...what, ...fees, costUsd, feeUsd, valueUsd, shares, gasUsdDay]
    const [row] = await this.#write<{ id: string }>(sql.INSERT, values)
    const now = new Date()
    return row === undefined
      ? null
      : { ...intent, id: row.id, state: 'intended', reason: null, block: null, sentAt: now, createdAt: now }
  }

  /** Open transactions of a key on a chain, by nonce. */
  async open(signer: string, chain: string): Promise<Intent[]> {
    const rows = await this.#query<Row>(sql.OPEN, [signer, chain])
    return rows.map((row) => ({
      ...row,
      nonce: row.nonce === null ? null : Number(row.nonce),
      block: row.block === null ? null : Number(row.block),
      maxFee: BigInt(row.maxFee),
      maxTip: BigInt(row.maxTip),
      gasLimit: BigInt(row.gasLimit),
    }))
  }

  /** @param block  that the node names; null when it names none */
  async sent(id: string, block: number | null = null): Promise<void> {
    await this.#write(sql.SENT, [id, block])
  }

  /** A contract has refused a transaction that may still come into a block until it expires. */
  async refusedAtFirst(id: string, reason: string): Promise<void> {
    await this.#write(sql.REFUSED_AT_FIRST, [id, reason])
  }

  async undone(id: string): Promise<void> {
    await this.#write(sql.UNDONE, [id])
  }

  async mined(id: string, at: { block: number; gasUsed: bigint; cost: bigint; costUsd: number | null }): Promise<void> {
    await this.#write(sql.MINED, [id, at.block, String(at.gasUsed), String(at.cost), at.costUsd])
  }

  async ended(id: string, state: IntentState, reason: string | null = null): Promise<void> {
    await this.#write(sql.ENDED, [id, state, reason])
  }

  /** Lowest nonce that no transaction of a key has. @param count  transactions of the key in blocks */
  async freeNonce(signer: string, chain: string, count: number): Promise<number> {
    const rows = await this.#query<{ nonce: string }>(sql.NONCES, [signer, chain, count])
    const used = new Set(rows.map(({ nonce }) => Number(nonce)))
    let free = count
    while (used.has(free)) free++
    return free
  }

  /** Actions that are open, or ended a moment ago. */
  async busy(): Promise<Busy> {
    const rows = await this.#query<{ leg: string; action: string; waits: boolean }>(sql.BUSY, [this.#leases.signers])
    const waits = new Map(rows.map((row) => [nameOf(row.leg, row.action), row.waits]))
    return (leg, actions) => {
      const found = actions.flatMap((action) => waits.get(nameOf(leg, action)) ?? [])
      if (found.length === 0) return null
      return found.includes(true) ? 'waiting' : 'mined'
    }
  }

  /** Whether a payment of a withdrawal was sent before and has ended, however. */
  async paidBefore(leg: string, chain: string): Promise<boolean> {
    return (await this.#query<{ paid: boolean }>(sql.PAID_BEFORE, [leg, chain]))[0]?.paid === true
  }

  /** USD of gas in the last 24 hours. */
  async spent(signer: string): Promise<number> {
    return (await this.#query<{ usd: number }>(sql.SPENT, [signer]))[0]?.usd ?? 0
  }

  /** USD of gas of hand-offs ahead of need in the last 24 hours. */
  async spentOnHandoffs(signer: string): Promise<number> {
    return (await this.#query<{ usd: number }>(sql.SPENT_ON_HANDOFFS, [signer]))[0]?.usd ?? 0
  }

  /** @param leg  that brings a root, with others that may share its costs */
  async costs(signer: string, chain: string, leg: string, legs: readonly string[]): Promise<Costs> {
    const spent = await this.#query<{ leg: string; usd: number }>(sql.SPENT_ON, [signer, chain, legs])
    const shared = await this.#query<{ leg: string }>(sql.SHARED, [signer, chain, leg, legs])
    return { spent: new Map(spent.map((row) => [row.leg, row.usd])), shared: new Set(shared.map((row) => row.leg)) }
  }

  /** @param before  refusals in a row before this one */
  async refuse(
    refused: { signer: string; leg: string; action: IntentAction; chain: string; reason: string; kind: RefusalKind },
    before: number,
  ): Promise<void> {
    const { signer, leg, action, chain, reason, kind } = refused
    const wait = retryAfter(kind, reason, before + 1)
    await this.#query(sql.REFUSE, [signer, leg, action, chain, reason.slice(0, 300), kind, wait])
  }

  async forgetRefusal(signer: string, leg: string, action: IntentAction): Promise<void> {
    await this.#query(sql.FORGET_REFUSAL, [signer, leg, action])
  }

  /** Refusals of some legs. */
  async refusals(legs: readonly string[]): Promise<Refusals> {
    const rows = await this.#query<Refusal & { leg: string; action: string }>(sql.REFUSALS, [
      this.#leases.signers,
      legs,
    ])
    return new Refusals(new Map(rows.map((row) => [nameOf(row.leg, row.action), row])))
  }

  /** Whether sending is switched on for the keys. */
  async isOn(): Promise<boolean> {
    return (await this.#query<{ isOn: boolean }>(sql.IS_ON, [this.#leases.signers]))[0]?.isOn === true
  }

  /** USD by symbol. */
  async prices(chain: string, contract: string): Promise<Map<string, number>> {
    const rows = await this.#query<{ symbol: string; usd: number }>(sql.PRICES, [chain, contract])
    return new Map(rows.map(({ symbol, usd }) => [symbol, usd]))
  }

  /** Tokens of the bridge's routes, where the database indexes the ledger's chain. */
  routes(chain: string, wrap: string): Promise<TokenRoute[]> {
    return this.#query<TokenRoute>(sql.ROUTES, [chain, wrap])
  }

  /** Removes old rows, in portions: each statement leaves the session to the lanes soon. */
  async prune(): Promise<void> {
    for (const text of [sql.PRUNE_REFUSALS, sql.PRUNE_MOST_REFUSALS, sql.PRUNE_INTENTS]) {
      const values = text === sql.PRUNE_MOST_REFUSALS ? [MAX_REFUSALS, PRUNE_ROWS] : [PRUNE_ROWS]
      while ((await this.#query(text, values)).length === PRUNE_ROWS);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#renewal)
    // A server that is gone answers no farewell.
    if (this.#isLost) return void this.#client.end().catch(() => {})
    await this.#last
    await this.#leases.release(this.#client).catch(() => {})
    await this.#client.end()
  }

  async #renew(): Promise<void> {
    try {
      if (!(await this.#leases.renew((text, values) => this.#query(text, values)))) this.#isLost = true
    } catch {
      // A lost session is noted. After another failure, the next renewal may come in time.
    }
  }

  /** A statement that records a transaction: it checks the leases. */
  #write<T extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<T[]> {
    return this.#query<T>(text, [...values, this.#leases.signers, this.#leases.token])
  }

  /** One statement at a time: the session is shared by all lanes. */
  #query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
    const run = async () => {
      if (this.#isLost) throw lost()
      try {
        return (await this.#client.query<T>(text, values)).rows
      } catch (error) {
        // An error of the server is an answer. Without one the session may be gone.
        if (error instanceof pg.DatabaseError && error.code !== TAKEN_OVER) throw error
        this.#isLost = true
        throw lost()
      }
    }
    const answer = this.#last.then(run, run)
    this.#last = answer.catch(() => {})
    return answer
  }
}

export function lost(): RetryableError {
  return new RetryableError('RELAY_SESSION_LOST', 'the database session is gone, or another relayer has taken over', {
    hint: 'the process ends and begins again: nothing is sent without the leases of its keys',
  })
}

/** @param table  the newest that is needed: status and switch work on an older schema @throws UserError RELAY_DATABASE */
export async function requireTables(client: pg.Client, table = 'relay.intents'): Promise<void> {
  const { rows } = await client.query<{ isThere: boolean }>(sql.HAS_TABLE, [table])
  if (rows[0]?.isThere !== true) throw unusable(new Error('it has no tables of the relayer'))
}

/** RELAY_DATABASE, for a database that cannot be used. */
export function unusable(cause: unknown): UserError {
  return new UserError('RELAY_DATABASE', `the database cannot be used: ${(cause as Error).message}`, {
    hint: 'DATABASE_URL names a login with `grant headwater_relayer to ...`, on a database that `headwater migrate` has prepared',
    cause,
  })
}

/** Refusals at one time. */
export class Refusals {
  readonly #known: ReadonlyMap<string, Refusal>

  constructor(known: ReadonlyMap<string, Refusal>) {
    this.#known = known
  }

  of(leg: string, action: string): Refusal | undefined {
    return this.#known.get(nameOf(leg, action))
  }
}
