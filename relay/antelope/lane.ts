// Sends the transactions of one Antelope chain. Each is signed once, is in the journal before it is sent, and refers to
// an irreversible block. A second one for the same action is signed only when no block can include the first any more
// (state/step.ts).
import { packTransaction, referenceTo } from '../../core/antelope/pack-transaction.ts'
import { RetryableError } from '../../core/errors.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Board } from '../board.ts'
import { type Choice, choose, DELIVERS, isListed, valuationOf } from '../choice/choose.ts'
import { NotMade, Refused } from '../choice/refusal.ts'
import type { Task } from '../choice/task.ts'
import { type Context, isAbort, noteRefusal, noteRelayed, otherChain, stoppedBy } from '../context.ts'
import type { RelayAction } from '../pending.ts'
import type { Intent } from '../state/journal.ts'
import { antelopeStep } from '../state/step.ts'
import type { TaskList } from '../work.ts'
import { type ActionMaker, actionsOf } from './actions.ts'
import { inParallel } from './in-parallel.ts'
import { type Before, judge } from './judge.ts'
import type { AntelopeSigner } from './key.ts'
import type { AntelopeChain, NodeInfo } from './node.ts'
import { fromBytes, toBytes } from './signed.ts'

const LIFETIME_S = 120
/** Time after which the same bytes are sent again while the action is still listed, ms. */
const AGAIN_MS = 10_000
/** Number of tasks that are sent concurrently. */
const AT_ONCE = 8

interface Chosen {
  task: Task
  /** Actions to try, in order. */
  actions: readonly RelayAction[]
}

export class AntelopeLane {
  readonly chain: AntelopeChain
  readonly #context: Context
  readonly #maker: ActionMaker
  readonly #key: AntelopeSigner
  readonly #chainId: Uint8Array
  /** Reason why a node did not accept an open transaction again, by journal row. A repeated reason is logged once. */
  readonly #notTaken = new Map<string, string>()
  /** When an irreversible block after the expiration of an open transaction was first seen, Unix ms, by journal row. */
  readonly #overSince = new Map<string, number>()
  /** Payments that a contract refused at their first push, by action and leg. The next try pushes the same bytes. */
  readonly #refusedFirst = new Map<string, Intent>()

  /** @param chainId  64 hex digits */
  constructor(context: Context, maker: ActionMaker, key: AntelopeSigner, chainId: string) {
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

  /**
   * Advances open transactions.
   *
   * @param list  tasks of this chain; null when the bridge API has not answered
   * @returns null when the node lags: nothing is sent in this turn
   */
  async settle(list: Pick<TaskList, 'tasks' | 'requestedAt'> | null): Promise<NodeInfo | null> {
    const open = await this.#context.journal.open(this.#signer, this.chain.name)
    // Before the node is asked: open transactions grow older also while it lags or does not answer.
    const waiting = open.filter(({ state, reason }) => state !== 'mined' && reason === null)
    this.#context.metrics.setOpen(this.chain.name, waiting)
    const info = await this.chain.info()
    if (info.chainId !== toHex(this.#chainId)) throw otherChain(this.chain.name, info.chainId, toHex(this.#chainId))
    if (this.#lags(info)) return null
    await this.#settle(open, list, info)
    return info
  }

  /** Chooses and sends tasks. @param tasks  of this chain, in order */
  async turn(info: NodeInfo, tasks: readonly Task[], board: Board): Promise<void> {
    const free = tasks.filter((task) => board.isFree(task))
    const chosen = free.map((task) => ({ task, actions: this.#choose(task, board) }))
    await inParallel(chosen, AT_ONCE, (one) => this.#try(one, info, board))
  }

  /** Judges each action of a task. @returns those to try, in order */
  #choose(task: Task, board: Board): RelayAction[] {
    const { config, prices } = this.#context
    const valuation = valuationOf(task, prices())
    let noted: Choice | undefined
    const actions = task.actions.filter((action) => {
      const choice = choose(task, action, config, valuation, 0, Date.now() / 1000)
      if (noted === undefined || (choice.go && !noted.go)) noted = choice
      return choice.go
    })
    if (noted !== undefined) board.note(task, noted)
    return actions
  }

  #lags({ headTime }: NodeInfo): boolean {
    const seconds = (Date.now() - headTime) / 1000
    if (seconds <= this.#context.config.maxLagSeconds) return false
    this.#context.limits.note(this.#context, this.chain.name, 'node-lags')
    return true
  }

  /** Tries the actions of a task in their order until one is sent. */
  async #try({ task, actions }: Chosen, info: NodeInfo, board: Board): Promise<void> {
    for (const action of actions) {
      if (board.refusals.of(task.leg, action)?.isClosed === true) continue
      if (await this.#send(task, action, info, board)) return
    }
  }

  /** @returns whether the action was sent or waits, so that no other action of the task is tried */
  async #send(task: Task, action: RelayAction, info: NodeInfo, board: Board): Promise<boolean> {
    const { leg } = task
    const refusal = board.refusals.of(leg, action)
    const known = { before: refusal?.count ?? 0, reasonBefore: refusal?.reason }
    const earlier = this.#refusedFirst.get(nameOf({ leg, action }))
    const expiration = Math.floor(info.headTime / 1000) + LIFETIME_S
    let packed: Uint8Array
    try {
      if (action === 'pay' && earlier === undefined) await this.#requireUnpaid(task)
      const actions = await actionsOf(this.#maker, task, action)
      packed = earlier
        ? fromBytes(earlier.raw).packed
        : packTransaction({ expiration, ...referenceTo(info.libId) }, actions)
      await this.chain.simulate(packed)
    } catch (error) {
      await this.#refused(leg, action, error, known)
      return error instanceof NotMade
    }
    const { config, limits, log, prices } = this.#context
    const closed = await stoppedBy(this.#context)
    if (closed !== null) limits.note(this.#context, this.chain.name, closed, leg)
    else if (config.dryRun) log.info('would send', { chain: this.chain.name, leg, action })
    if (closed !== null || config.dryRun) return true
    if (earlier) return this.#push(earlier, known)
    const { valueUsd } = valuationOf(task, prices())
    const expiresAt = new Date(expiration * 1000)
    return this.#push(await this.#intend({ leg, action, packed, valueUsd, expiresAt }), known)
  }

  /**
   * A payment is signed again only when the chain shows that the one before had no effect: the list of the bridge API may
   * lag behind the chain by more than a transaction lives.
   *
   * @throws Refused
   */
  async #requireUnpaid({ leg, entry }: Task): Promise<void> {
    if (!('releaseTo' in entry) || !(await this.#context.journal.paidBefore(leg, this.chain.name))) return
    const rows = await this.chain.paidRows(this.#maker.contracts.bridge[0] ?? '', entry.id)
    if (rows === null) throw new Refused(`a payment of ${leg} was sent before, and no table shows whether it was made`)
    if (rows > 0) throw new Refused(`${leg} is paid already, and the bridge API lists it`)
  }

  /** Signs a transaction and writes it to the journal. Called once for each transaction. */
  async #intend({
    packed,
    ...made
  }: Pick<Intent, 'leg' | 'action' | 'valueUsd' | 'expiresAt'> & { packed: Uint8Array }) {
    const raw = toBytes({ packed, signature: await this.#key.sign(this.#chainId, packed) })
    const place = { chain: this.chain.name, signer: this.#signer, step: made.action, nonce: null, call: null }
    const gas = { maxFee: 0n, maxTip: 0n, gasLimit: 0n, costUsd: 0, feeUsd: 0, shares: [] }
    const intent = await this.#context.journal.intend(
      { ...made, ...place, ...gas, hash: toHex(sha256(packed)), raw },
      null,
    )
    if (intent === null) throw new Error('the journal has not taken a transaction without gas')
    return intent
  }

  /**
   * Pushes a transaction of the journal to the node.
   *
   * @param known  earlier refusals, at the first push; null when the node may have the transaction already
   * @returns whether it was accepted or waits
   */
  async #push(intent: Intent, known: Before | null): Promise<boolean> {
    const { journal, log, onStep } = this.#context
    const { id, hash, leg, action, raw } = intent
    onStep?.('intended', hash)
    try {
      const block = await this.chain.send(fromBytes(raw))
      onStep?.('sent', hash)
      this.#context.limits.clear(this.chain.name)
      if (block === null || intent.state === 'mined') await journal.sent(id)
      else await this.#mined(intent, block)
      log.info('sent', { chain: this.chain.name, key: this.#signer, leg, action, hash, block })
      return true
    } catch (error) {
      return this.#wasNotTaken(intent, error, known)
    }
  }

  /**
   * Only a refusal by a contract at the first push ends a transaction. Any other transaction may still get into a block,
   * and waits until an irreversible block is later than its expiration. A payment always waits: the node could have kept
   * it, and no second payment may be signed while the first is valid.
   */
  async #wasNotTaken(intent: Intent, error: unknown, known: Before | null): Promise<boolean> {
    const { journal } = this.#context
    const { id, leg, action, hash } = intent
    const isNode = error instanceof RetryableError && error.code === 'RELAY_NODE'
    if (!(error instanceof Refused) && !isNode) throw error
    const reason = error.message
    if (known !== null && error instanceof Refused) {
      await this.#refused(leg, action, error, known)
      if (!error.isAssertion) return true
      if (action === 'pay') await journal.refusedAtFirst(id, reason.slice(0, 300))
      else await journal.ended(id, 'reverted', reason.slice(0, 300))
      return false
    }
    if (this.#notTaken.get(id) !== reason)
      this.#context.log.warn('a transaction is not taken', { chain: this.chain.name, leg, hash, reason })
    this.#notTaken.set(id, reason)
    return true
  }

  async #mined(intent: Intent, block: number): Promise<void> {
    await this.#context.journal.mined(intent.id, { block, gasUsed: 0n, cost: 0n, costUsd: 0 })
    noteRelayed(this.#context, { ...intent, costUsd: 0, feeUsd: 0 })
    await this.#context.journal.forgetRefusal(this.#signer, intent.leg, intent.action)
  }

  /** Records a refusal or a failure of one entry. The others continue. */
  async #refused(leg: string, action: Intent['action'], error: unknown, known: Before): Promise<void> {
    if (this.#context.journal.isLost || isAbort(error)) throw error
    const judged = judge(action, error, known, this.#maker)
    const { name: chain } = this.chain
    await noteRefusal(this.#context, { chain, signer: this.#signer, leg, action, ...known, ...judged })
  }

  async #settle(
    open: readonly Intent[],
    list: Pick<TaskList, 'tasks' | 'requestedAt'> | null,
    { libNum, libTime }: NodeInfo,
  ): Promise<void> {
    const { journal } = this.#context
    const tasks = list?.tasks ?? null
    this.#refusedFirst.clear()
    const listed =
      tasks && new Set(tasks.flatMap(({ leg, actions }) => actions.map((action) => nameOf({ leg, action }))))
    for (const intent of open) {
      const expiresAt = intent.expiresAt?.getTime() ?? 0
      const isListed = listed?.has(nameOf(intent)) ?? null
      const step = antelopeStep({
        state: intent.state,
        // A list of before may have been made before the chain executed the transaction.
        isPending:
          isListed && libTime > expiresAt && !this.#isAfterEnd(intent.id, list?.requestedAt ?? 0) ? null : isListed,
        isRefused: intent.reason !== null,
        libNum,
        libTime,
        block: intent.block,
        expiresAt,
        ageMs: Date.now() - intent.sentAt.getTime(),
        againMs: AGAIN_MS,
      })
      if (step === 'wait') {
        if (intent.reason !== null) this.#refusedFirst.set(nameOf(intent), intent)
        continue
      }
      if (step === 'send') {
        const isClosed =
          this.#context.config.dryRun || this.#mayBeDenied(intent, tasks) || (await stoppedBy(this.#context)) !== null
        if (!isClosed) await this.#push(intent, null)
        continue
      }
      if (step === 'done' && intent.state !== 'mined') await this.#mined(intent, intent.block ?? libNum)
      await journal.ended(intent.id, step)
      this.#notTaken.delete(intent.id)
      this.#overSince.delete(intent.id)
    }
  }

  /** Whether a list was requested after it was seen that no block can include a transaction any more. */
  #isAfterEnd(id: string, requestedAt: number): boolean {
    const since = this.#overSince.get(id) ?? Date.now()
    this.#overSince.set(id, since)
    return requestedAt > since
  }

  /** Whether an open transaction pays a party that the settings deny by now, or that no list names: it expires. */
  #mayBeDenied({ leg, action }: Intent, tasks: readonly Task[] | null): boolean {
    const { deny } = this.#context.config
    if (deny.length === 0 || !DELIVERS.includes(action)) return false
    const task = tasks?.find((one) => one.leg === leg)
    return task === undefined || isListed(task, deny)
  }
}

const nameOf = ({ leg, action }: Pick<Intent, 'leg' | 'action'>): string => `${action} ${leg}`
