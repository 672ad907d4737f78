// The relayer: looks at the work of each chain, each in a loop of its own, until it is stopped. Its only state is in the
// journal, so it can end at any point and begin again.
import { setTimeout as sleep } from 'node:timers/promises'
import { PromiseCache } from '../core/cache.ts'
import { isEvmDomain } from '../core/chains.ts'
import type { AntelopeLane } from './antelope/lane.ts'
import { Board, Decisions, summaryOf } from './board.ts'
import { type EvmTask, type Task, tasksOf } from './choice/task.ts'
import type { Context } from './context.ts'
import type { EvmLane } from './evm/lane.ts'
import { lost } from './state/journal.ts'

export interface Lanes {
  /** By domain. */
  evm: ReadonlyMap<bigint, EvmLane>
  antelope: ReadonlyMap<bigint, AntelopeLane>
  /** Of the ledger's chain; null without a key for it. */
  ledger: AntelopeLane | null
}

/** Prices are read again after this time, ms; refusals of long ago are removed once an hour. */
const PRICES_MS = 60_000
const PRUNE_MS = 3_600_000
/** Pause after a look that failed, ms. */
const PAUSE_MS = 3000
/** Longest time for which chains share one answer of the bridge API, ms. */
const SHARED_MS = 2000

/** The chains that are looked at, each by itself. */
interface Loop {
  name: string
  look: () => Promise<void>
}

export class Relayer {
  readonly #context: Context
  readonly #lanes: Lanes
  readonly #readPrices: () => Promise<void>
  readonly #decisions: Decisions
  /** The work of the bridge API, shared by lanes that look at the same time. */
  readonly #work: PromiseCache<Task[]>
  /** Prices and removals, shared in the same way. */
  readonly #upkeep = new PromiseCache<void>({ max: 1, maxAgeMs: PRICES_MS, now: Date.now })
  /** The last look of each chain. */
  readonly #boards = new Map<string, Board>()
  /** Last error of each lane: a repeated one is logged once. */
  readonly #troubles = new Map<string, string>()
  #prunedAt = 0

  constructor(context: Context, lanes: Lanes, readPrices: () => Promise<void>) {
    this.#context = context
    this.#lanes = lanes
    this.#readPrices = readPrices
    this.#decisions = new Decisions(context.log)
    const maxAgeMs = Math.min(SHARED_MS, context.config.pollSeconds * 500)
    this.#work = new PromiseCache({ max: 1, maxAgeMs, now: Date.now })
  }

  /** Relays until the signal. @throws RetryableError RELAY_SESSION_LOST when the locks of the keys are gone */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    await Promise.all([ended, ...this.#loops().map((loop) => this.#keepOn(loop, signal))])
  }

  /** One loop a chain: a node that is slow or does not answer holds back no other chain. */
  #loops(): Loop[] {
    const { evm, antelope, ledger } = this.#lanes
    const evmLoops = [...evm].map(([domain, lane]): Loop => {
      return { name: lane.chain.name, look: () => this.#lookAtEvm(domain, lane) }
    })
    const lanes = new Set([...antelope.values(), ...(ledger === null ? [] : [ledger])])
    const antelopeLoops = [...lanes].map((lane): Loop => {
      return { name: lane.chain.name, look: () => this.#lookAtAntelope(lane) }
    })
    return [...evmLoops, ...antelopeLoops]
  }

  /** Looks at the work of a chain again and again. */
  async #keepOn({ name, look }: Loop, signal: AbortSignal): Promise<void> {
    const { config, journal, metrics } = this.#context
    while (!signal.aborted) {
      let pause = config.pollSeconds * 1000
      try {
        await this.#keepUp()
        await look()
        metrics.turns.inc({ outcome: 'done' })
        metrics.lastTurn.setToCurrentTime({ chain: name })
        this.#troubles.delete(name)
      } catch (error) {
        if (signal.aborted) return
        if (journal.isLost) throw lost()
        metrics.turns.inc({ outcome: 'failed' })
        this.#trouble(name, error)
        pause = Math.max(pause, PAUSE_MS)
      }
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }

  async #lookAtEvm(domain: bigint, lane: EvmLane): Promise<void> {
    // What was sent needs no API.
    const look = await lane.settle()
    if (look === null) return
    const own = (await this.#tasks()).filter((task): task is EvmTask => task.to === domain)
    const board = await this.#board()
    await lane.turn(look, own, board)
    this.#report(lane.chain.name, board)
  }

  async #lookAtAntelope(lane: AntelopeLane): Promise<void> {
    const own = (await this.#tasks()).filter((task) => this.#laneOf(task) === lane)
    const board = await this.#board()
    await lane.turn(own, board)
    this.#report(lane.chain.name, board)
  }

  /** @throws RetryableError RELAY_API */
  #tasks(): Promise<Task[]> {
    return this.#work.get('tasks', async () => {
      return tasksOf(await this.#context.api.pending(), (key, error) => this.#trouble(`entry ${key}`, error))
    })
  }

  async #board(): Promise<Board> {
    const { journal } = this.#context
    return new Board(await journal.refusals(), await journal.busy(), this.#decisions)
  }

  /** Sums up the last looks of all chains. */
  #report(name: string, board: Board): void {
    const { metrics } = this.#context
    this.#boards.set(name, board)
    const { counts, deadline } = summaryOf(this.#boards.values())
    metrics.work.reset()
    for (const [state, count] of counts) metrics.work.set({ state }, count)
    metrics.setDeadline(deadline === null ? null : deadline - Date.now() / 1000)
  }

  #laneOf({ to }: Task): AntelopeLane | null {
    if (to === null) return this.#lanes.ledger
    return isEvmDomain(to) ? null : (this.#lanes.antelope.get(to) ?? null)
  }

  /** Reads the prices, and removes old rows now and then. */
  #keepUp(): Promise<void> {
    return this.#upkeep.get('prices', async () => {
      await this.#readPrices()
      const now = Date.now()
      if (now - this.#prunedAt <= PRUNE_MS) return
      await this.#context.journal.prune()
      this.#prunedAt = now
    })
  }

  #trouble(name: string, error: unknown): void {
    const { message } = error as Error
    if (this.#troubles.get(name) === message) return
    this.#troubles.set(name, message)
    this.#context.log.warn('waits', { of: name, reason: message })
  }
}
