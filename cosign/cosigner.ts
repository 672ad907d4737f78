// From a request to a signature: static checks, limits, checks on the chain, signing. Cheap checks come first: a
// transaction that fails a static check reads nothing from the database and counts against no limit.
import { LRUCache } from '../core/cache.ts'
import { RetryableError } from '../core/errors.ts'
import { addressBucket } from './address.ts'
import { Attempts } from './attempts.ts'
import { type Checked, checkTransaction } from './check-transaction.ts'
import type { CpuMonitor } from './cpu-monitor.ts'
import type { LimitCounter, Outcome, Request } from './limits.ts'
import { type NodeChecks, USUAL_CPU_MS } from './node/node-checks.ts'
import { FailedTrial } from './node/simulator.ts'
import { Refusal, Unavailable } from './refusal.ts'
import { RefusalCache } from './refusal-cache.ts'
import type { Rules } from './rules.ts'
import type { Signs } from './signer.ts'
import type { TokenList } from './token-list.ts'
import { readTransaction, requireOnlyForm, type UserTransaction } from './transaction.ts'
import type { Unbounded, UnboundedCost } from './unbounded.ts'

export interface CosignerParts {
  rules: Rules
  limits: Pick<LimitCounter, 'take' | 'noteFailure'>
  /** Null: no key, so nothing is signed. */
  signer: Signs | null
  /** Null: no node is configured. */
  checks: NodeChecks | null
  cpu: CpuMonitor | null
  /** Null: transfers of any token are accepted. */
  tokens: TokenList | null
  /** Whether signing is switched on in the database. */
  isOn: () => Promise<boolean>
  /** Records signed transactions that have no CPU bound. */
  unbounded: Unbounded
  /** Unix milliseconds, for the hours and days of limits. Default: the clock of the database. */
  now?: () => number
}

export interface Cosigned {
  signature: string
  transaction: string
  user: string
  /** `max_cpu_usage_ms` of the transaction, when a bound is required. */
  maxCpuUsageMs?: number
}

/** As clients receive it. */
export interface Status {
  available: boolean
  signing: boolean
  throttled: boolean
  cpu: { used: number; max: string; percent: number } | null
  lastCheck: number | null
  /** Cost of transactions that were signed without a CPU bound; absent when there are none. */
  unbounded?: UnboundedCost
}

/** Key recoveries per minute and address: each takes a millisecond or more. */
const MAX_RECOVERIES = 60
/** Signatures in the cache. */
const MAX_SIGNED = 10_000
/** A failed transaction is not tried again for this long, ms. */
const FAILED_MS = 10_000

export class Cosigner {
  private readonly parts: CosignerParts
  /** Signatures by transaction id: a repeated request gets the same answer without work. */
  private readonly signed = new LRUCache<string, string>({ max: MAX_SIGNED })
  private readonly recentFailures = new RefusalCache<string>(FAILED_MS)
  private readonly attempts: Attempts

  constructor(parts: CosignerParts) {
    this.parts = parts
    this.attempts = new Attempts({ now: parts.now ?? Date.now }, MAX_RECOVERIES)
  }

  /**
   * Signs a transaction for the payer.
   *
   * @param hex         the serialised transaction
   * @param address     of the client
   * @param signatures  signatures of the user, as text. With them, an account whose limit was used up by others draws
   *   on its reserve, and failures count against the account instead of the address.
   * @throws Refusal (400), Unavailable (503)
   */
  async cosign(hex: unknown, address: string, signatures: readonly string[] = []): Promise<Cosigned> {
    const { signer, rules, cpu, checks } = this.parts
    const transaction = readTransaction(hex)
    const checked = checkTransaction(transaction, rules)
    requireOnlyForm(transaction)
    if (signer === null) throw new Unavailable('CPU is not sponsored at present: there is no key')
    const { id } = transaction
    const { user } = checked
    await this.parts.tokens?.check(checked.tokens)
    if (checks !== null) await orUnavailable(checks.checkExpiry(transaction))
    const request: Request = { transaction: id, address: addressBucket(address), account: user, isOwn: false }
    const prove = once(() => this.isSigned(transaction, checked, signatures, request.address))
    const throttled = cpu?.throttled ?? false
    let outcome = await this.take(request, throttled)
    if (outcome.kind === 'refused' && outcome.hasReserve) {
      request.isOwn = await prove()
      if (request.isOwn) outcome = await this.take(request, throttled)
    }
    if (outcome.kind === 'refused') throw new Refusal('limit', outcome.text)
    const bound = rules.requireCpuBound ? { maxCpuUsageMs: transaction.maxCpuUsageMs } : {}
    const known = outcome.kind === 'known' ? this.signed.get(id) : undefined
    if (known !== undefined) return { signature: known, transaction: id, user, ...bound }
    if (checks !== null)
      await orUnavailable(this.check(checks, transaction, checked, request, outcome.kind === 'counted' ? prove : null))
    const signature = await signer.sign(transaction.bytes)
    this.signed.set(id, signature)
    if (transaction.maxCpuUsageMs === 0)
      this.parts.unbounded.add(transaction.expiration, (await checks?.maxCpuMs()) ?? USUAL_CPU_MS)
    return { signature, transaction: id, user, ...bound }
  }

  /** Whether the account has signed the transaction itself, as far as the chain can be read. */
  private async isSigned(
    transaction: UserTransaction,
    checked: Checked,
    signatures: readonly string[],
    address: string,
  ): Promise<boolean> {
    const { checks } = this.parts
    if (checks === null || signatures.length === 0 || !this.attempts.may(address)) return false
    return await orUnavailable(checks.isSigned(transaction, checked, signatures))
  }

  private async take(request: Request, throttled: boolean): Promise<Exclude<Outcome, { kind: 'off' }>> {
    const isKnown = this.signed.get(request.transaction) !== undefined
    const outcome = await this.parts.limits.take(request, throttled, this.parts.now?.(), isKnown)
    if (outcome.kind === 'off') throw new Unavailable('CPU is not sponsored at present: it is switched off')
    return outcome
  }

  /**
   * Checks a transaction on the chain. A failure is counted once, however often the transaction is sent.
   *
   * @param prove  resolves to whether the account has signed the transaction: only then does a failure count against
   *   the account. Null when the transaction was counted before.
   */
  private async check(
    checks: NodeChecks,
    transaction: UserTransaction,
    checked: Checked,
    request: Request,
    prove: (() => Promise<boolean>) | null,
  ): Promise<void> {
    const now = this.parts.now?.()
    const before = this.recentFailures.get(transaction.id, now ?? Date.now())
    if (before !== undefined) throw new FailedTrial(before)
    try {
      await checks.check(transaction, checked)
    } catch (error) {
      if (error instanceof FailedTrial) {
        this.recentFailures.add(transaction.id, error.message, now ?? Date.now())
        // If the node cannot return the account's keys, the signature counts as not proved.
        if (prove !== null)
          await this.noteFailure({ ...request, isOwn: request.isOwn || (await prove().catch(() => false)) })
      }
      throw error
    }
  }

  private noteFailure(request: Request): Promise<void> {
    return this.parts.limits.noteFailure(request, this.parts.now?.())
  }

  /** Does not fail when a dependency fails: `available` is then false. */
  async status(): Promise<Status> {
    const { signer, cpu } = this.parts
    const available = signer !== null && (await this.parts.isOn().catch(() => false))
    const throttled = cpu?.throttled ?? false
    const unbounded = this.parts.unbounded.cost(this.parts.now?.() ?? Date.now())
    return {
      available,
      signing: available && !throttled,
      throttled,
      cpu: cpu?.cpu ?? null,
      lastCheck: cpu?.lastCheck ?? null,
      ...(unbounded.transactions > 0 ? { unbounded } : {}),
    }
  }
}

/** Memoizes a call without arguments. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => (done ??= work())
}

/** Turns a failure to reach the chain into `Unavailable`. */
async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof RetryableError)) throw error
    throw new Unavailable('The chain cannot be asked at present: try again in a moment')
  }
}
