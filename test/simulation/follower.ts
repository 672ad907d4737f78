// An indexer in this process that follows a simulated node, with a referee that checks after every commit. Tests stop,
// kill and start it.
import { setTimeout as delay } from 'node:timers/promises'
import { DecodeError, type HeadwaterError, UserError } from '../../core/errors.ts'
import { indexChain } from '../../indexer/run.ts'
import { ShipSource } from '../../indexer/source/ship/source.ts'
import type { CommitPoint } from '../../indexer/store/writer.ts'
import { GatedSource } from './gated-source.ts'
import { CHAIN_ID, type Node } from './node.ts'
import { Referee } from './referee.ts'
import { count, emptyReport, type Report } from './report.ts'
import type { Observer } from './snapshot.ts'
import { AMM, SPOT } from './stand-ins.ts'

/** Timeout for the indexer to commit the head, ms. */
const PATIENCE = 240_000
const POLL = 2
/**
 * After this time without a commit the chain makes a block: it shows the client of a silent node that there are more
 * blocks, ms.
 */
const STANDSTILL = 4000

/** Simulates the death of the process at a point: like any UserError, it ends the indexer immediately. */
export class Killed extends UserError {}

export interface Place {
  url: string
  chain: string
  observer: Observer
}

export interface FollowerOptions {
  /** The source releases blocks as they arrive, not when `catchUp` runs. */
  free: boolean
  /** Called at every step of a commit, before the referee; may throw Killed. */
  atPoint?: (point: CommitPoint) => void | Promise<void>
  /** URL of the state-history server; default: the node's own. */
  shipUrl?: string
}

export class Follower {
  readonly report: Report = emptyReport()
  readonly referee: Referee
  private readonly node: Node
  private readonly place: Place
  private readonly options: FollowerOptions
  private readonly source: GatedSource
  private stop = new AbortController()
  private running: Promise<void> = Promise.resolve()
  private failure: Error | null = null
  private isUp = false
  private isUncertain = false
  private inspection: Promise<void> = Promise.resolve()

  constructor(node: Node, place: Place, options: FollowerOptions) {
    this.node = node
    this.place = place
    this.options = options
    const ship = new ShipSource({
      ...{ urls: [options.shipUrl ?? node.server.url], chain: place.chain, chainId: CHAIN_ID },
      ...{ silenceMs: 200, answerMs: 500, connectMs: 5000, backoffMs: [1, 8] },
      onAnomaly: (code) => count(this.report.anomalies, code),
    })
    this.source = new GatedSource(ship, options.free)
    this.referee = new Referee(node.tree, this.source, place.observer)
  }

  /** Stops cleanly. */
  async end(): Promise<void> {
    this.stop.abort()
    await this.running
  }

  /** Waits until the head is committed; restarts an indexer that died. */
  async catchUp(): Promise<void> {
    const { source, referee, node } = this
    const deadline = performance.now() + PATIENCE
    let nextBlock = performance.now() + STANDSTILL
    while (referee.committed !== node.chain.head.id) {
      if (this.failure) throw this.failure
      if (performance.now() > deadline) throw new Error(this.stuck())
      if (performance.now() > nextBlock) {
        node.grow(1)
        nextBlock = performance.now() + STANDSTILL
      }
      if (!this.isUp) {
        await this.running
        this.start()
      }
      if (source.newest === node.chain.head.id) source.release()
      await delay(POLL)
    }
    if (this.failure) throw this.failure
  }

  start(): void {
    const { place, source, node, report } = this
    this.stop = new AbortController()
    this.isUp = true
    const index = indexChain({
      chain: place.chain,
      databaseUrl: place.url,
      source,
      accounts: { amm: AMM, spot: SPOT, bridge: 'bridge.svc', hop: 'hop.svc' },
      systemAccount: 'eosio',
      tokenContracts: '*',
      chainId: CHAIN_ID,
      startBlock: node.tree.first,
      signal: this.stop.signal,
      onPoint: (point) => this.atPoint(point),
      events: {
        opened: () => {
          // A commit that reported a failure may have succeeded: check now.
          if (this.isUncertain) this.inspection = this.judge(() => this.referee.afterCrash()).catch(() => {})
          this.isUncertain = false
        },
        committed() {},
        decoded() {},
        forked(_, depth) {
          report.forks++
          report.deepest = Math.max(report.deepest, depth)
        },
        retrying: (error: HeadwaterError) => {
          this.isUncertain = true
          count(report.anomalies, error.code)
        },
      },
    })
    this.running = index
      .then(
        () => {},
        (error: unknown) => this.died(error as Error),
      )
      .finally(() => {
        this.isUp = false
      })
  }

  private async atPoint(point: CommitPoint): Promise<void> {
    count(this.report.points, point)
    await this.inspection
    await this.options.atPoint?.(point)
    if (point === 'committed') await this.judge(() => this.referee.afterCommit())
  }

  private async died(error: Error): Promise<void> {
    // Truncated bytes end the process with a coded error, and its supervisor restarts it.
    if (error instanceof DecodeError) count(this.report.anomalies, error.code)
    else if (!(error instanceof Killed)) {
      this.failure ??= error
      return
    }
    await this.judge(() => this.referee.afterCrash()).catch(() => {})
  }

  /** Keeps the referee's finding: the indexer may treat the exception as a failure of its own. */
  async judge(check: () => Promise<void>): Promise<void> {
    try {
      await check()
    } catch (error) {
      this.failure ??= error as Error
      throw error
    }
  }

  private stuck(): string {
    const { source, referee, node, report } = this
    const anomalies = [...report.anomalies].map(([code, times]) => `${code} ${times}`).join(', ')
    const wanted = `block ${node.chain.head.id} is not committed after ${PATIENCE} ms`
    return `${wanted}: committed ${referee.committed}, read ${source.newest}, anomalies: ${anomalies}`
  }
}
