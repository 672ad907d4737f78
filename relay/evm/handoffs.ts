// Hand-offs of finalizer policies to light clients before a withdrawal needs them: otherwise the first withdrawal after a
// change of the finalizers waits for them, and has to pay for them.
import { slotToMs } from '../../core/antelope/time.ts'
import type { HandoffArguments } from '../../proofs/json.ts'
import { learnCall } from '../../proofs/release-calls.ts'
import type { LightClientHandoffs } from '../bridge-api.ts'
import { NotAllowed } from '../choice/refusal.ts'
import { type Context, isAbort, noteFailure } from '../context.ts'
import { isSignerError } from '../signer-api.ts'
import type { CallGuard } from './allowed.ts'
import type { EvmChain, EvmHead } from './chain.ts'
import type { Sent } from './order.ts'
import type { EvmSender } from './sender.ts'

/** Longest interval between two readings of the hand-offs of a chain, seconds. */
const INTERVAL_S = 60
/** Hand-offs of one light client that are tried in one turn. */
const MAX_HANDOFFS = 16

/**
 * Whether a hand-off has waited for the margin of the settings. Its time is in the root, which the finalizers have signed:
 * the light client refuses a root with another time, and a policy that it knows.
 *
 * @param marginSeconds  0: never
 * @param now            Unix seconds
 */
export function handoffIsDue({ submitRoot }: HandoffArguments, marginSeconds: number, now: number): boolean {
  return marginSeconds > 0 && slotToMs(submitRoot.finality.timestamp) / 1000 <= now - marginSeconds
}

export class Handoffs {
  readonly #context: Context
  readonly #chain: EvmChain
  readonly #sender: EvmSender
  readonly #guard: CallGuard
  /** Unix ms. */
  #nextRead = 0
  #isReading = false
  /** The last answer, until it is used. */
  #found: LightClientHandoffs[] = []
  /** A repeated error is logged once. */
  #lastError: string | null = null

  constructor(context: Context, chain: EvmChain, sender: EvmSender, guard: CallGuard) {
    this.#context = context
    this.#chain = chain
    this.#sender = sender
    this.#guard = guard
  }

  /** Sends the first due hand-off of each light client. The next one needs its block. Does not wait for the bridge API. */
  async turn(head: EvmHead): Promise<void> {
    const { actions, handoffMarginSeconds: margin } = this.#context.config
    if (margin === 0 || !actions.includes('release')) return
    if (Date.now() >= this.#nextRead && !this.#isReading) void this.#read(1000 * Math.min(INTERVAL_S, margin))
    const found = this.#found
    this.#found = []
    for (const { lightClient, handoffs } of found)
      for (const handoff of handoffs.slice(0, MAX_HANDOFFS)) {
        if (!handoffIsDue(handoff, margin, Date.now() / 1000)) break
        if ((await this.#attempt(lightClient, handoff, head)) !== 'known') break
      }
  }

  async #read(pauseMs: number): Promise<void> {
    const { api, log } = this.#context
    this.#isReading = true
    try {
      this.#found = await api.handoffs(this.#chain.chainId)
      this.#lastError = null
    } catch (error) {
      const { message: reason } = error as Error
      if (!isAbort(error) && reason !== this.#lastError)
        log.warn('waits', { of: `hand-offs to ${this.#chain.name}`, reason })
      this.#lastError = reason
    }
    this.#isReading = false
    this.#nextRead = Date.now() + pauseMs
  }

  /** A failure is recorded, and delays the next try. @throws an error of the signer */
  async #attempt(lightClient: string, handoff: HandoffArguments, head: EvmHead): Promise<Sent> {
    const { config, journal } = this.#context
    const { address: signer } = this.#sender
    const leg = `h:${lightClient.toLowerCase().slice(0, 42)}:${Number(handoff.learn.lastPendingGeneration)}`
    const refusal = (await journal.refusals([leg])).of(leg, 'learn')
    if (refusal?.isClosed === true) return 'refused'
    try {
      const call = learnCall(lightClient, handoff)
      await this.#guard([call])
      const budgetUsd = config.handoffUsdDay - (await journal.spentOnHandoffs(signer))
      const costs = { feeUsd: 0, valueUsd: 0, budgetUsd, later: { handoffs: 0, gas: 0n }, shares: [] }
      return await this.#sender.send({ ...call, ...costs, leg, action: 'learn', refusal }, head)
    } catch (error) {
      if (isSignerError(error)) throw error
      const kind = error instanceof NotAllowed ? 'proof' : 'later'
      const { count: before = 0, reason: reasonBefore } = refusal ?? {}
      const refused = {
        chain: this.#chain.name,
        signer,
        leg,
        action: 'learn' as const,
        kind,
        before,
        reasonBefore,
      } as const
      await noteFailure(this.#context, refused, error)
      return 'refused'
    }
  }
}
