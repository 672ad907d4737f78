// Backfill by workers from the command line. `index --worker` reads ranges. `index --backfill` plans the ranges, and takes
// each one over when a worker has read it. After the last range, the caller indexes the blocks that follow it.
import type { ChainConfig } from '../config/schema.ts'
import { UserError } from '../core/errors.ts'
import { NodeApi } from '../indexer/bootstrap/node-api.ts'
import { backfill } from '../indexer/jobs/backfill.ts'
import { runWorker } from '../indexer/jobs/worker.ts'
import { RefusedRows } from '../indexer/operate/refused-rows.ts'
import { NodeLogs } from '../indexer/source/logs/node-logs.ts'
import { probeNode } from '../indexer/source/ship/probe.ts'
import type { AnomalyListener } from '../indexer/source/stats.ts'
import type { Log } from './cli/log.ts'
import { finality, roleAccounts } from './index-chains.ts'
import { seedAbis } from './seed-abis.ts'
import { createSource } from './source.ts'
import { valuation } from './valuation.ts'

export interface BackfillChainsOptions {
  chains: readonly ChainConfig[]
  databaseUrl: string
  signal: AbortSignal
  log: Log
}

/** Reads ranges of all configured chains as a worker until the signal is aborted. */
export async function runWorkers({ chains, databaseUrl, signal, log }: BackfillChainsOptions): Promise<void> {
  await Promise.all(
    chains.map((config) => {
      const { chain, source, accounts, tokens } = config
      const onAnomaly: AnomalyListener = (kind, detail) => log.warn(detail, { chain, kind })
      const refused = new RefusedRows({ chain, warn: log.warn })
      const api = source.http === undefined ? undefined : new NodeApi({ url: source.http })
      return runWorker({
        chain,
        databaseUrl,
        source: createSource(config, onAnomaly),
        accounts: roleAccounts(config),
        systemAccount: accounts.system,
        tokenContracts: tokens.contracts,
        seedAbis: seedAbis(config),
        presentAbi: api && ((account) => api.rawAbi(account)),
        finality: finality(config, onAnomaly),
        checksActions: source.checkActions,
        signal,
        events: {
          started: (job) => log.info('range taken', { ...job }),
          finished: (job, isTaken, seconds) => log.info('range done', { ...job, isTaken, seconds }),
          failed: (job, error) => log.warn(error.message, { ...job, code: error.code }),
          retrying: (error) => log.warn(error.message, { chain, code: error.code }),
          refused: (row) => refused.note(row),
        },
      })
    }),
  )
}

/**
 * Plans ranges up to the last irreversible block, and takes each over when a worker has read it.
 *
 * @param rangeBlocks  blocks of a range; undefined: the default of `planBackfill`
 */
export async function backfillChains(
  { chains, databaseUrl, signal, log }: BackfillChainsOptions,
  rangeBlocks: number | undefined,
): Promise<void> {
  await Promise.all(
    chains.map(async (config) => {
      const { chain, chainId, source } = config
      const endBlock = await lastPlannable(config)
      const onAnomaly: AnomalyListener = (kind, detail) => log.warn(detail, { chain, kind })
      await backfill({
        chain,
        databaseUrl,
        chainId: chainId ?? null,
        accounts: roleAccounts(config),
        startBlock: source.startBlock,
        fullStateBlock: source.fullStateBlock,
        source: createSource(config, onAnomaly),
        endBlock,
        rangeBlocks,
        seedAbis: seedAbis(config),
        valuation: valuation(config),
        finality: finality(config, onAnomaly),
        signal,
        events: {
          planned: (ranges) => log.info('ranges planned', { chain, ranges, endBlock }),
          takenOver: (firstBlock, lastBlock, seconds) =>
            log.info('range in place', { chain, firstBlock, lastBlock, seconds }),
          reopened: (firstBlock, reason) => log.warn(reason, { chain, firstBlock }),
          retrying: (error) => log.warn(error.message, { chain, code: error.code }),
        },
      })
    }),
  )
}

/**
 * Last block to plan: every worker must be able to read it, and it must be irreversible. With nodes: the lowest of their
 * last irreversible blocks, because a worker may read from any of them. Without nodes: the last block of the logs.
 *
 * @throws UserError NO_NODE, LOG_NOT_THERE, and as NodeLogs.open and probeNode
 */
export async function lastPlannable(config: ChainConfig): Promise<number> {
  const { chain, source } = config
  if (source.kind === 'ship' && source.urls.length > 0) {
    const probes = await Promise.all(source.urls.map((url) => probeNode(url, { chain })))
    return Math.min(...probes.map(({ status }) => status.lib.num))
  }
  if (source.kind === 'ship' && source.logs.length > 0) return endOfLogs(config)
  throw new UserError('NO_NODE', `${chain}: a backfill by workers reads from state-history nodes or from their logs`, {
    hint: `set source.kind to ship, and source.urls or source.logs of ${chain}`,
    place: { chain },
  })
}

async function endOfLogs({ chain, source }: ChainConfig): Promise<number> {
  const logs = await NodeLogs.open(source.logs, source.maxFrameBytes)
  try {
    if (logs.end !== null) return logs.end
    throw new UserError('LOG_NOT_THERE', `${chain}: ${source.logs.join(', ')} have no block log or no traces`, {
      hint: 'give the folders of state history and of the block log (blocks.log), with trace-history on',
      place: { chain },
    })
  } finally {
    await logs.close()
  }
}
