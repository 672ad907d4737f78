// How often the payer signs: for an address, for an account, for all, by the hour and by the day. Counted in the
// database in one transaction, so that any number of processes share the counters, and restarts keep them.
import type { Pool } from 'pg'
import { BugError } from '../core/errors.ts'
import { Reached } from './reached.ts'
import { NOTE_FAILURE, PRUNE, TAKE } from './sql.ts'

export interface Limits {
  ipHour: number
  ipDay: number
  accountHour: number
  accountDay: number
  allHour: number
  allDay: number
  /** Transactions that an account has signed itself and that failed when tried; never halved. */
  failuresHour: number
  /** Those from an address that nobody is known to have signed; never halved. */
  ipFailuresHour: number
  /** Beyond the limits of an account: requests that it has signed itself. */
  reserveHour: number
  reserveDay: number
}

export interface Request {
  /** 64 hex digits. */
  transaction: string
  /** Whom the address is counted as (`addressBucket`). */
  address: string
  account: string
  /** Whether the account has signed it: it counts in the account's reserve then, and its failure against the account. */
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

/** Limits that strangers can use up: what an account has signed itself passes them. */
const OF_STRANGERS: readonly string[] = ['account-hour', 'account-day', 'failure-ip-hour']

/**
 * `counted` now, `known` from before (it is not counted again), `off`: the switch; else the text of a limit, and whether
 * the account can still draw on its reserve.
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
  private readonly reached = new Reached<Refused>()

  constructor(pool: Pool, chain: string, limits: Limits) {
    this.pool = pool
    this.chain = chain
    this.limits = limits
  }

  /**
   * Counts a request, or nothing of it when it is over any limit.
   *
   * @param throttled  every limit is halved, except that of all by the day
   * @param now        Unix milliseconds; the database's clock when absent
   * @param isKnown    it was counted before, as far as this process knows: a limit that is reached does not matter
   */
  async take(request: Request, throttled: boolean, now?: number, isKnown = false): Promise<Outcome> {
    const { transaction, address, account, isOwn } = request
    const clock = now ?? Date.now()
    const holder = `${isOwn ? 'reserve' : 'account'} ${account}`
    const holders = {
      ip: `ip ${address}`,
      account: holder,
      all: 'all',
      // Does not hold for what an account has signed itself.
      failures: `failures ${isOwn ? '' : address}`,
    }
    const keyOf = (whose: keyof typeof holders) => `${holders[whose]} ${throttled}`
    const before = isKnown
      ? undefined
      : (Object.keys(holders) as (keyof typeof holders)[])
          .map((whose) => this.reached.get(keyOf(whose), clock))
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
    const refused: Refused = { kind: 'refused', text, hasReserve: !isOwn && OF_STRANGERS.includes(outcome) }
    this.reached.add(keyOf(holderOf(outcome)), refused, clock)
    return refused
  }

  /** Counts a failed trial: against the account when it has signed the transaction, else against the address. */
  async noteFailure({ address, account, isOwn }: Omit<Request, 'transaction'>, now?: number): Promise<void> {
    await this.pool.query(NOTE_FAILURE, [this.chain, address, account, isOwn, at(now)])
  }

  /** Forgets hours and days that have passed. */
  async prune(): Promise<void> {
    await this.pool.query(PRUNE)
  }
}

/** Whose limit an answer of `cosign.take` names. */
function holderOf(outcome: string): 'ip' | 'account' | 'all' | 'failures' {
  if (outcome === 'failure-ip-hour') return 'failures'
  if (outcome.startsWith('ip')) return 'ip'
  return outcome.startsWith('all') ? 'all' : 'account'
}

function at(now: number | undefined): string | null {
  return now === undefined ? null : new Date(now).toISOString()
}

/** In the order of `cosign.take`. */
function inForce(limits: Limits, throttled: boolean): number[] {
  const { ipHour, ipDay, accountHour, accountDay, allHour, allDay, reserveHour, reserveDay } = limits
  const half = (limit: number) => (throttled ? Math.floor(limit / 2) : limit)
  const halved = [ipHour, ipDay, accountHour, accountDay, allHour].map(half)
  return [...halved, allDay, limits.failuresHour, half(reserveHour), half(reserveDay), limits.ipFailuresHour]
}
