// The work of one Antelope chain. A transaction is in the journal before it is sent, refers to an irreversible block, and
// is made again only when the first one can be in no block any more (state/step.ts).
import { packTransaction, referenceTo } from '../../core/antelope/pack-transaction.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Board } from '../board.ts'
import { choose, valuationOf } from '../choice/choose.ts'
import { antelopeRefusal, Refused } from '../choice/refusal.ts'
import type { Task } from '../choice/task.ts'
import { type Context, closedBy, noteRefusal, noteRelayed, otherChain } from '../context.ts'
import type { RelayAction } from '../pending.ts'
import type { Intent } from '../state/journal.ts'
import { antelopeStep } from '../state/step.ts'
import { type ActionMaker, actionsOf } from './actions.ts'
import type { AntelopeKey } from './key.ts'
import type { AntelopeChain, NodeInfo } from './node.ts'

const LIFETIME_S = 120
/** Time after which the same bytes are sent again while the action is still listed, ms. */
const AGAIN_MS = 10_000
/** Transactions at once. */
const AT_ONCE = 8

export class AntelopeLane {
  readonly chain: AntelopeChain
  readonly #context: Context
  readonly #maker: ActionMaker
  readonly #key: AntelopeKey
  readonly #chainId: Uint8Array

  /** @param chainId  64 hex digits */
  constructor(context: Context, maker: ActionMaker, key: AntelopeKey, chainId: string) {
    this.#context = context
    this.chain = maker.chain
    this.#maker = maker
    this.#key = key
    this.#chainId = fromHex(chainId)
    context.metrics.begin(maker.chain.name)
  }

  get #signer(): string {
    return this.#maker.account
  }

  /** Brings open transactions on, and sends what is chosen. @param tasks  of this chain, in order */
  async turn(tasks: readonly Task[], board: Board): Promise<void> {
    const info = await this.chain.info()
    if (info.chainId !== toHex(this.#chainId)) throw otherChain(this.chain.name, info.chainId, toHex(this.#chainId))
    if (this.#lags(info)) return
    await this.#settle(tasks, info)
    const free = tasks.filter((task) => board.isFree(task))
    const chosen = free.filter((task) => {
      const [action] = task.actions
      if (action === undefined) return false
      const { config, prices } = this.#context
      const choice = choose(task, action, config, valuationOf(task, prices()), 0, Date.now() / 1000)
      board.note(task, choice)
      return choice.go
    })
    const next = chosen.values()
    const work = async () => {
      for (const task of next) await this.#try(task, info, board)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  #lags({ headTime }: NodeInfo): boolean {
    const seconds = (Date.now() - headTime) / 1000
    if (seconds <= this.#context.config.maxLagSeconds) return false
    this.#context.limits.note(this.#context, this.chain.name, 'node-lags')
    return true
  }

  /** Tries the actions of a task in their order until one is sent. */
  async #try(task: Task, info: NodeInfo, board: Board): Promise<void> {
    for (const action of task.actions) {
      if (!this.#context.config.actions.includes(action)) continue
      if (board.refusals.of(task.leg, action)?.isClosed === true) continue
      if (await this.#send(task, action, info, board)) return
    }
  }

  /** @returns whether it was sent, or waits: no other action of the task is tried then */
  async #send(task: Task, action: RelayAction, info: NodeInfo, board: Board): Promise<boolean> {
    const { config, journal, log } = this.#context
    const { leg } = task
    const refusal = board.refusals.of(leg, action)
    const known = { before: refusal?.count ?? 0, reasonBefore: refusal?.reason }
    let packed: Uint8Array
    const expiration = Math.floor(info.headTime / 1000) + LIFETIME_S
    try {
      const actions = await actionsOf(this.#maker, task, action)
      if (actions === null) return true
      packed = packTransaction({ expiration, ...referenceTo(info.libId) }, actions)
      await this.chain.simulate(packed, this.#key.sign(this.#chainId, packed))
    } catch (error) {
      await this.#refused(leg, action, error, known)
      return false
    }
    const closed = await closedBy(this.#context)
    if (closed !== null) {
      this.#context.limits.note(this.#context, this.chain.name, closed, leg)
      return true
    }
    if (config.dryRun) {
      log.info('would send', { chain: this.chain.name, leg, action })
      return true
    }
    const { valueUsd } = valuationOf(task, this.#context.prices())
    const intent = await journal.intend({
      ...{ chain: this.chain.name, signer: this.#signer, leg, action, step: action, nonce: null, call: null },
      ...{ hash: toHex(sha256(packed)), raw: packed, expiresAt: new Date(expiration * 1000) },
      ...{ maxFee: 0n, maxTip: 0n, gasLimit: 0n, costUsd: 0, feeUsd: 0, valueUsd },
    })
    return this.#push(intent, known)
  }

  /** @returns whether the node took it */
  async #push(intent: Intent, known: { before: number; reasonBefore?: string }): Promise<boolean> {
    const { journal, log, onStep } = this.#context
    const { id, hash, leg, action, raw } = intent
    onStep?.('intended', hash)
    try {
      const block = await this.chain.send(raw, this.#key.sign(this.#chainId, raw))
      onStep?.('sent', hash)
      this.#context.limits.clear(this.chain.name)
      if (block === null || intent.state === 'mined') await journal.sent(id)
      else await this.#mined(intent, block)
      log.info('sent', { chain: this.chain.name, key: this.#signer, leg, action, hash, block })
      return true
    } catch (error) {
      await this.#refused(leg, action, error, known)
      await journal.ended(id, 'reverted', (error as Error).message.slice(0, 300))
      return false
    }
  }

  async #mined(intent: Intent, block: number): Promise<void> {
    await this.#context.journal.mined(intent.id, { block, gasUsed: 0n, cost: 0n, costUsd: 0 })
    noteRelayed(this.#context, { ...intent, costUsd: 0, feeUsd: 0 })
    await this.#context.journal.forgetRefusal(this.#signer, intent.leg, intent.action)
  }

  /** Records a refusal. @throws any other error */
  async #refused(
    leg: string,
    action: Intent['action'],
    error: unknown,
    known: { before: number; reasonBefore?: string },
  ): Promise<void> {
    if (!(error instanceof Refused)) throw error
    const reason = error.message
    const kind = antelopeRefusal(action, reason, known.before)
    await noteRefusal(this.#context, {
      chain: this.chain.name,
      signer: this.#signer,
      leg,
      action,
      reason,
      kind,
      ...known,
    })
  }

  async #settle(tasks: readonly Task[], { libNum, libTime }: NodeInfo): Promise<void> {
    const { journal } = this.#context
    const open = await journal.open(this.#signer, this.chain.name)
    const listed = new Set(tasks.flatMap(({ leg, actions }) => actions.map((action) => `${action} ${leg}`)))
    const waiting = open.filter(({ state }) => state !== 'mined')
    const { open: gauge, oldest } = this.#context.metrics
    gauge.set({ chain: this.chain.name }, waiting.length)
    const since = Math.min(...waiting.map(({ sentAt }) => sentAt.getTime()))
    oldest.set({ chain: this.chain.name }, waiting.length === 0 ? 0 : (Date.now() - since) / 1000)
    for (const intent of open) {
      const step = antelopeStep({
        state: intent.state,
        isPending: listed.has(`${intent.action} ${intent.leg}`),
        libNum,
        libTime,
        block: intent.block,
        expiresAt: intent.expiresAt?.getTime() ?? 0,
        ageMs: Date.now() - intent.sentAt.getTime(),
        againMs: AGAIN_MS,
      })
      if (step === 'wait') continue
      if (step === 'send') {
        const isClosed = this.#context.config.dryRun || (await closedBy(this.#context)) !== null
        if (!isClosed) await this.#push(intent, { before: 0 })
        continue
      }
      if (step === 'done' && intent.state !== 'mined') await this.#mined(intent, intent.block ?? libNum)
      await journal.ended(intent.id, step)
    }
  }
}
