// From a request to a signature: checks of the transaction alone, limits, checks on the chain, then the key. Cheap checks
// come first; nothing is counted for a transaction that the first ones refuse.
import { RetryableError } from '../core/errors.ts'
import { addressBucket } from './address.ts'
import { checkTransaction } from './check-transaction.ts'
import type { CpuMonitor } from './cpu-monitor.ts'
import type { LimitCounter } from './limits.ts'
import type { NodeChecks } from './node/node-checks.ts'
import { FailedTrial } from './node/simulator.ts'
import { Refusal, Unavailable } from './refusal.ts'
import type { Rules } from './rules.ts'
import type { Signer } from './signer.ts'
import type { TokenList } from './token-list.ts'
import { readTransaction } from './transaction.ts'

export interface CosignerParts {
  rules: Rules
  limits: LimitCounter
  /** Null: nothing is signed. */
  signer: Signer | null
  /** Null without a node. */
  checks: NodeChecks | null
  cpu: CpuMonitor | null
  /** Null: transfers of all tokens. */
  tokens: TokenList | null
  /** Whether the switch of the database is on. */
  isOn: () => Promise<boolean>
}

export interface Cosigned {
  signature: string
  transaction: string
  user: string
}

/** As clients get it. */
export interface Status {
  available: boolean
  signing: boolean
  throttled: boolean
  cpu: { used: number; max: string; percent: number } | null
  lastCheck: number | null
}

export class Cosigner {
  private readonly parts: CosignerParts

  constructor(parts: CosignerParts) {
    this.parts = parts
  }

  /**
   * Signs a transaction for the payer.
   *
   * @param hex      the serialised transaction
   * @param address  of the client
   * @throws Refusal (400), Unavailable (503)
   */
  async cosign(hex: unknown, address: string): Promise<Cosigned> {
    const { signer, rules, limits, cpu } = this.parts
    const transaction = readTransaction(hex)
    const checked = checkTransaction(transaction, rules)
    if (signer === null) throw new Unavailable('CPU is not sponsored at present: there is no key')
    const { user } = checked
    await this.parts.tokens?.check(checked.tokens)
    const request = { transaction: transaction.id, address: addressBucket(address), account: user }
    const outcome = await limits.take(request, cpu?.throttled ?? false)
    if (outcome.kind === 'off') throw new Unavailable('CPU is not sponsored at present: it is switched off')
    if (outcome.kind === 'refused') throw new Refusal('limit', outcome.text)
    try {
      await this.parts.checks?.check(transaction, checked)
    } catch (error) {
      if (error instanceof FailedTrial) await limits.noteFailure(user)
      if (error instanceof RetryableError)
        throw new Unavailable('The chain cannot be asked at present: try again in a moment')
      throw error
    }
    return { signature: signer.sign(transaction.bytes), transaction: transaction.id, user }
  }

  /** Answers whatever is broken: nothing can be signed then. */
  async status(): Promise<Status> {
    const { signer, cpu } = this.parts
    const available = signer !== null && (await this.parts.isOn().catch(() => false))
    const throttled = cpu?.throttled ?? false
    return {
      available,
      signing: available && !throttled,
      throttled,
      cpu: cpu?.cpu ?? null,
      lastCheck: cpu?.lastCheck ?? null,
    }
  }
}
