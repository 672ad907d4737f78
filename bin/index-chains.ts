// Indexes the configured chains concurrently until they end or the signal is aborted, and reports progress.
import type { EvmChainConfig } from '../config/evm-schema.ts'
import type { ChainConfig } from '../config/schema.ts'
import { type HeadwaterError, UserError } from '../core/errors.ts'
import type { SnapshotEvents } from '../indexer/bootstrap/snapshot-start.ts'
import { ChainProgress } from '../indexer/operate/chain-progress.ts'
import { ChainReports } from '../indexer/operate/chain-reports.ts'
import type { IndexerMetrics } from '../indexer/operate/metrics.ts'
import { RefusedRows } from '../indexer/operate/refused-rows.ts'
import type { RoleAccounts } from '../indexer/project/role-accounts.ts'
import { type FinalityOptions, type IndexEvents, type IndexOptions, indexChain } from '../indexer/run.ts'
import { readSnapshotHead } from '../indexer/source/snapshot/snapshot.ts'
import type { BlockSource } from '../indexer/source/source.ts'
import type { AnomalyListener, SourceStats } from '../indexer/source/stats.ts'
import type { Position } from '../indexer/store/position.ts'
import { UNTRIED_VERSION } from './checks/snapshot.ts'
import type { Log } from './cli/log.ts'
import { indexEvm } from './index-evm.ts'
import { seedAbis } from './seed-abis.ts'
import { type CountingSource, createSource } from './source.ts'
import { valuation } from './valuation.ts'

export interface IndexChainsOptions {
  chains: readonly ChainConfig[]
  /** EVM chains of the bridge. */
  evm?: readonly EvmChainConfig[]
  databaseUrl: string
  signal: AbortSignal
  log: Log
  metrics: IndexerMetrics
  /** Whether to index only the first block after each chain's snapshot. */
  onlyStarts?: boolean
  /** Called for each chain when it starts. */
  onProgress: (progress: ChainProgress) => void
}

interface Work extends IndexChainsOptions {
  reports: ChainReports
}

/**
 * Indexes all chains. If one fails, it is logged and the others continue.
 *
 * @returns the last position of each chain, by name
 * @throws the first chain's error, after all chains have ended
 */
export async function indexChains(options: IndexChainsOptions): Promise<Map<string, Position | null>> {
  const reports = new ChainReports(options.databaseUrl)
  try {
    return await indexAll({ ...options, reports })
  } finally {
    await reports.close()
  }
}

async function indexAll(options: Work): Promise<Map<string, Position | null>> {
  const { chains, evm = [], log, metrics, reports } = options
  const isOne = chains.length + evm.length === 1
  const index = async (chain: string, work: () => Promise<Position | null>) => {
    reports.began(chain)
    try {
      return [chain, await work()] as const
    } catch (error) {
      reports.ended(chain, error)
      const { code, message, hint } = error as Partial<HeadwaterError>
      metrics.anomaly(chain, code ?? 'bug')
      // A single chain's error ends the program, which reports it.
      if (!isOne) log.error('the indexing of a chain has stopped', { chain, code, reason: message, hint })
      throw error
    }
  }
  const results = await Promise.allSettled([
    ...chains.map((config) => index(config.chain, () => indexOne(config, options))),
    ...evm.map((config) => index(config.chain, () => indexOneEvm(config, options))),
  ])
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  return new Map(results.map((result) => (result as PromiseFulfilledResult<readonly [string, Position | null]>).value))
}

function nodeApi({ chain, source }: ChainConfig): string {
  if (source.http !== undefined) return source.http
  throw new UserError('NO_NODE_API', `${chain}: a start from tables needs the chain API of a node`, {
    hint: `set source.http of ${chain}`,
    place: { chain },
  })
}

/**
 * How an empty chain starts, other than at its start block.
 *
 * @throws UserError TWO_STARTS, SNAPSHOT_SOURCE, NO_NODE_API
 */
function startOf(config: ChainConfig, log: Log): Pick<IndexOptions, 'bootstrap' | 'snapshot'> {
  const { chain, source } = config
  if (source.snapshot === undefined) return source.startFrom === 'tables' ? { bootstrap: { url: nodeApi(config) } } : {}
  if (source.startFrom === 'tables')
    throw new UserError('TWO_STARTS', `${chain}: source.snapshot and source.startFrom = tables are both set`, {
      hint: 'remove one of them',
      place: { chain },
    })
  if (source.kind === 'hyperion')
    throw new UserError('SNAPSHOT_SOURCE', `${chain}: a start from a snapshot goes on with blocks of state history`, {
      hint: `set source.kind of ${chain} to ship, or remove source.snapshot`,
      place: { chain },
    })
  return { snapshot: { path: source.snapshot, events: snapshotLog(chain, source.snapshot, log) } }
}

function snapshotLog(chain: string, file: string, log: Log): SnapshotEvents {
  return {
    opened({ num, version }) {
      log.info('reads the snapshot', { chain, file, version, block: num })
      if (version > UNTRIED_VERSION) return
      const advice = 'compare the tables with `headwater verify --against` afterwards'
      log.warn(`snapshots of version ${version} were not tried on files of real nodes: ${advice}`, { chain, file })
    },
    read({ num }, rows, abis) {
      log.info('the snapshot is read, it is written with the first block', { chain, block: num, rows, abis })
    },
  }
}

/** The accounts whose actions and rows are projected. */
export function roleAccounts({ accounts }: ChainConfig): RoleAccounts {
  const { system: _, gateways, ...roles } = accounts
  return { ...roles, gateways: gateways.map(({ account, domain }) => ({ account, domain: BigInt(domain) })) }
}

/** Options for storing proof data: on for a chain with a bridge unless switched off. */
export function finality(
  { accounts, ...config }: ChainConfig,
  onAnomaly: AnomalyListener,
): FinalityOptions | undefined {
  const { bridge } = accounts
  if (!config.finality || bridge === undefined) return undefined
  const hint = `import a start with \`headwater finality\`, or set finality of ${config.chain} to false`
  return {
    bridge,
    // Data from before Savanna are stored only on chains without gateways. On the ledger's chain, which has the
    // gateways, only withdrawals are proved, and these need Savanna.
    legacy: accounts.gateways.length === 0,
    onUnfollowed: (block, reason) => onAnomaly('unproved', `no proofs from block ${block} on: ${reason}; ${hint}`),
  }
}

async function indexOne(config: ChainConfig, options: Work): Promise<Position | null> {
  const { databaseUrl, signal, log } = options
  const { chain, chainId, accounts, source: settings } = config
  const onAnomaly = anomalies(chain, options)
  const source: CountingSource & BlockSource = createSource(config, onAnomaly, {
    onCatchUp: ({ from, to }) => log.info('reads in parallel', { chain, sessions: settings.sessions, from, to }),
    onLogs: ({ range, live, ended }) => {
      if (!ended) log.info('reads the logs of the node', { chain, ...range })
      else if (live) log.info('the logs are read, state history continues', { chain, block: range.to + 1 })
      else log.info('the logs are read to their end, no node is configured to go on', { chain, block: range.to })
    },
  })
  return indexChain({
    chain,
    databaseUrl,
    source,
    accounts: roleAccounts(config),
    systemAccount: accounts.system,
    tokenContracts: config.tokens.contracts,
    chainId: chainId ?? null,
    startBlock: settings.startBlock,
    fullStateBlock: settings.fullStateBlock,
    ...startOf(config, log),
    endBlock: options.onlyStarts && settings.snapshot ? (await readSnapshotHead(settings.snapshot)).num + 1 : undefined,
    seedAbis: seedAbis(config),
    valuation: valuation(config),
    finality: finality(config, onAnomaly),
    checksActions: settings.checkActions,
    signal,
    events: watch(chain, source.name, source.stats, options),
  })
}

function indexOneEvm(config: EvmChainConfig, options: Work): Promise<Position | null> {
  const { databaseUrl, signal } = options
  const { chain } = config
  const onAnomaly = anomalies(chain, options)
  return indexEvm(config, {
    databaseUrl,
    signal,
    onAnomaly,
    watch: (name, stats) => watch(chain, name, stats, options),
  })
}

function anomalies(chain: string, { metrics, log, reports }: Work): AnomalyListener {
  return (kind, detail) => {
    metrics.anomaly(chain, kind)
    reports.fault(chain, kind, detail)
    log.warn(detail, { chain, kind })
  }
}

/** Counts, logs and displays the events of a chain's indexer. */
function watch(chain: string, source: string, stats: SourceStats, options: Work): IndexEvents {
  const { log, metrics, reports } = options
  const progress = new ChainProgress(chain, stats)
  metrics.watchSource(chain, stats)
  options.onProgress(progress)
  const refused = new RefusedRows({ chain, warn: log.warn })
  return {
    refused(row) {
      metrics.refused(chain, row.contract, row.table)
      refused.note(row)
    },
    opened(position) {
      const at = position ? { block: position.num, time: new Date(position.time).toISOString() } : {}
      log.info(position ? 'resumes' : 'starts', { chain, source, ...at })
    },
    committed(last, blocks, result, seconds) {
      progress.committed(last, blocks, result)
      metrics.committed(chain, blocks, result, seconds)
    },
    decoded(seconds) {
      progress.decoded(seconds)
      metrics.decoded(chain, seconds)
    },
    forked(block, depth) {
      progress.forks++
      metrics.forked(chain, depth)
      log.info('fork', { chain, block, depth })
    },
    retrying(error, seconds) {
      metrics.retrying(chain, error)
      reports.fault(chain, error.code, error.message)
      log.warn(error.message, { chain, code: error.code, retryInSeconds: seconds })
    },
  }
}
