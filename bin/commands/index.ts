// `headwater index`: only the indexer, for deployments whose API runs elsewhere.
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { backfillChains, runWorkers } from '../backfill.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { wholeNumber } from '../cli/parse.ts'
import { shutdownSignal } from '../cli/shutdown.ts'
import { openDatabase } from '../database.ts'
import { indexChains } from '../index-chains.ts'
import { startJobs } from '../jobs.ts'
import { openProgram } from '../program.ts'
import { Reporter } from '../reporter.ts'
import { serve } from '../serve.ts'

export const command: Command = {
  name: 'index',
  options: {
    ...CHAIN_OPTION,
    worker: { type: 'boolean', help: 'only read block ranges of a backfill that another process has planned' },
    backfill: { type: 'boolean', help: 'plan ranges for workers up to the last irreversible block, then go on alone' },
    'range-blocks': { type: 'string', value: 'N', help: 'blocks in a range; default: 20000' },
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /health and /status on this port' },
  },
  async run(args) {
    const signal = shutdownSignal()
    const port = wholeNumber(args, 'metrics-port')
    const rangeBlocks = wholeNumber(args, 'range-blocks', 1)
    const { config, log } = openProgram(args)
    const database = await openDatabase(config, log)
    const metrics = new IndexerMetrics()
    const reporter = new Reporter(log)
    const registries = [metrics.registry]
    const jobs = startJobs({ databaseUrl: database.url, chains: config.chains, log })
    try {
      const server = port === undefined ? undefined : await serve(config, database.url, log, { port, registries })
      try {
        const onProgress = reporter.add.bind(reporter)
        const work = { chains: config.chains, databaseUrl: database.url, signal, log }
        if (args.values.worker === true) {
          await runWorkers(work)
          return 0
        }
        if (args.values.backfill === true) {
          // Workers read blocks: a snapshot is written with the first one before they are planned.
          const chains = config.chains.filter(({ source }) => source.snapshot !== undefined)
          if (chains.length > 0) await indexChains({ ...work, chains, metrics, onProgress, onlyStarts: true })
          await backfillChains(work, rangeBlocks)
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
