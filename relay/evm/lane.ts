// The work of one EVM chain: chooses withdrawals, brings roots and hand-offs, sends releases and expiries, and hand-offs
// that no withdrawal needs yet.
import { releaseCalls } from '../../proofs/release-calls.ts'
import type { Board } from '../board.ts'
import { isLight, laterOf } from '../choice/batch.ts'
import { gasWorth } from '../choice/choose.ts'
import { firstFees, priceOf } from '../choice/fees.ts'
import { chainValue } from '../choice/per-chain.ts'
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
import { NO_PROOF, NotAllowed, type RefusalKind } from '../choice/refusal.ts'
import type { EvmTask } from '../choice/task.ts'
import { type Context, noteFailure, noteRefusal } from '../context.ts'
import { isSignerError } from '../signer-api.ts'
import type { Intent } from '../state/journal.ts'
import type { CallGuard } from './allowed.ts'
import type { EvmChain, EvmHead } from './chain.ts'
import { coinOf } from './coin.ts'
import { Handoffs } from './handoffs.ts'
import { provenMembers } from './members.ts'
import { type Sent, waitingIn } from './order.ts'
import type { EvmSender } from './sender.ts'

/** Time after which a turn starts no further transaction, ms, so that sent transactions are checked again soon. */
const MAX_TURN_MS = 20_000
/** A turn ends when limits have held back this number of transactions. */
const MAX_LIMITED = 8

/** State of a chain at the start of a turn. */
export interface ChainState {
  head: EvmHead
  /** Transactions in no block. */
  waiting: Intent[]
}

export class EvmLane {
  readonly chain: EvmChain
  readonly #context: Context
  readonly #sender: EvmSender
  readonly #guard: CallGuard
  readonly #handoffs: Handoffs
  /** Whether the balance was low in the last turn. Logged when it changes to low. */
  #isLow = false
  /** Whether it was logged that the node names no final block. */
  #isWarned = false

  constructor(context: Context, chain: EvmChain, sender: EvmSender, guard: CallGuard) {
    this.chain = chain
    this.#context = context
    this.#sender = sender
    this.#guard = guard
    this.#handoffs = new Handoffs(context, chain, sender, guard)
    context.metrics.begin(chain.name)
  }

  /** Advances open transactions. @returns null when the node lags: nothing is sent in this turn */
  async settle(): Promise<ChainState | null> {
    let state: ChainState | null = null
    try {
      const head = await this.chain.head()
      await this.#noteBalance()
      this.#noteFinality(head)
      if (!this.#lags(head)) state = { head, waiting: await this.#sender.settle(head) }
      return state
    } finally {
      // Open transactions grow older also while the node lags or does not answer. Then they are read from the journal.
      const waiting = state?.waiting ?? (await this.#waitingInJournal())
      if (waiting !== null) this.#context.metrics.setOpen(this.chain.name, waiting)
    }
  }

  /** @returns null when the journal cannot be read: an error here would replace that of the node */
  async #waitingInJournal(): Promise<Intent[] | null> {
    const open = await this.#context.journal.open(this.#sender.address, this.chain.name).catch(() => null)
    return open && waitingIn(open)
  }

  /** Chooses and sends withdrawals, then hand-offs. @param tasks  withdrawals of this chain, in order */
  async turn({ head, waiting }: ChainState, tasks: readonly EvmTask[], board: Board): Promise<void> {
    const isLearning = waiting.some(({ step }) => step === 'learn' || step === 'submit')
    const { room, broughtRoot } = await this.#sendWithdrawals({ head, waiting }, tasks, board, isLearning)
    // Each call of the light client changes what the next one needs.
    if (room > 0 && !isLearning && !broughtRoot) await this.#handoffs.turn(head)
  }

  /** @returns slots that are left, and whether a call of the light client was sent */
  async #sendWithdrawals(
    { head, waiting }: ChainState,
    tasks: readonly EvmTask[],
    board: Board,
    isLearning: boolean,
  ): Promise<{ room: number; broughtRoot: boolean }> {
    let room = this.#context.config.inFlight - waiting.length
    let broughtRoot = false
    const refusalOf = (leg: string) => board.refusals.of(leg, 'release')
    const usable = tasks.filter((task) => board.isFree(task) && !mustWait(task, tasks, refusalOf))
    const tokens = new Set(tasks.filter((task) => isRelease(task) && board.isOpen(task)).map(tokenOf))
    const market = this.#marketAt(head)
    const { light, root, judged } = planOf(usable, market)
    for (const { task, choice } of judged) board.note(task, choice)
    const brings = root !== null && !isLearning ? [root] : []
    const end = Date.now() + MAX_TURN_MS
    let limited = 0
    for (const one of [...brings, ...light]) {
      // Sent transactions must not wait for the rest of a long list. A limit would hold back the rest as well.
      if (room <= 0 || limited >= MAX_LIMITED || Date.now() > end) break
      const { task } = one
      if (waitsForAllowance(task, tokens)) {
        board.count('allowance')
        continue
      }
      const sent = await this.#attempt(one, head, board, market)
      if (sent === 'limited') limited++
      if (sent !== 'sent' && sent !== 'dry-run') continue
      room--
      if (one === root) broughtRoot = true
      if (isRelease(task)) tokens.add(tokenOf(task))
    }
    return { room, broughtRoot }
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
    const { config, prices, tokens } = this.#context
    const { limits } = this.#sender
    const fees = firstFees(baseFee, limits)
    const wei = fees === null ? limits.cap : priceOf(fees, baseFee)
    const usdOf = (gas: bigint) => gasWorth(gas, wei, coinOf(this.chain.chainId), prices())
    return { config, prices: prices(), tokens: tokens(), usdOf, now: Date.now() / 1000 }
  }

  /** Sends one withdrawal. A failure is recorded and does not stop the others. @throws an error of the signer */
  async #attempt(chosen: Chosen | RootChosen, head: EvmHead, board: Board, market: Market): Promise<Sent> {
    try {
      return await this.#send(chosen, head, board, market)
    } catch (error) {
      if (isSignerError(error)) throw error
      const kind = error instanceof NotAllowed ? 'proof' : 'later'
      await noteFailure(this.#context, this.#refusedBase(chosen.task, board, kind), error)
      return 'refused'
    }
  }

  /** Sends the first call of a withdrawal that is in no block yet. The following calls wait for its block. */
  async #send(chosen: Chosen | RootChosen, head: EvmHead, board: Board, market: Market): Promise<Sent> {
    const { task } = chosen
    const { leg, entry } = task
    const proof = await this.#context.api.withdrawalProof(leg)
    if (proof === null) return this.#refuse(task, board, 'later', NO_PROOF)
    // It was judged by a stored root that no longer exists. The next turn judges it again.
    if (entry.action === 'release' && isLight(task) && proof.light === null)
      return this.#refuse(task, board, 'later', 'the stored root is gone')
    const proven = chooseProven(chosen, (proof.light ?? proof.hard).release, market)
    // The list offers it again in the next turn; the refusal delays the next try.
    if (!proven.choice.go) return this.#refuse(task, board, 'left', `by its proof: ${proven.choice.skip}`)
    const calls = releaseCalls(proof, entry.action)
    // Checks all calls before the first one is sent.
    await this.#guard(calls)
    const own = { budgetUsd: proven.budgetUsd, shares: [] }
    const shared = proof.light === null ? await this.#share(chosen, proven.budgetUsd, market) : own
    const { feeUsd, valueUsd } = proven.choice
    const refusal = board.refusals.of(leg, entry.action)
    const order = { leg, action: entry.action, feeUsd, valueUsd, refusal, ...shared }
    for (const [i, call] of calls.entries()) {
      const later = laterOf(task, calls.length - 1 - i)
      const sent = await this.#sender.send({ ...call, ...order, later }, head)
      if (sent !== 'known') return sent
    }
    return 'known'
  }

  async #refuse(task: EvmTask, board: Board, kind: RefusalKind, reason: string): Promise<'refused'> {
    await noteRefusal(this.#context, { ...this.#refusedBase(task, board, kind), reason })
    return 'refused'
  }

  /** What a root may cost, and the withdrawals whose fees pay for it. @param own  budget by its own proof */
  async #share(chosen: Chosen | RootChosen, own: number | null, market: Market) {
    if (own === null || !('members' in chosen)) return { budgetUsd: own, shares: [] }
    const paying = await provenMembers({
      ...{ context: this.#context, chain: this.chain, from: this.#sender.address, root: chosen, own, market },
      requireAllowed: this.#guard,
    })
    const shares = paying.members.map(({ leg }) => leg)
    return { budgetUsd: rootBudget(paying.own, paying.members, lightUsd(market)), shares }
  }

  #refusedBase<K extends RefusalKind>({ leg, entry: { action } }: EvmTask, board: Board, kind: K) {
    const { count: before = 0, reason: reasonBefore } = board.refusals.of(leg, action) ?? {}
    return { chain: this.chain.name, signer: this.#sender.address, leg, action, kind, before, reasonBefore }
  }
}

const isRelease = ({ entry }: EvmTask): boolean => entry.action === 'release'
const tokenOf = ({ entry }: EvmTask): string => entry.token
