// Blocks from a Hyperion server, for operators without state history. Yields every block number in order, also empty
// blocks. Lacks proofs, ids and times of blocks without data (ids are generated, times estimated), and certainty that
// the server sent everything. Continuity is checked by block number and by events of forks and irreversibility. Events
// are missed without a connection, so reversible blocks are requested again after a reconnect.

import { setTimeout as delay } from 'node:timers/promises'
import { HeadwaterError, UserError } from '../../../core/errors.ts'
import { Backoff } from '../../../net/backoff.ts'
import type { BlockSource, StartPosition, UnpackedBlock } from '../source.ts'
import { SourceStats } from '../stats.ts'
import { type HyperionOptions, type HyperionSettings, hyperionSettings } from './options.ts'
import { Run } from './run.ts'
import { connectionError, getInfo, HyperionSession, type NodeInfo } from './session.ts'

export class HyperionSource implements BlockSource {
  readonly name = 'hyperion'
  readonly stats: SourceStats
  readonly #settings: HyperionSettings
  #chainId: string | undefined

  constructor(options: HyperionOptions) {
    this.#settings = hyperionSettings(options)
    this.#chainId = options.chainId
    this.stats = new SourceStats(options.onAnomaly)
  }

  /** See BlockSource. */
  async chainId(): Promise<string> {
    return this.#chainId ?? (await getInfo(this.#settings)).chainId
  }

  /** See BlockSource. A configured id takes precedence. */
  expectChain(chainId: string): void {
    this.#chainId ??= chainId
  }

  /** See BlockSource. Reconnects internally. */
  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<UnpackedBlock> {
    const { backoffMs } = this.#settings
    const run = new Run(this.#settings, start, this.stats)
    const backoff = new Backoff(backoffMs[0], backoffMs[1], 1)
    const last = start.to ?? Number.POSITIVE_INFINITY
    let continues = false
    for (let attempt = 0; run.next <= last && !signal.aborted; attempt++) {
      if (attempt > 0) this.stats.reconnects++
      try {
        for await (const block of this.#session(run, continues, last, signal)) {
          backoff.succeeded()
          yield block
          if (block.num >= last || signal.aborted) return
        }
        continues = true
      } catch (error) {
        continues = false
        if (signal.aborted) return
        if (!(error instanceof HeadwaterError) || error instanceof UserError) throw error
        this.stats.anomaly(error.code, error.message)
        await backoff.pause(signal)
      }
    }
  }

  /** Ends when data were dropped and must be requested again; `continues` when the previous session ended so. */
  async *#session(run: Run, continues: boolean, last: number, signal: AbortSignal): AsyncGenerator<UnpackedBlock> {
    const info = await getInfo(this.#settings)
    this.#check(info)
    run.restart(continues)
    run.see(info)
    const session = await HyperionSession.open(this.#settings, run.next, run)
    try {
      while (!signal.aborted && run.next <= last) {
        for (let block = run.take(); block; block = run.take()) {
          yield block
          if (signal.aborted || block.num >= last) return
        }
        run.check()
        if (!session.alive) throw connectionError(this.#settings, 'the connection was lost')
        if (run.exhausted) return
        await this.stats.waiting(delay(this.#settings.pollMs, undefined, { signal }).catch(() => {}))
        if (signal.aborted) return
        const news = await getInfo(this.#settings)
        this.#check(news)
        // After a lost connection the head is ignored: blocks may be irreversible after a fork whose event was missed.
        if (session.alive) run.look(news)
      }
    } finally {
      session.close()
    }
  }

  #check({ chainId }: NodeInfo): void {
    this.#chainId ??= chainId
    if (chainId === this.#chainId) return
    const { chain, endpoint } = this.#settings
    throw new UserError('OTHER_CHAIN', `${endpoint} serves chain ${chainId}, ${chain} is ${this.#chainId}`, {
      hint: `correct the address or the chain id of ${chain}`,
      place: { chain },
    })
  }
}
