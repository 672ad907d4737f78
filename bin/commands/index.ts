// `headwater index`: only the indexer, for deployments whose API runs elsewhere.
import type { Config } from '../../config/program-schema.ts'
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { type BackfillChainsOptions, backfillChains, runWorkers } from '../backfill.ts'
import { planChain, planText } from '../backfill-plan.ts'
import { type Arguments, CHAIN_OPTION, type Command } from '../cli/command.ts'
import type { Log } from '../cli/log.ts'
import { UsageError, wholeNumber } from '../cli/parse.ts'
import { aborted, shutdownSignal } from '../cli/shutdown.ts'
import { checkServer, databaseFolder, openDatabase, startOrUse } from '../database.ts'
import { indexChains } from '../index-chains.ts'
import { startJobs } from '../jobs.ts'
import { openProgram } from '../program.ts'
import { Reporter } from '../reporter.ts'
import { serve } from '../serve.ts'
import { WorkerThreads } from '../worker-threads.ts'

export const command: Command = {
  name: 'index',
  options: {
    ...CHAIN_OPTION,
    worker: { type: 'boolean', help: 'only read block ranges of a backfill that another process has planned' },
    workers: {
      type: 'string',
      value: 'N',
      help: 'threads that read block ranges in this process; default: 1 with --worker, none with --backfill',
    },
    backfill: { type: 'boolean', help: 'plan ranges for workers up to the last irreversible block, then go on alone' },
    plan: {
      type: 'boolean',
      help: 'with --backfill: only say how long it takes and how much disk, measured on a sample of the blocks',
    },
    'range-blocks': { type: 'string', value: 'N', help: 'blocks in a range; default: 20000' },
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /health and /status on this port' },
  },
  async run(args) {
    const signal = shutdownSignal()
    const port = wholeNumber(args, 'metrics-port')
    const rangeBlocks = wholeNumber(args, 'range-blocks', 1)
    const threads = workerThreads(args)
    if (args.values.plan === true && args.values.backfill !== true)
      throw new UsageError('--plan needs --backfill', 'see `headwater index --help`')
    const { config, origins, log } = openProgram(args)
    if (args.values.plan === true) return await printPlan(config, log, signal)
    const database = await openDatabase(config, log)
    const metrics = new IndexerMetrics()
    const folder = databaseFolder(config)
    if (folder !== undefined) metrics.watchDisk(folder)
    const reporter = new Reporter(log)
    reporter.watchRelayers(database.url, origins.has('relay.gasUsdDay') ? config.relay.gasUsdDay : undefined)
    const registries = [metrics.registry]
    const jobs = startJobs({ databaseUrl: database.url, chains: config.chains, log, metrics: metrics.jobs })
    try {
      const server = port === undefined ? undefined : await serve(config, database.url, log, { port, registries })
      try {
        const onProgress = reporter.add.bind(reporter)
        const work = { chains: config.chains, databaseUrl: database.url, signal, log }
        if (args.values.worker === true) {
          if (threads > 1) await withThreads(threads, work, aborted)
          else await runWorkers(work)
          return 0
        }
        if (args.values.backfill === true) {
          // Workers read blocks: a snapshot is written with the first one before they are planned.
          const chains = config.chains.filter(({ source }) => source.snapshot !== undefined)
          if (chains.length > 0) await indexChains({ ...work, chains, metrics, onProgress, onlyStarts: true })
          const backfill = (stop: AbortSignal) => backfillChains({ ...work, signal: stop }, rangeBlocks)
          if (threads > 0) await withThreads(threads, work, backfill)
          else await backfill(signal)
        }
        await indexChains({ ...work, evm: config.evm, metrics, onProgress })
      } finally {
        await server?.close()
      }
    } finally {
      reporter.stop()
      await jobs.stop()
      await database.close()
    }
    return 0
  },
}

/** Says what a backfill would need. It migrates nothing: an old schema, or none, is good enough. */
async function printPlan(config: Config, log: Log, signal: AbortSignal): Promise<number> {
  const database = await startOrUse(config, log)
  try {
    await checkServer(database.url)
    for (const chain of config.chains) process.stdout.write(planText(await planChain(chain, database.url, signal)))
  } finally {
    await database.close()
  }
  return 0
}

/** Number of worker threads; 0 when the option is absent. */
function workerThreads(args: Arguments): number {
  const count = wholeNumber(args, 'workers', 1)
  if (count === undefined) return 0
  if (args.values.worker === true || args.values.backfill === true) return count
  throw new UsageError('--workers needs --backfill or --worker', 'see `headwater index --help`')
}

/** Runs work while threads read ranges. @throws the error of a thread, after the work was stopped */
async function withThreads(
  count: number,
  { chains, databaseUrl, signal, log }: BackfillChainsOptions,
  work: (stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController()
  const threads = WorkerThreads.start(count, { chains, databaseUrl }, log)
  const working = work(AbortSignal.any([signal, failed.signal]))
  try {
    await Promise.race([working, threads.failure])
  } finally {
    failed.abort()
    await working.catch(() => {})
    await threads.stop()
  }
}
