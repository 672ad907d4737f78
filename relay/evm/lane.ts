// The work of one EVM chain: chooses withdrawals, brings roots and hand-offs, sends releases and expiries.
import type { WithdrawalProof } from '../../proofs/json.ts'
import { type ReleaseCall, releaseCalls } from '../../proofs/release-calls.ts'
import type { Board } from '../board.ts'
import { batchOf, gasOf, sharedGas } from '../choice/batch.ts'
import { type Choice, choose, gasWorth, type Policy, valuationOf } from '../choice/choose.ts'
import { firstFees, priceOf, weiOf } from '../choice/fees.ts'
import { NotAllowed } from '../choice/refusal.ts'
import { type EvmTask, provenTask } from '../choice/task.ts'
import { type Context, noteTrouble, otherChain } from '../context.ts'
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

  constructor(context: Context, chain: EvmChain, sender: EvmSender, contracts: EvmContracts) {
    this.chain = chain
    this.#context = context
    this.#sender = sender
    this.#contracts = contracts
    context.metrics.begin(chain.name)
  }

  /** Brings open transactions on, and sends what is chosen. @param tasks  withdrawals of this chain, in order */
  async turn(tasks: readonly EvmTask[], board: Board): Promise<void> {
    const head = await this.chain.head()
    if (head.chainId !== this.chain.chainId) throw otherChain(this.chain.name, head.chainId, this.chain.chainId)
    await this.#noteBalance()
    if (this.#lags(head)) return
    const waiting = await this.#sender.settle(head)
    this.#noteOpen(waiting)
    const room = this.#context.config.inFlight - waiting.length
    const usable = tasks.filter((task) => board.isFree(task) && !this.#mustWait(task, tasks, board))
    const { light, root } = this.#choose(usable, head, board)
    const brings = root !== null && !waiting.some(({ step }) => step === 'learn' || step === 'submit') ? [root] : []
    for (const one of [...brings, ...light].slice(0, Math.max(0, room))) await this.#attempt(one, head, board)
  }

  #lags({ time }: EvmHead): boolean {
    const seconds = Date.now() / 1000 - time
    if (seconds <= this.#context.config.maxLagSeconds) return false
    this.#context.limits.note(this.#context, this.chain.name, 'node-lags')
    return true
  }

  #noteOpen(waiting: readonly Intent[]): void {
    const { name: chain } = this.chain
    const { open, oldest } = this.#context.metrics
    const since = Math.min(...waiting.map(({ sentAt }) => sentAt.getTime()))
    open.set({ chain }, waiting.length)
    oldest.set({ chain }, waiting.length === 0 ? 0 : (Date.now() - since) / 1000)
  }

  async #noteBalance(): Promise<void> {
    const { config, log, metrics } = this.#context
    const { name: chain } = this.chain
    const balance = Number(await this.chain.balance(this.#sender.address)) / 1e18
    const isLow = balance < config.warnBalance
    metrics.balance.set({ chain }, balance)
    metrics.lowBalance.set({ chain }, isLow ? 1 : 0)
    if (isLow && !this.#isLow) log.warn('the balance is low', { chain, key: this.#sender.address, balance })
    this.#isLow = isLow
  }

  /** Whether an older withdrawal of the token waits for the allowance, which smaller ones would otherwise use up. */
  #mustWait({ leg, entry: { token } }: EvmTask, tasks: readonly EvmTask[], board: Board): boolean {
    const first = tasks.find((task) => {
      const refusal = board.refusals.of(task.leg, 'release')
      return task.entry.token === token && refusal?.reason === 'OutflowLimited' && refusal.seconds < MAX_QUEUE_S
    })
    return first !== undefined && first.leg !== leg
  }

  /** Which withdrawals to send by stored roots, and which one with a root. Those that lose share no root. */
  #choose(tasks: readonly EvmTask[], head: EvmHead, board: Board): { light: Chosen[]; root: Chosen | null } {
    const { config: policy } = this.#context
    const judge = (task: EvmTask, gas: bigint | null): Chosen => ({
      task,
      choice: this.#judge(task, gas, head),
      policy,
    })
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
        const chosen = all.find(({ task }) => task === root) ?? null
        return { light: judged.filter(({ choice }) => choice.go), root: chosen }
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
      if (choice.go) return { task, choice, policy }
    }
    return null
  }

  #judge(task: EvmTask, gas: bigint | null, { baseFee }: EvmHead): Choice {
    const { config, prices } = this.#context
    const fees = firstFees(baseFee, { cap: weiOf(config.maxFeeGwei), tip: weiOf(config.priorityGwei) })
    const wei = fees === null ? weiOf(config.maxFeeGwei) : priceOf(fees, baseFee)
    const gasUsd = gas === null ? null : gasWorth(gas, wei, coinOf(this.chain.chainId), prices())
    return choose(task, task.entry.action, config, valuationOf(task, prices()), gasUsd, now())
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
    const { go, feeUsd, valueUsd } = this.#chooseProven(chosen, proof, board)
    if (!go) return
    const calls = releaseCalls(proof, entry.action)
    await this.#requireAllowed(calls)
    const order = { leg, action: entry.action, feeUsd, valueUsd, refusal: board.refusals.of(leg, entry.action) }
    for (const call of calls) if ((await this.#sender.send({ ...call, ...order }, head)) !== 'known') return
  }

  /** Chooses again by what the proof says: the contract pays by it, not by the list. @throws NotAllowed */
  #chooseProven({ task, choice, policy }: Chosen, proof: WithdrawalProof, board: Board): Choice {
    const proven = provenTask(task, (proof.light ?? proof.hard).release)
    const valuation = valuationOf(proven, this.#context.prices())
    const again = choose(proven, task.entry.action, policy, valuation, choice.gasUsd, now())
    if (!again.go) board.note(task, again)
    return again
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

const now = (): number => Date.now() / 1000
