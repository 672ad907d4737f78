// Blocks from a Hyperion server, for operators without state history. Every number comes, empty or not, in order. What
// cannot be had: proofs, ids and times of blocks without data (ids are ours, times estimated), and certainty that the
// server has sent everything; continuity is by block number and by fork and irreversibility events, and, since these
// are missed without a connection, by asking again for the reversible blocks held.

import { setTimeout as delay } from 'node:timers/promises'
import { HeadwaterError, UserError } from '../../../core/errors.ts'
import { Backoff } from '../backoff.ts'
import type { BlockSource, StartPosition, UnpackedBlock } from '../source.ts'
import { SourceStats } from '../stats.ts'
import { type HyperionOptions, type HyperionSettings, hyperionSettings } from './options.ts'
import { Run } from './run.ts'
import { connectionError, getInfo, HyperionSession, type NodeInfo } from './session.ts'

export class HyperionSource implements BlockSource {
  readonly name = 'hyperion'
  readonly stats: SourceStats
  readonly #settings: HyperionSettings
  readonly #chainId: string | undefined

  constructor(options: HyperionOptions) {
    this.#settings = hyperionSettings(options)
    this.#chainId = options.chainId
    this.stats = new SourceStats(options.onAnomaly)
  }

  /** See BlockSource. Lost connections are retried inside. */
  async *blocks(start: StartPosition, signal: AbortSignal): AsyncGenerator<UnpackedBlock> {
    const { backoffMs } = this.#settings
    const run = new Run(this.#settings, start, this.stats)
    const backoff = new Backoff(backoffMs[0], backoffMs[1], 1)
    const last = start.to ?? Number.POSITIVE_INFINITY
    let goesOn = false
    for (let attempt = 0; run.next <= last && !signal.aborted; attempt++) {
      if (attempt > 0) this.stats.reconnects++
      try {
        for await (const block of this.#session(run, goesOn, last, signal)) {
          backoff.succeeded()
          yield block
          if (block.num >= last || signal.aborted) return
        }
        goesOn = true
      } catch (error) {
        goesOn = false
        if (signal.aborted) return
        if (!(error instanceof HeadwaterError) || error instanceof UserError) throw error
        this.stats.anomaly(error.code, error.message)
        await backoff.pause(signal)
      }
    }
  }

  /** Ends when the requests must be made again for want of room; `goesOn` when the session before ended so. */
  async *#session(run: Run, goesOn: boolean, last: number, signal: AbortSignal): AsyncGenerator<UnpackedBlock> {
    const info = await getInfo(this.#settings)
    this.#check(info)
    run.restart(goesOn)
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
        // Once the connection is lost, blocks may become irreversible behind a fork that it did not tell.
        if (session.alive) run.look(news)
      }
    } finally {
      session.close()
    }
  }

  #check({ chainId }: NodeInfo): void {
    if (this.#chainId === undefined || chainId === this.#chainId) return
    const { chain, endpoint } = this.#settings
    throw new UserError('OTHER_CHAIN', `${endpoint} serves chain ${chainId}, ${chain} is ${this.#chainId}`, {
      hint: `correct the address or the chain id of ${chain}`,
      place: { chain },
    })
  }
}
