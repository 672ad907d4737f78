// Sends calls to an EVM chain so that each takes effect exactly once: the signed transaction is in the journal before it
// is sent, and after a restart the chain's state decides how each one continues (state/step.ts).
import { gasWorth, isAmong } from '../choice/choose.ts'
import { type FeeLimits, type Fees, feesWithin, firstFees, GWEI, priceOf, replacementFees } from '../choice/fees.ts'
import { balanceLimit, callBudget, gasLimit, type Limited, lossLimit } from '../choice/limits.ts'
import { feeLimitsOf } from '../choice/per-chain.ts'
import { DENIED, lossOf, NotAllowed, type RefusalKind, Refused } from '../choice/refusal.ts'
import { type Context, noteRefusal, noteRelayed, stoppedBy } from '../context.ts'
import { isSignerError } from '../signer-api.ts'
import type { Intent } from '../state/journal.ts'
import { type EvmStep, evmStep } from '../state/step.ts'
import { type CallGuard, isCancel, recipientOf } from './allowed.ts'
import type { EvmChain, EvmHead, EvmReceipt } from './chain.ts'
import { coinOf } from './coin.ts'
import type { EvmSigner } from './key.ts'
import { MissingReceipts } from './missing.ts'
import { type EvmOrder, type Sent, waitingOf } from './order.ts'
import { TipFloor } from './tips.ts'

type NewCall = Pick<Intent, 'leg' | 'action' | 'step' | 'feeUsd' | 'valueUsd' | 'shares'> & {
  nonce: number
  call: NonNullable<Intent['call']>
  limit: bigint
  fees: Fees
}

const CANCEL_GAS = 21_000n

export class EvmSender {
  readonly #context: Context
  readonly #chain: EvmChain
  readonly #key: EvmSigner
  readonly #guard: CallGuard
  /** Transactions that were in no block in the last turn, and transactions signed since. */
  #open: Intent[] = []
  readonly #tips = new TipFloor()
  readonly #missing = new MissingReceipts()

  /** @param guard  refuses calls that may not be signed, calls of stored rows included */
  constructor(context: Context, chain: EvmChain, key: EvmSigner, guard: CallGuard) {
    this.#context = context
    this.#chain = chain
    this.#key = key
    this.#guard = guard
  }

  get address(): string {
    return this.#key.address
  }

  /** Fees of the settings, and at least the tip that nodes take, wei. */
  get limits(): FeeLimits {
    const { cap, tip } = feeLimitsOf(this.#context.config, this.#chain.name)
    const floor = this.#tips.tip
    return { cap, tip: tip < floor ? floor : tip }
  }

  /** Tries a call and sends it. */
  async send(order: EvmOrder, head: EvmHead): Promise<Sent> {
    const { leg, action, step, to, data, feeUsd, valueUsd, shares } = order
    const gas = await this.#try(order, () => this.#gasOf({ to, data }))
    if (typeof gas === 'string') return gas
    const limit = (gas * 12n) / 10n
    const first = firstFees(head.baseFee, this.limits)
    if (first === null) return this.#limited('fee-cap', leg)
    const price = priceOf(first, head.baseFee)
    const budgetUsd = await this.#budgetOf(order, gas, price)
    const loss = lossLimit(this.#worth(gas, price), budgetUsd)
    if (loss === 'loss') return this.#refuse(order, lossOf(action), 'left')
    await this.#reconsider(order)
    const fees = feesWithin(first, head.baseFee, this.#mostWei(gas, budgetUsd))
    const closed =
      loss ??
      (await stoppedBy(this.#context)) ??
      (await this.#overspent(this.#worth(limit, fees.maxFee))) ??
      (await this.#overdrawn(limit * fees.maxFee))
    // A dry run needs no coins: a node tries the call without fees.
    const isPoor = closed === 'balance' && this.#context.config.dryRun
    if (closed !== null && !isPoor) return this.#limited(closed, leg)
    // Once more as it will run: a contract sees its price of gas.
    const terms = isPoor ? undefined : { gasLimit: limit, ...fees }
    const tried = await this.#try(order, () => this.#chain.simulate({ from: this.address, to, data }, terms))
    if (tried !== undefined) return tried
    if (this.#context.config.dryRun) {
      const what = { chain: this.#chain.name, leg, action, step, gas: String(gas), feeUsd, limit: closed ?? undefined }
      this.#context.log.info('would send', { ...what, costUsd: this.#worth(limit, fees.maxFee) })
      return 'dry-run'
    }
    const count = await this.#chain.count(this.address)
    const nonce = await this.#context.journal.freeNonce(this.address, this.#chain.name, count)
    const call = { to, data, budgetUsd }
    const intent = await this.#intend({ leg, action, step, nonce, call, limit, fees, feeUsd, valueUsd, shares })
    if (intent === null) return this.#limited('gas-day', leg)
    await this.#broadcast(intent)
    return 'sent'
  }

  /** What a call may cost: its withdrawal is judged as a whole. @param gas  of the call @param price  wei a unit */
  async #budgetOf({ leg, budgetUsd, later }: EvmOrder, gas: bigint, price: bigint): Promise<number | null> {
    if (budgetUsd === null) return null
    const { spent } = await this.#context.journal.costs(this.address, this.#chain.name, leg, [leg])
    const laterUsd = this.#worth(BigInt(later.handoffs) * gas + later.gas, price)
    return callBudget(budgetUsd, spent.get(leg) ?? 0, laterUsd)
  }

  /** A call that was left because of its loss and is profitable now counts for the deadline alarms again. */
  async #reconsider({ leg, action, refusal }: EvmOrder): Promise<void> {
    if (refusal?.kind === 'left') await this.#context.journal.forgetRefusal(this.address, leg, action)
  }

  /**
   * Advances the open transactions to the state of the chain.
   *
   * @returns transactions that are in no block: the newest of each nonce
   */
  async settle(head: EvmHead): Promise<Intent[]> {
    const open = await this.#context.journal.open(this.address, this.#chain.name)
    this.#open = []
    if (open.length === 0) return []
    // Read before the receipts, so that a used nonce has a receipt.
    const nextNonce = await this.#chain.count(this.address)
    this.#open = open.filter(({ nonce }) => nonce !== null && nonce >= nextNonce)
    const receipts = new Map<string, EvmReceipt | null>()
    for (const { hash } of open) receipts.set(hash, await this.#chain.receipt(hash))
    const finalCount = () => this.#chain.count(this.address, 'finalized')
    await this.#missing.note(open, receipts, nextNonce, head.finalNumber, finalCount)
    let trouble: unknown
    for (const intent of open) {
      const step = await this.#stepOf(intent, open, receipts, nextNonce, head)
      try {
        await this.#take(step, intent, receipts.get(intent.hash) ?? null, head)
      } catch (error) {
        // Transactions that need no signature continue.
        if (!isSignerError(error)) throw error
        trouble = error
      }
    }
    if (trouble !== undefined) throw trouble
    return waitingOf(open, receipts, nextNonce)
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
      isUnderpriced: intent.maxFee < head.baseFee,
      isBelowTip: intent.maxTip < this.#tips.tip,
      isDenied: this.#deniedReason(intent) !== null,
      missing: this.#missing.of(intent.hash),
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
    this.#context.onStep?.('seen', intent.hash)
    await this.#context.journal.mined(intent.id, { block, gasUsed, cost, costUsd })
    if (!succeeded) return this.#context.metrics.costUsd.inc({ chain: intent.chain }, costUsd ?? 0)
    noteRelayed(this.#context, { ...intent, costUsd })
    // Only after the block: a call may succeed in simulation and fail in its block.
    const { leg, action, step } = intent
    if (step !== 'learn' || action === 'learn') await this.#context.journal.forgetRefusal(this.address, leg, action)
  }

  /** It failed in a final block: another sender was faster, or the recipient refuses only in a block. */
  async #reverted(intent: Intent): Promise<void> {
    const { journal } = this.#context
    const reason = (await this.#refusalOf(intent)) ?? 'it failed in its block, and would succeed now'
    await journal.ended(intent.id, 'reverted', reason)
    const before = (await journal.refusals([intent.leg])).of(intent.leg, intent.action)?.count ?? 0
    await noteRefusal(this.#context, { ...intent, reason, before })
  }

  /** Sends the same bytes again. If the call would now be refused, frees the nonce instead. */
  async #again(intent: Intent, head: EvmHead): Promise<void> {
    if (intent.state === 'mined') await this.#context.journal.undone(intent.id)
    const closed = await stoppedBy(this.#context)
    if (closed !== null) return void this.#limited(closed, intent.leg)
    const reason = await this.#refusalOf(intent)
    if (reason !== null) return this.#cancel(intent, head, reason)
    // A node that forgets it gets it in each turn. That must not put off its replacement.
    await this.#broadcast(intent, intent.state !== 'sent')
  }

  /** Sends it with a higher fee. If a limit or the cap forbids that, sends the same bytes: the node may have lost them. */
  async #replace(old: Intent, head: EvmHead): Promise<void> {
    const closed = await stoppedBy(this.#context)
    if (closed !== null) return void this.#limited(closed, old.leg)
    const reason = await this.#refusalOf(old)
    if (reason !== null) return this.#cancel(old, head, reason)
    const { leg, action, step, call, feeUsd, valueUsd, shares, gasLimit: limit } = old
    if (call === null) return this.#broadcast(old)
    // The gas limit is the estimate plus a fifth.
    const gas = (limit * 10n) / 12n
    const fees = replacementFees(old, head.baseFee, this.limits, this.#mostWei(gas, call.budgetUsd ?? null))
    const loss = fees && lossLimit(this.#worth(gas, priceOf(fees, head.baseFee)), call.budgetUsd ?? null)
    const kept = fees === null ? 'fee-cap' : (loss ?? (await this.#unpaid(old, limit, fees)))
    if (fees !== null && kept === null)
      return this.#renew(old, { leg, action, step, call, feeUsd, valueUsd, shares, limit, fees })
    this.#limited(kept ?? 'fee-cap', leg)
    // Nodes do not accept its tip, or blocks its fee, and a higher one costs more than it earns. In the second case it is
    // freed only when others wait for its nonce.
    const holdsUp = old.maxFee < head.baseFee && this.#open.some(({ nonce }) => (nonce ?? 0) > (old.nonce ?? 0))
    if (kept === 'loss' && (holdsUp || old.maxTip < this.#tips.tip))
      return this.#cancel(old, head, lossOf(action), 'left')
    await this.#broadcast(old)
  }

  /** Frees the nonce of a call that would be refused: an empty transfer costs less gas than a call that fails. */
  async #cancel(old: Intent, head: EvmHead, reason: string, kind?: RefusalKind): Promise<void> {
    const { leg, chain } = old
    const before = (await this.#context.journal.refusals([leg])).of(leg, old.action)
    const known = { kind, before: before?.count ?? 0, reasonBefore: before?.reason }
    await noteRefusal(this.#context, { chain, signer: this.address, leg, action: old.action, reason, ...known })
    // What no node has needs no higher fee.
    const raised = replacementFees(old, head.baseFee, this.limits)
    const fees = raised ?? ((await this.#chain.knows(old.hash)) ? null : firstFees(head.baseFee, this.limits))
    if (fees === null) return void this.#limited('fee-cap', leg)
    const closed = (await stoppedBy(this.#context)) ?? (await this.#unpaid(old, CANCEL_GAS, fees))
    if (closed !== null) return void this.#limited(closed, leg)
    const call = { to: this.address, data: '0x', budgetUsd: null }
    const order = { leg, action: 'cancel' as const, step: 'cancel', call, feeUsd: 0, valueUsd: 0, shares: [] }
    await this.#renew(old, { ...order, limit: CANCEL_GAS, fees })
  }

  /** Why the day's gas or the balance does not allow for another transaction with the nonce of an old one. */
  async #unpaid(old: Intent, limit: bigint, fees: Fees): Promise<Limited | null> {
    const most = this.#worth(limit, fees.maxFee)
    // Of transactions with one nonce only one is paid, at the most the dearest.
    const siblings = this.#open.filter(({ nonce }) => nonce === old.nonce)
    const before = Math.max(0, ...siblings.map(({ costUsd }) => costUsd ?? 0))
    const more = most === null ? null : most - before
    const overspent = more !== null && more <= 0 ? null : await this.#overspent(more)
    return overspent ?? (await this.#overdrawn(limit * fees.maxFee, old.nonce))
  }

  /** Another transaction with the same nonce. */
  async #renew(old: Intent, order: Omit<NewCall, 'nonce'>): Promise<void> {
    const intent = await this.#intend({ ...order, nonce: old.nonce ?? 0 })
    if (intent === null) return void this.#limited('gas-day', order.leg)
    this.#context.metrics.replacements.inc({ chain: this.#chain.name })
    const { action, chain, leg, hash, nonce } = intent
    this.#context.log.info('replaces', { chain, key: this.address, leg, action, nonce, hash, replaced: old.hash })
    await this.#broadcast(intent)
  }

  /** Why a stored call would be refused now; null when it would not. */
  async #refusalOf(intent: Intent): Promise<string | null> {
    const { call, gasLimit: limit, maxFee, maxTip } = intent
    if (call === null || isCancel(call, this.address)) return null
    try {
      const { to, data } = call
      await this.#guard([call])
      const denied = this.#deniedReason(intent)
      if (denied !== null) return denied
      await this.#chain.simulate({ from: this.address, to, data }, { gasLimit: limit, maxFee, maxTip })
      return null
    } catch (error) {
      if (error instanceof Refused || error instanceof NotAllowed) return error.message
      throw error
    }
  }

  /** The settings may have changed since a transaction was sent. */
  #deniedReason({ call }: Intent): string | null {
    const { deny } = this.#context.config
    if (call === null || deny.length === 0) return null
    const recipient = recipientOf(call.data)
    return recipient !== null && isAmong([recipient], deny) ? DENIED : null
  }

  async #gasOf({ to, data }: Pick<EvmOrder, 'to' | 'data'>): Promise<bigint> {
    const call = { from: this.address, to, data }
    await this.#chain.simulate(call)
    return this.#chain.estimate(call)
  }

  /** @returns the result of a trial, or why it is not sent */
  async #try<T>(order: EvmOrder, trial: () => Promise<T>): Promise<T | 'refused' | 'known'> {
    try {
      return await trial()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return order.step === 'learn' && error.message === 'PolicyIsOld' ? 'known' : this.#refuse(order, error.message)
    }
  }

  async #refuse({ leg, action, refusal }: EvmOrder, reason: string, kind?: RefusalKind): Promise<'refused'> {
    const known = { before: refusal?.count ?? 0, reasonBefore: refusal?.reason }
    const what = { chain: this.#chain.name, signer: this.address, leg, action, reason, kind, ...known }
    await noteRefusal(this.#context, what)
    return 'refused'
  }

  /** Signs and writes a transaction. @returns null when it would exceed the day's gas */
  async #intend(made: NewCall): Promise<Intent | null> {
    const { leg, action, step, nonce, call, limit, fees, feeUsd, valueUsd, shares } = made
    const { chainId, name: chain } = this.#chain
    const { to, data } = call
    if (!isCancel(call, this.address)) await this.#guard([call])
    const { hash, raw } = await this.#key.sign({ chainId, nonce, to, data, gasLimit: limit, ...fees })
    const costUsd = this.#worth(limit, fees.maxFee)
    const shared = { chain, signer: this.address, leg, action, step, nonce, hash, raw, call, expiresAt: null }
    const money = { ...fees, gasLimit: limit, costUsd, feeUsd, valueUsd, shares }
    const intent = await this.#context.journal.intend({ ...shared, ...money }, this.#context.config.gasUsdDay)
    if (intent !== null) this.#open.push(intent)
    return intent
  }

  /** @param isNoted  whether the time until its replacement begins */
  async #broadcast(intent: Intent, isNoted = true): Promise<void> {
    const { id, hash, raw, leg, action, step, nonce, costUsd, feeUsd, maxTip } = intent
    const { onStep, journal, log } = this.#context
    onStep?.('intended', hash)
    try {
      await this.#chain.send(raw)
    } catch (error) {
      // It stays in the journal and is sent again: a node refuses what it has no room or no gas for.
      if (!(error instanceof Refused)) throw error
      const { message: reason } = error
      log.warn('the node does not take a transaction', { chain: this.#chain.name, leg, hash, reason })
      return this.#tips.learn(reason, maxTip, this.limits.cap, () => this.#chain.suggestedTip())
    }
    onStep?.('sent', hash)
    if (isNoted) await journal.sent(id)
    this.#context.limits.clear(this.#chain.name)
    const sent = { chain: this.#chain.name, key: this.address, leg, action, step, nonce, hash }
    log.info('sent', { ...sent, mostUsd: costUsd, feeUsd })
  }

  async #overspent(costUsd: number | null): Promise<Limited | null> {
    const { config, journal } = this.#context
    return gasLimit({ spentUsd: await journal.spent(this.address), costUsd, limitUsd: config.gasUsdDay })
  }

  /** @param nonce  of the transaction itself, if it replaces another one @param most  wei */
  async #overdrawn(most: bigint, nonce: number | null = null): Promise<Limited | null> {
    const reserved = new Map<number | null, bigint>()
    for (const intent of this.#open) {
      const own = intent.gasLimit * intent.maxFee
      if (intent.nonce === nonce || own <= (reserved.get(intent.nonce) ?? 0n)) continue
      reserved.set(intent.nonce, own)
    }
    const sum = [...reserved.values()].reduce((a, b) => a + b, 0n)
    return balanceLimit(await this.#chain.balance(this.address), sum, most)
  }

  #limited(limit: Limited, leg: string): 'limited' {
    this.#context.limits.note(this.#context, this.#chain.name, limit, leg)
    return 'limited'
  }

  /** Wei at which a unit of gas uses up a budget; null: no limit. */
  #mostWei(gas: bigint, budgetUsd: number | null): bigint | null {
    const usd = this.#worth(gas, GWEI)
    return budgetUsd === null || usd === null || usd === 0 ? null : BigInt(Math.floor((budgetUsd / usd) * 1e9))
  }

  /** USD of gas; null without a price of the coin. */
  #worth(gas: bigint, wei: bigint): number | null {
    return gasWorth(gas, wei, coinOf(this.#chain.chainId), this.#context.prices())
  }
}
