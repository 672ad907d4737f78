// The work of one EVM chain: chooses withdrawals, brings roots and hand-offs, sends releases and expiries.
import type { WithdrawalProof } from '../../proofs/json.ts'
import { type ReleaseCall, releaseCalls } from '../../proofs/release-calls.ts'
import type { Board } from '../board.ts'
import { batchOf, gasOf, isLight, LIGHT_GAS, sharedGas } from '../choice/batch.ts'
import { type Choice, choose, gasWorth, type Policy, valuationOf } from '../choice/choose.ts'
import { firstFees, priceOf } from '../choice/fees.ts'
import { chainValue, feeLimitsOf } from '../choice/per-chain.ts'
import { NotAllowed } from '../choice/refusal.ts'
import { type EvmTask, provenTask } from '../choice/task.ts'
import { type Context, noteRefusal, noteTrouble, otherChain } from '../context.ts'
import type { Intent } from '../state/journal.ts'
import { type EvmContracts, requireAllowedCall } from './allowed.ts'
import type { EvmChain, EvmHead } from './chain.ts'
import { coinOf } from './coin.ts'
import type { EvmSender } from './sender.ts'

/** Longest time for which a withdrawal that waits for the vault's allowance holds back later ones, seconds. */
const MAX_QUEUE_S = 600

interface Chosen {
  task: EvmTask
  choice: Choice
  policy: Policy
  /** Most USD of gas at which it earns enough; null: it is sent whatever it earns. */
  budgetUsd: number | null
}

/** A chain at one look. */
interface Look {
  head: EvmHead
  /** In no block. */
  waiting: Intent[]
}

export class EvmLane {
  readonly chain: EvmChain
  readonly #context: Context
  readonly #sender: EvmSender
  readonly #contracts: EvmContracts
  /** Light clients of the withdrawals contracts, once read. */
  #lightClients: readonly string[] | null = null
  /** Whether the balance was low at the last look: it is logged once. */
  #isLow = false
  /** Whether it was logged that the node names no final block. */
  #isWarned = false
  /** Of this turn; null while the chain has not answered. */
  #look: Look | null = null

  constructor(context: Context, chain: EvmChain, sender: EvmSender, contracts: EvmContracts) {
    this.chain = chain
    this.#context = context
    this.#sender = sender
    this.#contracts = contracts
    context.metrics.begin(chain.name)
  }

  /** Brings open transactions on. @returns whether the chain can be used in this turn */
  async settle(): Promise<boolean> {
    this.#look = null
    const head = await this.chain.head()
    if (head.chainId !== this.chain.chainId) throw otherChain(this.chain.name, head.chainId, this.chain.chainId)
    await this.#noteBalance()
    this.#noteFinality(head)
    if (this.#lags(head)) return false
    const waiting = await this.#sender.settle(head)
    this.#noteOpen(waiting)
    this.#look = { head, waiting }
    return true
  }

  /** Sends what is chosen, after `settle`. @param tasks  withdrawals of this chain, in order */
  async turn(tasks: readonly EvmTask[], board: Board): Promise<void> {
    if (this.#look === null) return
    const { head, waiting } = this.#look
    const room = this.#context.config.inFlight - waiting.length
    const usable = tasks.filter((task) => board.isFree(task) && !this.#mustWait(task, tasks, board))
    const tokens = new Set(tasks.filter((task) => isRelease(task) && board.isOpen(task)).map(tokenOf))
    const { light, root } = this.#choose(usable, head, board)
    const brings = root !== null && !waiting.some(({ step }) => step === 'learn' || step === 'submit') ? [root] : []
    for (const one of [...brings, ...light].slice(0, Math.max(0, room))) {
      const { task } = one
      // It does not fit into the vault's allowance after the one that is open: it would fail in its block.
      if (task.entry.fits === false && tokens.has(tokenOf(task))) {
        board.count('allowance')
        continue
      }
      await this.#attempt(one, head, board)
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

  /** Whether an older withdrawal of the token waits for the allowance, which smaller ones would otherwise use up. */
  #mustWait({ leg, entry: { token, action } }: EvmTask, tasks: readonly EvmTask[], board: Board): boolean {
    if (action !== 'release') return false
    const first = tasks.find((task) => {
      const refusal = board.refusals.of(task.leg, 'release')
      return task.entry.token === token && refusal?.reason === 'OutflowLimited' && refusal.seconds < MAX_QUEUE_S
    })
    return first !== undefined && first.leg !== leg
  }

  /**
   * Chooses withdrawals to send by stored roots, and one that brings a root. A withdrawal that would lose money does not
   * count among those that share the costs of the root.
   */
  #choose(tasks: readonly EvmTask[], head: EvmHead, board: Board): { light: Chosen[]; root: Chosen | null } {
    const judge = (task: EvmTask, gas: bigint | null): Chosen => this.#judge(task, gas, head)
    const { light } = batchOf(tasks)
    const judged = light.map((task) => judge(task, gasOf(task)))
    for (const { task, choice } of judged) board.note(task, choice)
    let members = tasks.filter((task) => !light.includes(task))
    for (;;) {
      const { root } = batchOf(members)
      if (root === null) break
      const all = members.map((task) => judge(task, sharedGas(root, members.length)))
      const losing = all.filter(({ choice }) => !choice.go)
      if (losing.length === 0) {
        for (const { task, choice } of all) board.note(task, choice)
        const chosen = all.find(({ task }) => task === root)
        const budgetUsd = this.#budgetOf(all, head)
        return { light: judged.filter(({ choice }) => choice.go), root: chosen ? { ...chosen, budgetUsd } : null }
      }
      for (const { task, choice } of losing) board.note(task, choice)
      members = all.filter(({ choice }) => choice.go).map(({ task }) => task)
    }
    return { light: judged.filter(({ choice }) => choice.go), root: this.#overdue(tasks) }
  }

  /** A withdrawal that brings hand-offs although it loses, so that the light client follows the finalizer policies. */
  #overdue(tasks: readonly EvmTask[]): Chosen | null {
    const { config, prices } = this.#context
    if (config.handoffMarginSeconds === 0) return null
    const before = now() - config.handoffMarginSeconds
    const policy: Policy = { ...config, policy: 'always' }
    for (const task of tasks) {
      if ((task.entry.estimatedGas?.handoffs ?? 0) === 0 || task.entry.src_time >= before) continue
      const choice = choose(task, task.entry.action, policy, valuationOf(task, prices()), null, now())
      if (choice.go) return { task, choice, policy, budgetUsd: null }
    }
    return null
  }

  #judge(task: EvmTask, gas: bigint | null, head: EvmHead): Chosen {
    const { config, prices } = this.#context
    const valuation = valuationOf(task, prices())
    const judged = (gasUsd: number | null) => choose(task, task.entry.action, config, valuation, gasUsd, now())
    const choice = judged(gas === null ? null : this.#usdOf(gas, head))
    // What is sent also without a price of gas is sent whatever it earns.
    const isForProfit = !judged(null).go
    return { task, choice, policy: config, budgetUsd: isForProfit ? (choice.feeUsd ?? 0) - config.minProfitUsd : null }
  }

  /** What a root may cost: what all its withdrawals earn, without the light releases that follow. */
  #budgetOf(members: readonly Chosen[], head: EvmHead): number | null {
    const follow = (members.length - 1) * (this.#usdOf(BigInt(LIGHT_GAS), head) ?? 0)
    return members.reduce<number | null>((sum, { budgetUsd }) => {
      return sum === null || budgetUsd === null ? null : sum + budgetUsd
    }, -follow)
  }

  #usdOf(gas: bigint, { baseFee }: EvmHead): number | null {
    const { config, prices } = this.#context
    const limits = feeLimitsOf(config, this.chain.name)
    const fees = firstFees(baseFee, limits)
    const wei = fees === null ? limits.cap : priceOf(fees, baseFee)
    return gasWorth(gas, wei, coinOf(this.chain.chainId), prices())
  }

  /** Sends one withdrawal. Its trouble is recorded, and does not hold back the others. */
  async #attempt(chosen: Chosen, head: EvmHead, board: Board): Promise<void> {
    try {
      await this.#send(chosen, head, board)
    } catch (error) {
      const { leg, entry } = chosen.task
      const { count: before = 0, reason: reasonBefore } = board.refusals.of(leg, entry.action) ?? {}
      const kind = error instanceof NotAllowed ? 'proof' : 'later'
      const refused = { chain: this.chain.name, signer: this.#sender.address, leg, action: entry.action, kind } as const
      await noteTrouble(this.#context, { ...refused, before, reasonBefore }, error)
    }
  }

  /** Sends the first call of a withdrawal that the chain does not know; the next one when that one is in a block. */
  async #send(chosen: Chosen, head: EvmHead, board: Board): Promise<void> {
    const { leg, entry } = chosen.task
    const proof = await this.#context.api.withdrawalProof(leg)
    if (proof === null) return
    // It was judged by a stored root that is gone: the next look judges it again.
    if (entry.action === 'release' && isLight(chosen.task) && proof.light === null) return
    const { choice, budgetUsd } = this.#chooseProven(chosen, proof)
    const refusal = board.refusals.of(leg, entry.action)
    if (!choice.go) {
      // The list said otherwise, and says it again at the next look: a refusal spaces the tries.
      const refused = {
        chain: this.chain.name,
        signer: this.#sender.address,
        leg,
        action: entry.action,
        kind: 'later',
      } as const
      const { count: before = 0, reason: reasonBefore } = refusal ?? {}
      return noteRefusal(this.#context, { ...refused, reason: `by its proof: ${choice.skip}`, before, reasonBefore })
    }
    const calls = releaseCalls(proof, entry.action)
    await this.#requireAllowed(calls)
    const { feeUsd, valueUsd } = choice
    const order = { leg, action: entry.action, feeUsd, valueUsd, budgetUsd, refusal }
    for (const call of calls) if ((await this.#sender.send({ ...call, ...order }, head)) !== 'known') return
  }

  /** Chooses again by the proof, by which the contract pays: the list may name other parties and fees. @throws NotAllowed */
  #chooseProven({ task, choice: listed, policy, budgetUsd }: Chosen, proof: WithdrawalProof) {
    const proven = provenTask(task, (proof.light ?? proof.hard).release)
    const valuation = valuationOf(proven, this.#context.prices())
    const judged = (gasUsd: number | null) => choose(proven, task.entry.action, policy, valuation, gasUsd, now())
    const choice = judged(listed.gasUsd)
    const feeUsd = choice.feeUsd ?? 0
    const isForProfit = !judged(null).go
    const own = isForProfit ? feeUsd - this.#context.config.minProfitUsd : null
    return { choice, budgetUsd: budgetUsd === null ? own : budgetUsd + Math.min(0, feeUsd - (listed.feeUsd ?? 0)) }
  }

  /** Checks all calls before the first one is sent. @throws NotAllowed */
  async #requireAllowed(calls: readonly ReleaseCall[]): Promise<void> {
    const { withdrawals, lightClients } = this.#contracts
    const needsClients = lightClients.length === 0 && calls.some(({ step }) => step === 'learn')
    if (needsClients) this.#lightClients ??= await this.chain.lightClientsOf(withdrawals)
    const contracts = { withdrawals, lightClients: this.#lightClients ?? lightClients }
    for (const call of calls) requireAllowedCall(call, contracts)
  }
}

const isRelease = ({ entry }: EvmTask): boolean => entry.action === 'release'
const tokenOf = ({ entry }: EvmTask): string => entry.token

const now = (): number => Date.now() / 1000
