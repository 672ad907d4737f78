// The live market of one chain: loaded once, then advanced block by block as commits are announced. After a fork, the
// changes of orphaned blocks are undone. After a long gap the market is loaded again, and answers use the old state
// until the load is done.
import type { Pool } from 'pg'
import type { ChainConfig } from '../../config/schema.ts'
import type { Log } from '../http/log.ts'
import { advanceMarket, type Changes } from './advance.ts'
import { readStep, type StepReads, usualStep } from './advance-reads.ts'
import { describeMarket, differences, type MarketAudit } from './audit.ts'
import { Branch } from './branch.ts'
import { type LoadedMarket, loadMarket } from './load.ts'
import type { BlockMark, MarketState } from './model.ts'
import { type Position, SnapshotReader } from './reader.ts'
import { type Place, RecentSteps } from './recent-steps.ts'

export type { BlockMark, MarketState } from './model.ts'

/** Called after each step, with the state at the new block. `changes` is null when everything may have changed. */
export type MarketListener = (state: MarketState, changes: Changes | null) => void

/** Attempts of an audit to find the market at the database's block. */
const AUDIT_TRIES = 20
/** Limit of blocks for a usual step. */
const USUAL_BLOCKS = 20
/** With more new blocks than this the market is loaded again instead of advanced. */
const MAX_BLOCKS = 2000

export class LiveMarket {
  private readonly pool: Pool
  private readonly config: ChainConfig
  private readonly log: Log
  private readonly listeners = new Set<MarketListener>()
  private readonly announcementListeners = new Set<() => void>()
  private readonly recent = new RecentSteps()
  private readonly branch = new Branch()
  private loaded: LoadedMarket | null = null
  private running: Promise<void> | null = null
  private stepping: Promise<void> = Promise.resolve()
  private reaching: Promise<void> | null = null
  private again = false
  private closed = false

  constructor(pool: Pool, config: ChainConfig, log: Log) {
    this.pool = pool
    this.config = config
    this.log = log
  }

  /** The market at its block; null until it is loaded. Valid until the caller's next `await`. */
  get state(): MarketState | null {
    return this.loaded
  }

  /** Whether a block is the market's own, or one of the newest before it on the same branch. */
  hasPassed(mark: BlockMark): boolean {
    return this.branch.has(mark)
  }

  /** Adds a listener. @returns a function that removes it */
  listen(listener: MarketListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /**
   * Adds a listener to announcements of a block, before the market reads it and while it is loaded. The block may not exist.
   *
   * @returns a function that removes it
   */
  listenToAnnouncements(listener: () => void): () => void {
    this.announcementListeners.add(listener)
    return () => this.announcementListeners.delete(listener)
  }

  /** Announces that there may be a new block. */
  announce(): void {
    for (const listener of this.announcementListeners) listener()
  }

  /** Catches up with the database. Calls made during a step share one more step. Never throws. */
  async catchUp(): Promise<void> {
    this.announce()
    this.again = true
    this.running ??= this.run()
    await this.running
  }

  /**
   * Catches up with a block that is in the database: with the current step if it reaches the block, else with one step
   * shared by all waiting callers. If each caller used `catchUp`, each would add a step and all would wait for all
   * steps.
   */
  async reach({ id }: BlockMark): Promise<void> {
    await this.stepping
    if (this.loaded?.at.id === id) return
    this.reaching ??= this.catchUp().finally(() => {
      this.reaching = null
    })
    await this.reaching
  }

  /**
   * Compares the market with a fresh load at the same block. Takes as long as a load; the market advances meanwhile.
   *
   * @returns null if the market never was at the block of the database
   */
  async audit(): Promise<MarketAudit | null> {
    for (let tries = 0; tries < AUDIT_TRIES; tries++) {
      const audit = await SnapshotReader.within(this.pool, this.config.chain, async (reader) => {
        const position = await reader.position()
        if (position === null || position.id !== this.loaded?.at.id) return null
        const live = describeMarket(this.loaded)
        const fresh = describeMarket(await loadMarket(this.config, reader, position))
        const { block, id } = position
        const names = differences(live, fresh)
        return { chain: this.config.chain, block, blockId: id, compared: fresh.size, differences: names }
      })
      if (audit !== null) return audit
      await this.catchUp()
    }
    return null
  }

  /** Waits for the current step, then stops. */
  async close(): Promise<void> {
    this.closed = true
    await this.running
  }

  private async run(): Promise<void> {
    while (this.again && !this.closed) {
      this.again = false
      this.stepping = this.step().catch((error: Error) => {
        this.log.warn('the market could not be read', { chain: this.config.chain, reason: error.message })
      })
      await this.stepping
    }
    // Set without an `await` since the last check of `again`: the next caller has to start a new run.
    this.running = null
  }

  private async step(): Promise<void> {
    const state = this.loaded
    if (state !== null && (await this.stepOn(state))) return
    await SnapshotReader.within(this.pool, this.config.chain, (reader) => this.stepWithin(reader))
  }

  /** Takes a usual step, read with one statement. @returns false when the step needs more reads */
  private async stepOn(state: LoadedMarket): Promise<boolean> {
    const step = await SnapshotReader.once(this.pool, this.config.chain, (reader) =>
      reader.step(state.at, USUAL_BLOCKS),
    )
    if (step === null) return false
    if (step.id === state.at.id) return true
    const { from } = this.recent.after(state.at)
    const reads = usualStep(this.config, state, from, step)
    if (reads === null) return false
    this.moveOn(state, from, step, reads)
    return true
  }

  private async stepWithin(reader: SnapshotReader): Promise<void> {
    const position = await reader.position()
    // A chain without its indexes is still being filled. Loading its market would be slow.
    if (position === null || (!position.indexed && this.loaded === null)) return
    const state = this.loaded
    if (state !== null && position.id === state.at.id) return
    const common = state === null ? null : await this.lastCommon(state, position, reader)
    if (state !== null && common !== null) {
      const { from, undone } = this.recent.after(common)
      const forked = common.id === state.at.id ? null : undone
      this.moveOn(state, from, position, await readStep(this.config, state, from, forked, reader))
      return
    }
    const started = performance.now()
    this.loaded = await loadMarket(this.config, reader, position)
    this.recent.restart(this.loaded)
    this.branch.restart(position)
    const ms = Math.round(performance.now() - started)
    this.log.info('the market is loaded', { chain: this.config.chain, block: position.block, ms })
    this.notify(null)
  }

  private moveOn(state: LoadedMarket, from: Place, position: Position, reads: StepReads): void {
    const changes = advanceMarket(state, position, reads)
    this.recent.add(from, state, changes, state.lib)
    this.branch.add(from.at.block, [...reads.blocks, position])
    this.notify(changes)
  }

  /** The last block that state and database share; null when the market must be loaded again. */
  private async lastCommon({ at }: MarketState, position: Position, reader: SnapshotReader): Promise<BlockMark | null> {
    if (position.block > at.block + MAX_BLOCKS) return null
    return (await reader.newestThere([at])) ?? reader.newestThere(this.recent.marks())
  }

  private notify(changes: Changes | null): void {
    for (const listener of this.listeners) listener(this.loaded as MarketState, changes)
  }
}
