// Sends calls to an EVM chain, each exactly once in effect: the signed transaction is in the journal before it is sent,
// and after a restart a look at the chain says how each one goes on (state/step.ts).

import { gasWorth } from '../choice/choose.ts'
import { type Fees, firstFees, replacementFees, weiOf } from '../choice/fees.ts'
import { gasLimit, type Limited } from '../choice/limits.ts'
import { Refused } from '../choice/refusal.ts'
import { type Context, closedBy, noteRefusal, noteRelayed } from '../context.ts'
import type { RelayAction } from '../pending.ts'
import type { Intent, Refusal } from '../state/journal.ts'
import { type EvmStep, evmStep } from '../state/step.ts'
import type { EvmChain, EvmHead, EvmReceipt } from './chain.ts'
import { coinOf } from './coin.ts'
import type { EvmKey } from './key.ts'

export interface EvmOrder {
  leg: string
  action: RelayAction
  step: string
  to: string
  data: string
  feeUsd: number | null
  valueUsd: number | null
  /** The refusal before, if any. */
  refusal: Refusal | undefined
}

/** `known`: the light client has learned this policy, so that the next call of the release can be sent. */
export type Sent = 'sent' | 'refused' | 'limited' | 'dry-run' | 'known'

const CANCEL_GAS = 21_000n

export class EvmSender {
  readonly #context: Context
  readonly #chain: EvmChain
  readonly #key: EvmKey

  constructor(context: Context, chain: EvmChain, key: EvmKey) {
    this.#context = context
    this.#chain = chain
    this.#key = key
  }

  get address(): string {
    return this.#key.address
  }

  /** Fees of the settings, wei. */
  get #limits() {
    const { maxFeeGwei, priorityGwei } = this.#context.config
    return { cap: weiOf(maxFeeGwei), tip: weiOf(priorityGwei) }
  }

  /** Tries a call and sends it. */
  async send(order: EvmOrder, head: EvmHead): Promise<Sent> {
    const { leg, action, step, to, data, feeUsd, valueUsd, refusal } = order
    const gas = await this.#try(order)
    if (typeof gas === 'string') return gas
    const limit = (gas * 12n) / 10n
    const fees = firstFees(head.baseFee, this.#limits)
    if (fees === null) return this.#limited('fee-cap', leg)
    const costUsd = this.#worth(limit, fees.maxFee)
    const closed = (await closedBy(this.#context)) ?? (await this.#overspent(costUsd))
    if (closed !== null) return this.#limited(closed, leg)
    if (this.#context.config.dryRun) {
      this.#context.log.info('would send', {
        chain: this.#chain.name,
        leg,
        action,
        step,
        gas: String(gas),
        costUsd,
        feeUsd,
      })
      return 'dry-run'
    }
    const { journal } = this.#context
    const [count, next] = [
      await this.#chain.count(this.address),
      await journal.nextNonce(this.address, this.#chain.name),
    ]
    const nonce = Math.max(count, next)
    const intent = await this.#intend({ leg, action, step, nonce, call: { to, data }, limit, fees, feeUsd, valueUsd })
    if (refusal !== undefined) await journal.forgetRefusal(this.address, leg, action)
    await this.#broadcast(intent)
    return 'sent'
  }

  /** Brings open transactions on by what the chain says. @returns those that are in no block */
  async settle(head: EvmHead): Promise<Intent[]> {
    const open = await this.#context.journal.open(this.address, this.#chain.name)
    if (open.length === 0) return []
    // Before the receipts: a nonce that is used has a receipt then.
    const nextNonce = await this.#chain.count(this.address)
    const receipts = new Map<string, EvmReceipt | null>()
    for (const { hash } of open) receipts.set(hash, await this.#chain.receipt(hash))
    const waiting: Intent[] = []
    for (const intent of open) {
      const receipt = receipts.get(intent.hash) ?? null
      const step = await this.#stepOf(intent, open, receipts, nextNonce, head)
      await this.#take(step, intent, receipt, head)
      if (receipt === null && !['replaced', 'foreign'].includes(step)) waiting.push(intent)
    }
    return waiting
  }

  async #stepOf(
    intent: Intent,
    open: readonly Intent[],
    receipts: ReadonlyMap<string, EvmReceipt | null>,
    nextNonce: number,
    head: EvmHead,
  ): Promise<EvmStep> {
    const nonce = intent.nonce ?? 0
    const receipt = receipts.get(intent.hash) ?? null
    const siblings = open.filter((one) => one.nonce === nonce && one !== intent)
    const blocks = siblings.flatMap(({ hash }) => receipts.get(hash)?.block ?? [])
    const isNewest = siblings.every(({ id }) => BigInt(id) < BigInt(intent.id))
    return evmStep({
      state: intent.state,
      isCancel: intent.action === 'cancel',
      nonce,
      receipt,
      nextNonce,
      finalBlock: head.finalNumber,
      sibling: blocks.length === 0 ? 'none' : blocks.some((block) => block <= head.finalNumber) ? 'final' : 'mined',
      isNewest,
      isKnown: receipt !== null || (isNewest && intent.state !== 'intended' && (await this.#chain.knows(intent.hash))),
      ageMs: Date.now() - intent.sentAt.getTime(),
      replaceMs: this.#context.config.replaceSeconds * 1000,
    })
  }

  async #take(step: EvmStep, intent: Intent, receipt: EvmReceipt | null, head: EvmHead): Promise<void> {
    const { journal, log, metrics } = this.#context
    const sends = step === 'send' || step === 'replace'
    if (step === 'wait' || (sends && this.#context.config.dryRun)) return
    if (receipt !== null && intent.state !== 'mined') await this.#mined(intent, receipt)
    if (step === 'send') return this.#again(intent, head)
    if (step === 'replace') return this.#replace(intent, head)
    if (step === 'mined') return
    if (step === 'reverted') return this.#reverted(intent)
    if (step === 'foreign') {
      metrics.foreign.inc({ chain: this.#chain.name })
      const { hash, nonce, leg } = intent
      log.error('another program uses the key', { chain: this.#chain.name, key: this.address, nonce, hash, leg })
    }
    await journal.ended(intent.id, step)
  }

  async #mined(intent: Intent, { block, gasUsed, cost, succeeded }: EvmReceipt): Promise<void> {
    const costUsd = this.#worth(cost, 1n)
    await this.#context.journal.mined(intent.id, { block, gasUsed, cost, costUsd })
    if (succeeded) noteRelayed(this.#context, { ...intent, costUsd })
    else this.#context.metrics.costUsd.inc({ chain: intent.chain }, costUsd ?? 0)
  }

  /** In a final block without effect: another sender was faster, or a recipient refuses in a block only. */
  async #reverted(intent: Intent): Promise<void> {
    const { journal } = this.#context
    const reason = (await this.#refusalOf(intent)) ?? 'it failed in its block, and would succeed now'
    await journal.ended(intent.id, 'reverted', reason)
    const before = (await journal.refusals()).of(intent.leg, intent.action)?.count ?? 0
    await noteRefusal(this.#context, { ...intent, reason, before })
  }

  /** Sends the same bytes again, unless the call would be refused by now: then frees the nonce. */
  async #again(intent: Intent, head: EvmHead): Promise<void> {
    if (intent.state === 'mined') await this.#context.journal.undone(intent.id)
    const closed = await closedBy(this.#context)
    if (closed !== null) return void this.#limited(closed, intent.leg)
    const reason = await this.#refusalOf(intent)
    if (reason !== null) return this.#cancel(intent, head, reason)
    await this.#broadcast(intent)
  }

  async #replace(intent: Intent, head: EvmHead): Promise<void> {
    const reason = await this.#refusalOf(intent)
    if (reason !== null) return this.#cancel(intent, head, reason)
    const { leg, action, step, call, feeUsd, valueUsd, gasLimit: limit } = intent
    if (call !== null) await this.#renew(intent, head, { leg, action, step, call, feeUsd, valueUsd, limit })
  }

  /** Frees the nonce of a call that would be refused: a transfer of nothing costs less than a refusal in a block. */
  async #cancel(intent: Intent, head: EvmHead, reason: string): Promise<void> {
    const { leg, chain } = intent
    const before = (await this.#context.journal.refusals()).of(leg, intent.action)
    const known = { before: before?.count ?? 0, reasonBefore: before?.reason }
    await noteRefusal(this.#context, { chain, signer: this.address, leg, action: intent.action, reason, ...known })
    const call = { to: this.address, data: '0x' }
    const order = { leg, action: 'cancel' as const, step: 'cancel', call, feeUsd: 0, valueUsd: 0, limit: CANCEL_GAS }
    await this.#renew(intent, head, order)
  }

  /** Another transaction with the same nonce. */
  async #renew(
    old: Intent,
    head: EvmHead,
    order: Pick<Intent, 'leg' | 'action' | 'step' | 'feeUsd' | 'valueUsd'> & {
      call: NonNullable<Intent['call']>
      limit: bigint
    },
  ): Promise<void> {
    const fees = replacementFees({ maxFee: old.maxFee, maxTip: old.maxTip }, head.baseFee, this.#limits)
    const closed = fees === null ? 'fee-cap' : await closedBy(this.#context)
    if (closed !== null || fees === null) return void this.#limited(closed ?? 'fee-cap', old.leg)
    const intent = await this.#intend({ ...order, nonce: old.nonce ?? 0, fees })
    this.#context.metrics.replacements.inc({ chain: this.#chain.name })
    const { action, leg, hash, nonce } = intent
    this.#context.log.info('replaces', {
      chain: this.#chain.name,
      key: this.address,
      leg,
      action,
      nonce,
      hash,
      replaced: old.hash,
    })
    await this.#broadcast(intent)
  }

  /** Why a stored call would be refused now; null when it would not. */
  async #refusalOf({ action, call }: Intent): Promise<string | null> {
    if (action === 'cancel' || call === null) return null
    try {
      await this.#chain.simulate({ from: this.address, ...call })
      return null
    } catch (error) {
      if (error instanceof Refused) return error.message
      throw error
    }
  }

  /** @returns gas, or why it is not sent */
  async #try({ leg, action, step, to, data, refusal }: EvmOrder): Promise<bigint | 'refused' | 'known'> {
    const call = { from: this.address, to, data }
    try {
      await this.#chain.simulate(call)
      return await this.#chain.estimate(call)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (step === 'learn' && error.message === 'PolicyIsOld') return 'known'
      const { name: chain } = this.#chain
      const known = { before: refusal?.count ?? 0, reasonBefore: refusal?.reason }
      await noteRefusal(this.#context, { chain, signer: this.address, leg, action, reason: error.message, ...known })
      return 'refused'
    }
  }

  #intend(
    order: Pick<Intent, 'leg' | 'action' | 'step' | 'feeUsd' | 'valueUsd'> & {
      nonce: number
      call: NonNullable<Intent['call']>
      limit: bigint
      fees: Fees
    },
  ): Promise<Intent> {
    const { leg, action, step, nonce, call, limit, fees, feeUsd, valueUsd } = order
    const { chainId, name: chain } = this.#chain
    const { hash, raw } = this.#key.sign({ chainId, nonce, ...call, gasLimit: limit, ...fees })
    const costUsd = this.#worth(limit, fees.maxFee)
    const shared = { chain, signer: this.address, leg, action, step, nonce, hash, raw, call, expiresAt: null }
    return this.#context.journal.intend({ ...shared, ...fees, gasLimit: limit, costUsd, feeUsd, valueUsd })
  }

  async #broadcast({ id, hash, raw, leg, action, step, nonce, costUsd, feeUsd }: Intent): Promise<void> {
    const { onStep, journal, log } = this.#context
    onStep?.('intended', hash)
    try {
      await this.#chain.send(raw)
    } catch (error) {
      // It stays in the journal and is sent again: a node refuses what it has no room or no gas for.
      if (!(error instanceof Refused)) throw error
      log.warn('the node does not take a transaction', { chain: this.#chain.name, leg, hash, reason: error.message })
      return
    }
    onStep?.('sent', hash)
    await journal.sent(id)
    this.#context.limits.clear(this.#chain.name)
    log.info('sent', {
      chain: this.#chain.name,
      key: this.address,
      leg,
      action,
      step,
      nonce,
      hash,
      mostUsd: costUsd,
      feeUsd,
    })
  }

  async #overspent(costUsd: number | null): Promise<Limited | null> {
    const { config, journal } = this.#context
    return gasLimit({ spentUsd: await journal.spent(this.address), costUsd, limitUsd: config.gasUsdDay })
  }

  #limited(limit: Limited, leg: string): Sent {
    this.#context.limits.note(this.#context, this.#chain.name, limit, leg)
    return 'limited'
  }

  /** USD of gas; null without a price of the coin. */
  #worth(gas: bigint, wei: bigint): number | null {
    return gasWorth(gas, wei, coinOf(this.#chain.chainId), this.#context.prices())
  }
}
