// The market of one chain, kept up with the database: loaded once, then moved on block by block as commits are
// announced. A fork takes back what the blocks behind the fork had changed; a long gap loads the market anew, and answers
// go on from the state before until the new one is there.
import type { Pool } from 'pg'
import type { ChainConfig } from '../../config/schema.ts'
import type { Log } from '../http/log.ts'
import { advanceMarket, type Changes } from './advance.ts'
import { readStep, type StepReads, usualStep } from './advance-reads.ts'
import { describeMarket, differences, type MarketAudit } from './audit.ts'
import { type LoadedMarket, loadMarket } from './load.ts'
import type { BlockMark, MarketState } from './model.ts'
import { type Position, SnapshotReader } from './reader.ts'
import { type Place, RecentSteps } from './recent-steps.ts'

export type { BlockMark, MarketState } from './model.ts'

/** Told after every step, when the state is at the new block. Null: everything may have changed. */
export type MarketListener = (state: MarketState, changes: Changes | null) => void

/** How often an audit waits for the market to be where the database is. */
const AUDIT_TRIES = 20
/** The most blocks of a usual step. */
const USUAL_BLOCKS = 20
/** More blocks than this are loaded, not walked. */
const MAX_BLOCKS = 2000

export class LiveMarket {
  private readonly pool: Pool
  private readonly config: ChainConfig
  private readonly log: Log
  private readonly listeners = new Set<MarketListener>()
  private readonly recent = new RecentSteps()
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

  /** The market as of its block; null until it is loaded. Valid until the caller awaits something. */
  get state(): MarketState | null {
    return this.loaded
  }

  /** Adds a listener. @returns what takes it away */
  listen(listener: MarketListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Catches up with the database; calls while it is at it are answered by one more step. Never throws. */
  async catchUp(): Promise<void> {
    this.again = true
    this.running ??= this.run()
    await this.running
  }

  /**
   * Catches up with a block that is in the database: with the step under way, if that leads there, else with one that all
   * share who wait. Each of them calling `catchUp` would add a step, and all would wait for all of these.
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
   * Compares the market with one that is loaded anew at the same block. Takes as long as loading; the market goes on
   * meanwhile.
   *
   * @returns null while the market is not at the block of the database
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

  /** Ends after the step under way. */
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
    // At once: who asks for one more step from here on has to begin it.
    this.running = null
  }

  private async step(): Promise<void> {
    const state = this.loaded
    if (state !== null && (await this.stepOn(state))) return
    await SnapshotReader.within(this.pool, this.config.chain, (reader) => this.stepWithin(reader))
  }

  /** The usual step, told by one statement. @returns false when it takes more than that */
  private async stepOn(state: LoadedMarket): Promise<boolean> {
    const step = await SnapshotReader.once(this.pool, this.config.chain, (reader) =>
      reader.step(state.at, USUAL_BLOCKS),
    )
    if (step === null) return false
    if (step.id === state.at.id) return true
    const { from } = this.recent.behind(state.at)
    const reads = usualStep(this.config, state, from, step)
    if (reads === null) return false
    this.moveOn(state, from, step, reads)
    return true
  }

  private async stepWithin(reader: SnapshotReader): Promise<void> {
    const position = await reader.position()
    // Without its indexes a chain is being filled: reading it now would take long and serve nobody.
    if (position === null || (!position.indexed && this.loaded === null)) return
    const state = this.loaded
    if (state !== null && position.id === state.at.id) return
    const common = state === null ? null : await this.lastCommon(state, position, reader)
    if (state !== null && common !== null) {
      const { from, undone } = this.recent.behind(common)
      const forked = common.id === state.at.id ? null : undone
      this.moveOn(state, from, position, await readStep(this.config, state, from, forked, reader))
      return
    }
    const started = performance.now()
    this.loaded = await loadMarket(this.config, reader, position)
    this.recent.restart(this.loaded)
    const ms = Math.round(performance.now() - started)
    this.log.info('the market is loaded', { chain: this.config.chain, block: position.block, ms })
    this.tell(null)
  }

  private moveOn(state: LoadedMarket, from: Place, position: Position, reads: StepReads): void {
    const changes = advanceMarket(state, position, reads)
    this.recent.add(from, state, changes, state.lib)
    this.tell(changes)
  }

  /** The last block that state and database have in common; null when the state cannot be moved on from there. */
  private async lastCommon({ at }: MarketState, position: Position, reader: SnapshotReader): Promise<BlockMark | null> {
    if (position.block > at.block + MAX_BLOCKS) return null
    return (await reader.newestThere([at])) ?? reader.newestThere(this.recent.marks())
  }

  private tell(changes: Changes | null): void {
    for (const listener of this.listeners) listener(this.loaded as MarketState, changes)
  }
}
