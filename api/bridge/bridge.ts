// State of the bridge API, shared by all chains of the process. Each answer is read in one database snapshot.
import type { Pool } from 'pg'
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { isEvmDomain } from '../../core/chains.ts'
import type { Log } from '../http/log.ts'
import { type BridgeContext, BridgeContextReader, type Database, indexedChain } from './bridge-context.ts'
import type { ProofOfDeposit } from './deposit-proof.ts'
import { FinalRowCache } from './final-row-cache.ts'
import { type LagOptions, laggingChains } from './lagging-chains.ts'
import type { Found, FoundJourney } from './lists.ts'
import { OpenLegs } from './open-legs.ts'
import { type PendingOptions, PendingWork } from './pending/work.ts'
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
  log: Log
  /** The chain that keeps the ledger; detected unless given. */
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
  readonly legs = new FinalRowCache<Found>()
  readonly journeys = new FinalRowCache<FoundJourney>()
  readonly work: PendingWork
  readonly proofs: WithdrawalProofs
  readonly proofOfDeposit: ProofOfDeposit | null
  readonly log: Log
  private readonly pool: Pool
  private readonly lag: LagOptions
  private readonly contexts: BridgeContextReader
  private readonly views: VaultViews
  private timings: { tag: string; timings: Promise<Timings> } | null = null

  constructor({
    pool,
    evm,
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
  async at<T>(work: (database: Database, world: BridgeContext) => Promise<T>): Promise<T | null> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    try {
      await client.query(BEGIN)
      const world = await this.contexts.read(client)
      return world && (await work(client, world))
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
  async timingsAt(database: Database, world: BridgeContext): Promise<Timings> {
    if (this.timings?.tag !== world.tag) this.timings = { tag: world.tag, timings: readTimings(database, world) }
    const { timings } = this.timings
    timings.catch(() => {
      this.timings = null
    })
    return timings
  }

  /** Rows of the bridge's table with the state of their vaults. */
  async sidesAt(database: Database, world: BridgeContext): Promise<RouteSide[]> {
    const { rows } = await database.query<Record<keyof RouteRow, string>>({
      name: 'bridge-routes',
      text: ROUTES,
      values: [world.ledger],
    })
    const routes = rows.map(routeOf)
    const sides: RouteSide[] = []
    for (const row of routes) sides.push({ row, view: await this.viewAt(database, world, row, routes) })
    return sides
  }

  private async viewAt(
    database: Database,
    world: BridgeContext,
    row: RouteRow,
    all: readonly RouteRow[],
  ): Promise<RouteSide['view']> {
    if (!isEvmDomain(row.domain)) return null
    const tokens = all.filter((one) => one.domain === row.domain && one.vault === row.vault).map(({ token }) => token)
    const config = this.evm.find(({ chainId }) => BigInt(chainId) === row.domain)
    const view = config && (await this.views.read(config.chain, row.vault, tokens))
    if (view) return view
    const chain = indexedChain(world, row.domain)
    return chain === undefined ? null : await vaultFromLedger(database, world, chain, row.vault, tokens)
  }

  /** Ids of the chains that this instance lags. */
  behind(world: BridgeContext): ReadonlySet<string> {
    return laggingChains(world, this.evm, this.lag)
  }

  /** Version of the inputs of answers outside the snapshot: vaults, accounts, lagging chains. */
  viewsTag(world: BridgeContext): string {
    return [this.views.tag, this.work.accounts.tag, ...this.behind(world)].join(';')
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
    ...{ id, vault, token, wrappedContract, symbol, decimals, depositsOpen, withdrawalsOpen },
    domain: big('domain'),
    scale: big('scale'),
    min: big('min'),
    max: big('max'),
    backing: big('backing'),
  }
}
