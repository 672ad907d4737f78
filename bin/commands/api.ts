// `headwater api`: only the API, next to an indexer that writes the same database.
import { processMetrics } from '../../api/operate/process-metrics.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { aborted, shutdownSignal } from '../cli/shutdown.ts'
import { openDatabase } from '../database.ts'
import { openProgram } from '../program.ts'
import { serve } from '../serve.ts'

export const command: Command = {
  name: 'api',
  options: CHAIN_OPTION,
  async run(args) {
    const signal = shutdownSignal()
    const { config, log } = openProgram(args)
    const database = await openDatabase(config, log, 'statements')
    try {
      const server = await serve(config, database.url, log, { registries: [processMetrics()] })
      await aborted(signal)
      await server.close()
    } finally {
      await database.close()
    }
    return 0
  },
}
