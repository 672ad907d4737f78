// Limits on signatures: by address, by account and in total, per hour and per day. They are counted in the database, in
// one transaction, so that processes share the counters and restarts keep them.
import type { Pool } from 'pg'
import { BugError } from '../core/errors.ts'
import { RefusalCache } from './refusal-cache.ts'
import { NOTE_FAILURE, PRUNE, TAKE } from './sql.ts'

export interface Limits {
  ipHour: number
  ipDay: number
  accountHour: number
  accountDay: number
  allHour: number
  allDay: number
  /** Failed trials of transactions that the account has signed itself; never halved. */
  failuresHour: number
  /** Failed trials of one address, without a proved signature of the account; never halved. */
  ipFailuresHour: number
  /** Requests signed by the account itself, beyond the limits of the account. */
  reserveHour: number
  reserveDay: number
}

export interface Request {
  /** 64 hex digits. */
  transaction: string
  /** Address bucket (`addressBucket`). */
  address: string
  account: string
  /**
   * Whether the account has signed the transaction: it may then draw on the reserve, and a failure counts against the
   * account.
   */
  isOwn: boolean
}

const TEXTS: Record<string, string> = {
  'ip-hour': 'Hourly IP limit exceeded',
  'ip-day': 'Daily IP limit exceeded',
  'account-hour': 'Hourly account limit exceeded',
  'account-day': 'Daily account limit exceeded',
  'reserve-hour': 'Hourly account limit exceeded',
  'reserve-day': 'Daily account limit exceeded',
  'all-hour': 'Hourly limit of all users exceeded',
  'all-day': 'Daily limit of all users exceeded',
  'failure-hour': 'Too many transactions of this account have failed: try again in an hour',
  'failure-ip-hour': 'Too many transactions from this address have failed: try again in an hour',
}

/** Limits that strangers can use up for an account. They do not apply to transactions that the account has signed. */
const USED_UP_BY_OTHERS: readonly string[] = ['account-hour', 'account-day', 'failure-ip-hour']

/**
 * `counted`: counted by this call. `known`: counted before, and not counted again. `off`: signing is switched off.
 * Otherwise the text of a limit, and whether the account can still draw on its reserve.
 */
export type Outcome = { kind: 'counted' | 'known' | 'off' } | Refused

export interface Refused {
  kind: 'refused'
  text: string
  hasReserve: boolean
}

export class LimitCounter {
  private readonly pool: Pool
  private readonly chain: string
  private readonly limits: Limits
  private readonly recentRefusals = new RefusalCache<Refused>()

  constructor(pool: Pool, chain: string, limits: Limits) {
    this.pool = pool
    this.chain = chain
    this.limits = limits
  }

  /**
   * Counts a request against all limits; if any limit is reached, counts nothing.
   *
   * @param throttled  halves every limit except the daily limit of all accounts
   * @param now        Unix milliseconds; the database's clock when absent
   * @param isKnown    whether this process has seen the request counted: a limit that is reached is then ignored
   */
  async take(request: Request, throttled: boolean, now?: number, isKnown = false): Promise<Outcome> {
    const { transaction, address, account, isOwn } = request
    const clock = now ?? Date.now()
    const holder = `${isOwn ? 'reserve' : 'account'} ${account}`
    const holders = {
      ip: `ip ${address}`,
      account: holder,
      all: 'all',
      // Not applied when the account has signed the transaction itself.
      failures: `failures ${isOwn ? '' : address}`,
    }
    const keyOf = (whose: keyof typeof holders) => `${holders[whose]} ${throttled}`
    const before = isKnown
      ? undefined
      : (Object.keys(holders) as (keyof typeof holders)[])
          .map((whose) => this.recentRefusals.get(keyOf(whose), clock))
          .find(Boolean)
    if (before !== undefined) return before
    const { rows } = await this.pool.query<{ outcome: string }>({
      name: 'cosign_take',
      text: TAKE,
      values: [
        this.chain,
        Buffer.from(transaction, 'hex'),
        address,
        account,
        isOwn,
        inForce(this.limits, throttled),
        at(now),
      ],
    })
    const outcome = rows[0]?.outcome ?? ''
    if (outcome === 'counted' || outcome === 'known' || outcome === 'off') return { kind: outcome }
    const text = TEXTS[outcome]
    if (text === undefined) throw new BugError('COSIGN_LIMIT', `the database answers ${outcome}`)
    const refused: Refused = { kind: 'refused', text, hasReserve: !isOwn && USED_UP_BY_OTHERS.includes(outcome) }
    this.recentRefusals.add(keyOf(holderOf(outcome)), refused, clock)
    return refused
  }

  /** Counts a failed trial: against the account if it has signed the transaction, else against the address. */
  async noteFailure({ address, account, isOwn }: Omit<Request, 'transaction'>, now?: number): Promise<void> {
    await this.pool.query(NOTE_FAILURE, [this.chain, address, account, isOwn, at(now)])
  }

  /** Deletes counters of past hours and days. */
  async prune(): Promise<void> {
    await this.pool.query(PRUNE)
  }
}

/** Whose limit a result of `cosign.take` names. */
function holderOf(outcome: string): 'ip' | 'account' | 'all' | 'failures' {
  if (outcome === 'failure-ip-hour') return 'failures'
  if (outcome.startsWith('ip')) return 'ip'
  return outcome.startsWith('all') ? 'all' : 'account'
}

function at(now: number | undefined): string | null {
  return now === undefined ? null : new Date(now).toISOString()
}

/** Effective limits, in the order of `cosign.take`. */
function inForce(limits: Limits, throttled: boolean): number[] {
  const { ipHour, ipDay, accountHour, accountDay, allHour, allDay, reserveHour, reserveDay } = limits
  const half = (limit: number) => (throttled ? Math.floor(limit / 2) : limit)
  const halved = [ipHour, ipDay, accountHour, accountDay, allHour].map(half)
  return [...halved, allDay, limits.failuresHour, half(reserveHour), half(reserveDay), limits.ipFailuresHour]
}
