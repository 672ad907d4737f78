// State of the bridge API, shared by all chains of the process. Each answer is read in one database snapshot.
import type { Pool } from 'pg'
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { isEvmDomain } from '../../core/chains.ts'
import type { Log } from '../http/log.ts'
import { type BridgeContext, BridgeContextReader, type Database, indexedChain } from './bridge-context.ts'
import type { FoundJourney, FoundLeg } from './by-key.ts'
import type { ProofOfDeposit } from './deposit-proof.ts'
import { FinalRowCache } from './final-row-cache.ts'
import { type ExchangeChain, type LagOptions, laggingChains } from './lagging-chains.ts'
import { OpenLegs } from './open-legs.ts'
import { type PendingOptions, PendingWork } from './pending/work.ts'
import { ProofMetrics } from './proof-metrics.ts'
import type { RouteRow, RouteSide } from './route-list.ts'
import { ROUTES } from './sql/facts.ts'
import { readTimings, type Timings } from './timing.ts'
import { vaultFromLedger } from './vault-ledger.ts'
import { VaultViews, type VaultViewsOptions } from './vault-views.ts'
import { WithdrawalProofs } from './withdrawal-proof.ts'

/** Generic plans: planning takes longer than a lookup by key. Limits and times are literals in the texts. */
const BEGIN = `begin transaction isolation level repeatable read, read only; set local plan_cache_mode = force_generic_plan`

export interface BridgeOptions {
  pool: Pool
  /** EVM chains, with their endpoints and contracts. */
  evm: readonly EvmChainConfig[]
  /** Configured exchange chains: without an indexed block, their routes are closed. Default: none. */
  exchange?: readonly ExchangeChain[]
  log: Log
  /** The chain that keeps the ledger. Default: detected. */
  ledger?: string
  proofOfDeposit?: ProofOfDeposit
  views?: VaultViewsOptions
  pending?: PendingOptions
  /** Age of the last indexed block of a chain above which its routes are closed. */
  maxLagSeconds: number
  /** Clock, Unix milliseconds. */
  now?: () => number
}

export class Bridge {
  readonly evm: readonly EvmChainConfig[]
  readonly open = new OpenLegs()
  readonly legs = new FinalRowCache<FoundLeg>()
  readonly journeys = new FinalRowCache<FoundJourney>()
  readonly proofMetrics = new ProofMetrics()
  readonly work: PendingWork
  readonly proofs: WithdrawalProofs
  readonly proofOfDeposit: ProofOfDeposit | null
  readonly log: Log
  private readonly exchange: readonly ExchangeChain[]
  private readonly pool: Pool
  private readonly lag: LagOptions
  private readonly contexts: BridgeContextReader
  private readonly views: VaultViews
  private timings: { tag: string; timings: Promise<Timings> } | null = null

  constructor({
    pool,
    evm,
    exchange = [],
    log,
    ledger,
    proofOfDeposit,
    views,
    pending,
    maxLagSeconds,
    now = Date.now,
  }: BridgeOptions) {
    this.lag = { maxLagSeconds, now }
    this.pool = pool
    this.log = log
    this.evm = evm
    this.exchange = exchange
    this.proofOfDeposit = proofOfDeposit ?? null
    this.proofs = new WithdrawalProofs(evm)
    this.contexts = new BridgeContextReader(ledger)
    this.views = new VaultViews(evm, log, views)
    this.work = new PendingWork(pending)
  }

  /**
   * Runs work on one snapshot of the database.
   *
   * @returns null while no ledger is indexed
   */
  async at<T>(work: (database: Database, context: BridgeContext) => Promise<T>): Promise<T | null> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    try {
      await client.query(BEGIN)
      const context = await this.contexts.read(client)
      return context && (await work(client, context))
    } catch (error) {
      broken = error as Error
      throw error
    } finally {
      await client.query('rollback').then(
        () => client.release(),
        () => client.release(broken ?? true),
      )
    }
  }

  /** Transfer times measured in a snapshot. */
  async timingsAt(database: Database, context: BridgeContext): Promise<Timings> {
    if (this.timings?.tag !== context.tag) this.timings = { tag: context.tag, timings: readTimings(database, context) }
    const { timings } = this.timings
    timings.catch(() => {
      this.timings = null
    })
    return timings
  }

  /** Rows of the bridge's table with the state of their vaults. */
  async sidesAt(database: Database, context: BridgeContext): Promise<RouteSide[]> {
    const { rows } = await database.query<Record<keyof RouteRow, string>>({
      name: 'bridge-routes',
      text: ROUTES,
      values: [context.ledger],
    })
    const routes = rows.map(routeOf)
    const sides: RouteSide[] = []
    for (const row of routes) sides.push({ row, view: await this.viewAt(database, context, row, routes) })
    return sides
  }

  private async viewAt(
    database: Database,
    context: BridgeContext,
    row: RouteRow,
    all: readonly RouteRow[],
  ): Promise<RouteSide['view']> {
    if (!isEvmDomain(row.domain)) return null
    const tokens = all.filter((one) => one.domain === row.domain && one.vault === row.vault).map(({ token }) => token)
    const config = this.evm.find(({ chainId }) => BigInt(chainId) === row.domain)
    const view = config && (await this.views.read(config.chain, row.vault, tokens))
    if (view) return view
    const chain = indexedChain(context, row.domain)
    return chain === undefined ? null : await vaultFromLedger(database, context, chain, row.vault, tokens)
  }

  /** Ids of the chains that lag, or whose nodes contradict final blocks. */
  laggingChains(context: BridgeContext): ReadonlySet<string> {
    return laggingChains(context, { evm: this.evm, exchange: this.exchange }, this.lag)
  }

  /** Version of the inputs of answers outside the snapshot: vaults, accounts, lagging chains. */
  viewsTag(context: BridgeContext): string {
    return [this.views.tag, this.work.accounts.tag, ...this.laggingChains(context)].join(';')
  }

  close(): void {
    this.views.close()
    this.work.close()
  }
}

function routeOf(row: Record<keyof RouteRow, unknown>): RouteRow {
  const { id, vault, token, wrappedContract, symbol, decimals, depositsOpen, withdrawalsOpen } =
    row as unknown as RouteRow
  const big = (name: keyof RouteRow) => BigInt(row[name] as string)
  return {
    id,
    domain: big('domain'),
    vault,
    token,
    wrappedContract,
    symbol,
    decimals,
    scale: big('scale'),
    min: big('min'),
    max: big('max'),
    backing: big('backing'),
    depositsOpen,
    withdrawalsOpen,
  }
}
