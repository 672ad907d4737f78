// `headwater run`: the whole program in one process.
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { aborted, shutdownSignal } from '../cli/shutdown.ts'
import { databaseFolder, openDatabase } from '../database.ts'
import { indexChains } from '../index-chains.ts'
import { startJobs } from '../jobs.ts'
import { openProgram } from '../program.ts'
import { Reporter } from '../reporter.ts'
import { serve } from '../serve.ts'

export const command: Command = {
  name: 'run',
  options: CHAIN_OPTION,
  async run(args) {
    const signal = shutdownSignal()
    const { config, origins, log } = openProgram(args)
    const database = await openDatabase(config, log)
    const metrics = new IndexerMetrics()
    const folder = databaseFolder(config)
    if (folder !== undefined) metrics.watchDisk(folder)
    const reporter = new Reporter(log)
    reporter.watchRelayers(database.url, origins.has('relay.gasUsdDay') ? config.relay.gasUsdDay : undefined)
    const jobs = startJobs({ databaseUrl: database.url, chains: config.chains, log, metrics: metrics.jobs })
    try {
      const server = await serve(config, database.url, log, { registries: [metrics.registry] })
      try {
        const onProgress = reporter.add.bind(reporter)
        await indexChains({
          chains: config.chains,
          evm: config.evm,
          databaseUrl: database.url,
          signal,
          log,
          metrics,
          onProgress,
        })
        // When a source ends (a recording), the API stays available.
        await aborted(signal)
      } finally {
        await server.close()
      }
    } finally {
      reporter.stop()
      await jobs.stop()
      await database.close()
    }
    return 0
  },
}
