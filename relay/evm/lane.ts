// The work of one EVM chain: chooses withdrawals, brings roots and hand-offs, sends releases and expiries.
import { releaseCalls } from '../../proofs/release-calls.ts'
import type { Board } from '../board.ts'
import { isLight, laterOf } from '../choice/batch.ts'
import { gasWorth } from '../choice/choose.ts'
import { firstFees, priceOf } from '../choice/fees.ts'
import { chainValue, feeLimitsOf } from '../choice/per-chain.ts'
import {
  type Chosen,
  chooseProven,
  lightUsd,
  type Market,
  mustWait,
  planOf,
  type RootChosen,
  rootBudget,
  waitsForAllowance,
} from '../choice/plan.ts'
import { NotAllowed, type RefusalKind } from '../choice/refusal.ts'
import type { EvmTask } from '../choice/task.ts'
import { type Context, noteRefusal, noteTrouble } from '../context.ts'
import type { Intent } from '../state/journal.ts'
import type { CallGuard } from './allowed.ts'
import type { EvmChain, EvmHead } from './chain.ts'
import { coinOf } from './coin.ts'
import { provenMembers } from './members.ts'
import type { EvmSender } from './sender.ts'

/** A chain at one look. */
export interface Look {
  head: EvmHead
  /** In no block. */
  waiting: Intent[]
}

export class EvmLane {
  readonly chain: EvmChain
  readonly #context: Context
  readonly #sender: EvmSender
  readonly #guard: CallGuard
  /** Whether the balance was low at the last look: it is logged once. */
  #isLow = false
  /** Whether it was logged that the node names no final block. */
  #isWarned = false

  constructor(context: Context, chain: EvmChain, sender: EvmSender, guard: CallGuard) {
    this.chain = chain
    this.#context = context
    this.#sender = sender
    this.#guard = guard
    context.metrics.begin(chain.name)
  }

  /** Brings open transactions on. @returns null when the node lags: nothing is sent in this turn */
  async settle(): Promise<Look | null> {
    const head = await this.chain.head()
    await this.#noteBalance()
    this.#noteFinality(head)
    if (this.#lags(head)) return null
    const waiting = await this.#sender.settle(head)
    this.#noteOpen(waiting)
    return { head, waiting }
  }

  /** Sends what is chosen. @param tasks  withdrawals of this chain, in order */
  async turn({ head, waiting }: Look, tasks: readonly EvmTask[], board: Board): Promise<void> {
    const room = this.#context.config.inFlight - waiting.length
    const refusalOf = (leg: string) => board.refusals.of(leg, 'release')
    const usable = tasks.filter((task) => board.isFree(task) && !mustWait(task, tasks, refusalOf))
    const tokens = new Set(tasks.filter((task) => isRelease(task) && board.isOpen(task)).map(tokenOf))
    const market = this.#marketAt(head)
    const { light, root, judged } = planOf(usable, market)
    for (const { task, choice } of judged) board.note(task, choice)
    const brings = root !== null && !waiting.some(({ step }) => step === 'learn' || step === 'submit') ? [root] : []
    for (const one of [...brings, ...light].slice(0, Math.max(0, room))) {
      const { task } = one
      if (waitsForAllowance(task, tokens)) {
        board.count('allowance')
        continue
      }
      await this.#attempt(one, head, board, market)
      if (isRelease(task)) tokens.add(tokenOf(task))
    }
  }

  #lags({ time }: EvmHead): boolean {
    const seconds = Date.now() / 1000 - time
    if (seconds <= this.#context.config.maxLagSeconds) return false
    this.#context.limits.note(this.#context, this.chain.name, 'node-lags')
    return true
  }

  /** Without final blocks no transaction ends. */
  #noteFinality({ finalNumber }: EvmHead): void {
    if (finalNumber > 0 || this.#isWarned) return
    this.#isWarned = true
    this.#context.log.warn('the node names no final block: transactions stay open', { chain: this.chain.name })
  }

  #noteOpen(waiting: readonly Intent[]): void {
    const { name: chain } = this.chain
    const { open, oldest } = this.#context.metrics
    const since = Math.min(...waiting.map(({ createdAt }) => createdAt.getTime()))
    open.set({ chain }, waiting.length)
    oldest.set({ chain }, waiting.length === 0 ? 0 : (Date.now() - since) / 1000)
  }

  async #noteBalance(): Promise<void> {
    const { config, log, metrics } = this.#context
    const { name: chain } = this.chain
    const balance = Number(await this.chain.balance(this.#sender.address)) / 1e18
    const isLow = balance < chainValue(config.warnBalance, chain, 0.1)
    metrics.balance.set({ chain }, balance)
    metrics.lowBalance.set({ chain }, isLow ? 1 : 0)
    if (isLow && !this.#isLow) log.warn('the balance is low', { chain, key: this.#sender.address, balance })
    this.#isLow = isLow
  }

  #marketAt({ baseFee }: EvmHead): Market {
    const { config, prices } = this.#context
    const limits = feeLimitsOf(config, this.chain.name)
    const fees = firstFees(baseFee, limits)
    const wei = fees === null ? limits.cap : priceOf(fees, baseFee)
    const usdOf = (gas: bigint) => gasWorth(gas, wei, coinOf(this.chain.chainId), prices())
    return { config, prices: prices(), usdOf, now: Date.now() / 1000 }
  }

  /** Sends one withdrawal. Its trouble is recorded, and does not hold back the others. */
  async #attempt(chosen: Chosen | RootChosen, head: EvmHead, board: Board, market: Market): Promise<void> {
    try {
      await this.#send(chosen, head, board, market)
    } catch (error) {
      const kind = error instanceof NotAllowed ? 'proof' : 'later'
      await noteTrouble(this.#context, this.#refusedBase(chosen.task, board, kind), error)
    }
  }

  /** Sends the first call of a withdrawal that the chain does not know; the next one when that one is in a block. */
  async #send(chosen: Chosen | RootChosen, head: EvmHead, board: Board, market: Market): Promise<void> {
    const { task } = chosen
    const { leg, entry } = task
    const proof = await this.#context.api.withdrawalProof(leg)
    if (proof === null) return
    // It was judged by a stored root that is gone: the next look judges it again.
    if (entry.action === 'release' && isLight(task) && proof.light === null) return
    const { choice, budgetUsd } = chooseProven(chosen, (proof.light ?? proof.hard).release, market)
    if (!choice.go) {
      // The list offers it again at the next look; the refusal delays the next try.
      const refused = this.#refusedBase(task, board, 'left')
      return noteRefusal(this.#context, { ...refused, reason: `by its proof: ${choice.skip}` })
    }
    const calls = releaseCalls(proof, entry.action)
    // All of them, before the first one is sent.
    await this.#guard(calls)
    const shared = proof.light === null ? await this.#share(chosen, budgetUsd, market) : { budgetUsd, shares: [] }
    const { feeUsd, valueUsd } = choice
    const refusal = board.refusals.of(leg, entry.action)
    const order = { leg, action: entry.action, feeUsd, valueUsd, refusal, ...shared }
    for (const [i, call] of calls.entries()) {
      const later = laterOf(task, calls.length - 1 - i)
      if ((await this.#sender.send({ ...call, ...order, later }, head)) !== 'known') return
    }
  }

  /** What a root may cost, and the withdrawals whose fees pay for it. @param own  budget by its own proof */
  async #share(chosen: Chosen | RootChosen, own: number | null, market: Market) {
    if (own === null || !('members' in chosen)) return { budgetUsd: own, shares: [] }
    const members = await provenMembers({
      ...{ context: this.#context, chain: this.chain, from: this.#sender.address, root: chosen, own, market },
      requireAllowed: this.#guard,
    })
    return { budgetUsd: rootBudget(own, members, lightUsd(market)), shares: members.map(({ leg }) => leg) }
  }

  #refusedBase<K extends RefusalKind>({ leg, entry: { action } }: EvmTask, board: Board, kind: K) {
    const { count: before = 0, reason: reasonBefore } = board.refusals.of(leg, action) ?? {}
    return { chain: this.chain.name, signer: this.#sender.address, leg, action, kind, before, reasonBefore }
  }
}

const isRelease = ({ entry }: EvmTask): boolean => entry.action === 'release'
const tokenOf = ({ entry }: EvmTask): string => entry.token
