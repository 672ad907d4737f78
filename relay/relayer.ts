// The relayer: looks at the work, gives each chain its part, and keeps on until it is stopped. Its only state is in the
// journal, so it can end at any point and begin again.
import { setTimeout as sleep } from 'node:timers/promises'
import { isEvmDomain } from '../core/chains.ts'
import type { AntelopeLane } from './antelope/lane.ts'
import { Board, Decisions } from './board.ts'
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

export class Relayer {
  readonly #context: Context
  readonly #lanes: Lanes
  readonly #decisions: Decisions
  readonly #readPrices: () => Promise<void>
  /** Last error of each lane: a repeated one is logged once. */
  readonly #troubles = new Map<string, string>()
  #pricesAt = 0
  #prunedAt = 0

  constructor(context: Context, lanes: Lanes, readPrices: () => Promise<void>) {
    this.#context = context
    this.#lanes = lanes
    this.#readPrices = readPrices
    this.#decisions = new Decisions(context.log)
  }

  /** Relays until the signal. @throws RetryableError RELAY_SESSION_LOST when the locks of the keys are gone */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let pause = this.#context.config.pollSeconds * 1000
      try {
        await this.turn()
        this.#context.metrics.turns.inc({ outcome: 'done' })
        this.#context.metrics.lastTurn.setToCurrentTime()
        this.#troubles.delete('work')
      } catch (error) {
        if (signal.aborted) return
        if (this.#context.journal.isLost) throw lost()
        this.#context.metrics.turns.inc({ outcome: 'failed' })
        this.#trouble('work', error)
        pause = Math.max(pause, PAUSE_MS)
      }
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }

  /** Takes all pending actions once. @throws when the API or the database cannot be used */
  async turn(): Promise<void> {
    const { api, journal, metrics } = this.#context
    await this.#keepUp()
    const tasks = tasksOf(await api.pending(), (key, error) => this.#trouble(`entry ${key}`, error))
    const board = new Board(await journal.refusals(), await journal.busy(), this.#decisions)
    const work: Promise<void>[] = []
    for (const [domain, lane] of this.#lanes.evm)
      work.push(
        this.#guard(lane.chain.name, () =>
          lane.turn(
            tasks.filter((task): task is EvmTask => task.to === domain),
            board,
          ),
        ),
      )
    for (const lane of new Set([...this.#lanes.antelope.values(), this.#lanes.ledger]))
      if (lane !== null)
        work.push(
          this.#guard(lane.chain.name, () =>
            lane.turn(
              tasks.filter((task) => this.#laneOf(task) === lane),
              board,
            ),
          ),
        )
    await Promise.all(work)
    metrics.work.reset()
    for (const [state, count] of board.counts) metrics.work.set({ state }, count)
    metrics.deadline.reset()
    if (board.deadline !== null) metrics.deadline.set(board.deadline - Date.now() / 1000)
  }

  #laneOf({ to }: Task): AntelopeLane | null {
    if (to === null) return this.#lanes.ledger
    return isEvmDomain(to) ? null : (this.#lanes.antelope.get(to) ?? null)
  }

  async #keepUp(): Promise<void> {
    const now = Date.now()
    if (now - this.#pricesAt > PRICES_MS) {
      await this.#readPrices()
      this.#pricesAt = now
    }
    if (now - this.#prunedAt > PRUNE_MS) {
      await this.#context.journal.prune()
      this.#prunedAt = now
    }
  }

  /** A chain whose node fails does not hold back the others. */
  async #guard(name: string, turn: () => Promise<void>): Promise<void> {
    try {
      await turn()
      this.#troubles.delete(name)
    } catch (error) {
      if (this.#context.journal.isLost) throw error
      this.#context.metrics.turns.inc({ outcome: 'failed' })
      this.#trouble(name, error)
    }
  }

  #trouble(name: string, error: unknown): void {
    const { message } = error as Error
    if (this.#troubles.get(name) === message) return
    this.#troubles.set(name, message)
    this.#context.log.warn('waits', { of: name, reason: message })
  }
}
