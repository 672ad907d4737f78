// The market of one chain, kept up with the database: loaded once, then moved on block by block as commits are
// announced. A fork or a long gap loads it anew; answers go on from the state before until the new one is there.
import type { Pool } from 'pg'
import type { ChainConfig } from '../../config/schema.ts'
import type { Log } from '../http/log.ts'
import { advanceMarket, type Changes } from './advance.ts'
import { readStep } from './advance-reads.ts'
import { type LoadedMarket, loadMarket } from './load.ts'
import type { MarketState } from './model.ts'
import { type Position, SnapshotReader } from './reader.ts'

export type { BlockMark, MarketState } from './model.ts'

/** Told after every step, when the state is at the new block. Null: everything may have changed. */
export type MarketListener = (state: MarketState, changes: Changes | null) => void

/** More blocks than this are loaded, not walked. */
const MOST_BLOCKS = 2000

export class LiveMarket {
  private readonly pool: Pool
  private readonly config: ChainConfig
  private readonly log: Log
  private readonly listeners = new Set<MarketListener>()
  private loaded: LoadedMarket | null = null
  private running: Promise<void> | null = null
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
    this.running ??= this.run().finally(() => {
      this.running = null
    })
    await this.running
  }

  /** Ends after the step under way. */
  async close(): Promise<void> {
    this.closed = true
    await this.running
  }

  private async run(): Promise<void> {
    while (this.again && !this.closed) {
      this.again = false
      try {
        await this.step()
      } catch (error) {
        this.log.warn('the market could not be read', { chain: this.config.chain, reason: (error as Error).message })
      }
    }
  }

  private async step(): Promise<void> {
    await SnapshotReader.within(this.pool, this.config.chain, async (reader) => {
      const position = await reader.position()
      // Without its indexes a chain is being filled: reading it now would take long and serve nobody.
      if (position === null || (!position.indexed && this.loaded === null)) return
      const state = this.loaded
      if (state !== null && (await this.follows(state, position, reader))) {
        if (position.block === state.at.block) return
        this.tell(advanceMarket(state, position, await readStep(this.config, state, position, reader)))
      } else {
        const started = performance.now()
        this.loaded = await loadMarket(this.config, reader, position)
        const { block } = position
        this.log.info('the market is loaded', {
          chain: this.config.chain,
          block,
          ms: Math.round(performance.now() - started),
        })
        this.tell(null)
      }
    })
  }

  /** Whether the state can be moved on to where the database is. */
  private async follows({ at }: MarketState, position: Position, reader: SnapshotReader): Promise<boolean> {
    if (position.block < at.block || position.block > at.block + MOST_BLOCKS) return false
    if (position.block === at.block) return position.id === at.id
    return reader.isStillThere(at)
  }

  private tell(changes: Changes | null): void {
    for (const listener of this.listeners) listener(this.loaded as MarketState, changes)
  }
}
