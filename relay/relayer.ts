// The relayer: one loop for each chain, until it is stopped. Each turn of a loop advances sent transactions and sends new
// ones. Its only state is in the journal, so it can stop at any point and start again.
import { setTimeout as sleep } from 'node:timers/promises'
import { isEvmDomain } from '../core/chains.ts'
import type { AntelopeLane } from './antelope/lane.ts'
import { Board, countsOf, Decisions } from './board.ts'
import { choose, valuationOf } from './choice/choose.ts'
import { SIGNER_WRONG } from './choice/refusal.ts'
import type { EvmTask, Task } from './choice/task.ts'
import type { Context } from './context.ts'
import type { ChainState, EvmLane } from './evm/lane.ts'
import { isSignerError } from './signer-api.ts'
import { lost } from './state/journal.ts'
import type { Upkeep } from './upkeep.ts'
import { Work } from './work.ts'

export interface Lanes {
  /** By domain. */
  evm: ReadonlyMap<bigint, EvmLane>
  antelope: ReadonlyMap<bigint, AntelopeLane>
  /** Of the ledger's chain; null without a key for it. */
  ledger: AntelopeLane | null
}

/** Longest time for which the lanes wait for the first prices and tokens, ms. */
const FIRST_UPKEEP_MS = 15_000
/** Pause after a failed turn, ms. */
const PAUSE_MS = 3000
/** Longest time for which chains share one answer of the bridge API, ms. */
const SHARED_MS = 2000

/** The loop of one chain. */
interface Loop {
  name: string
  turn: () => Promise<void>
}

export class Relayer {
  readonly #context: Context
  readonly #lanes: Lanes
  readonly #upkeep: Pick<Upkeep, 'turn' | 'run'>
  readonly #decisions: Decisions
  readonly #work: Work
  /** Board of the last turn of each chain. */
  readonly #boards = new Map<string, Board>()
  /** Last error of each lane, and of the list: a repeated one is logged once. */
  readonly #lastErrors = new Map<string, string>()

  constructor(context: Context, lanes: Lanes, upkeep: Pick<Upkeep, 'turn' | 'run'>) {
    this.#context = context
    this.#lanes = lanes
    this.#upkeep = upkeep
    this.#decisions = new Decisions(context.log)
    this.#work = new Work({
      api: context.api,
      tokens: context.tokens,
      sharedMs: Math.min(SHARED_MS, context.config.pollSeconds * 500),
      onMalformed: (what) => (what === null ? this.#lastErrors.delete('the list') : this.#logError('the list', what)),
    })
  }

  /** Relays until the signal. @throws RetryableError RELAY_SESSION_LOST when the session or a lease of the keys is gone */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    await Promise.race([this.#upkeep.turn(), sleep(FIRST_UPKEEP_MS, undefined, { signal, ref: false }).catch(() => {})])
    const lanes = this.#loops().map((loop) => this.#repeat(loop, signal))
    await Promise.all([ended, this.#upkeep.run(signal), ...lanes])
  }

  /** One loop for each chain: a node that is slow or does not answer does not delay other chains. */
  #loops(): Loop[] {
    const { evm, antelope, ledger } = this.#lanes
    const evmLoops = [...evm].map(([domain, lane]): Loop => {
      return { name: lane.chain.name, turn: () => this.#evmTurn(domain, lane) }
    })
    const lanes = new Set([...antelope.values(), ...(ledger === null ? [] : [ledger])])
    const antelopeLoops = [...lanes].map((lane): Loop => {
      return { name: lane.chain.name, turn: () => this.#antelopeTurn(lane) }
    })
    return [...evmLoops, ...antelopeLoops]
  }

  /** Repeats the turns of a chain until the signal. */
  async #repeat({ name, turn }: Loop, signal: AbortSignal): Promise<void> {
    const { config, journal, metrics } = this.#context
    while (!signal.aborted) {
      let pause = config.pollSeconds * 1000
      try {
        await turn()
        metrics.turns.inc({ outcome: 'done' })
        metrics.lastTurn.setToCurrentTime({ chain: name })
        this.#lastErrors.delete(name)
      } catch (error) {
        if (signal.aborted) return
        if (journal.isLost) throw lost()
        metrics.turns.inc({ outcome: 'failed' })
        if (isSignerError(error)) metrics.signerFailures.inc({ chain: name })
        this.#logError(name, (error as Error).message)
        pause = Math.max(pause, PAUSE_MS)
      }
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }

  async #evmTurn(domain: bigint, lane: EvmLane): Promise<void> {
    // Sent transactions advance even when the API does not answer.
    const state = await attempt<ChainState | null>(() => lane.settle())
    const own = (await this.#work.list()).tasks.filter((task): task is EvmTask => task.to === domain)
    await this.#turn(lane.chain.name, own, state, (current, board) => lane.turn(current, own, board))
  }

  async #antelopeTurn(lane: AntelopeLane): Promise<void> {
    const list = await attempt(() => this.#work.list())
    const own = 'error' in list ? [] : list.value.tasks.filter((task) => this.#laneOf(task) === lane)
    const state = await attempt(() => lane.settle('error' in list ? null : { ...list.value, tasks: own }))
    if ('error' in list) throw list.error
    await this.#turn(lane.chain.name, own, state, (info, board) => lane.turn(info, own, board))
  }

  /** Sends the chosen tasks of a chain. If its node fails or lags, only watches their deadlines. */
  async #turn<T>(
    name: string,
    tasks: readonly Task[],
    state: Attempt<T | null>,
    send: (state: T, board: Board) => Promise<void>,
  ): Promise<void> {
    const { journal } = this.#context
    const refusals = await journal.refusals(tasks.map(({ leg }) => leg))
    const board = new Board(refusals, await journal.busy(), this.#decisions)
    try {
      if ('error' in state || state.value === null) this.#watch(tasks, board)
      else await send(state.value, board)
    } finally {
      this.#report(name, board)
    }
    if ('error' in state) throw state.error
  }

  /** Notes the deadlines of the tasks that the settings would send if gas were free. */
  #watch(tasks: readonly Task[], board: Board): void {
    const { config, prices } = this.#context
    const policy = { ...config, policy: 'always' as const }
    for (const task of tasks) {
      const [action] = task.actions
      if (action === undefined || !board.isFree(task)) continue
      board.watch(task, choose(task, action, policy, valuationOf(task, prices()), null, Date.now() / 1000))
    }
  }

  /** Sets the metrics to the sums over the last turns of all chains. */
  #report(name: string, board: Board): void {
    const { metrics } = this.#context
    this.#boards.set(name, board)
    metrics.work.reset()
    for (const [state, count] of countsOf(this.#boards.values())) metrics.work.set({ state }, count)
    metrics.setDeadline(name, board.deadline)
  }

  #laneOf({ to }: Task): AntelopeLane | null {
    if (to === null) return this.#lanes.ledger
    return isEvmDomain(to) ? null : (this.#lanes.antelope.get(to) ?? null)
  }

  #logError(name: string, reason: string): void {
    if (this.#lastErrors.get(name) === reason) return
    this.#lastErrors.set(name, reason)
    if (reason.startsWith(SIGNER_WRONG)) this.#context.log.error('a signer answers wrongly', { of: name, reason })
    else this.#context.log.warn('waits', { of: name, reason })
  }
}

type Attempt<T> = { value: T } | { error: unknown }

async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { error }
  }
}
