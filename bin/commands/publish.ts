// `headwater publish`: appends irreversible rows for replicas.
import { publishFinal } from '../../indexer/publish/publish.ts'
import type { Command } from '../cli/command.ts'
import { shutdownSignal } from '../cli/shutdown.ts'
import { openDatabase } from '../database.ts'
import { openProgram } from '../program.ts'

export const command: Command = {
  name: 'publish',
  options: { once: { type: 'boolean', help: 'append what there is, and end' } },
  help: 'Runs next to the indexer, for all chains of the database. How replicas are set up: docs/operate/replication.md.',
  async run(args) {
    const signal = shutdownSignal()
    const { config, log } = openProgram({ ...args, values: {} })
    const database = await openDatabase(config, log)
    try {
      await publishFinal({
        databaseUrl: database.url,
        signal,
        once: args.values.once === true,
        onAppended: throttled((chain, block) => log.info('appended', { chain, block })),
        onRetry: ({ code, message }) => log.warn('publishing waits for the database', { code, reason: message }),
      })
    } finally {
      await database.close()
    }
    return 0
  },
}

/** Interval of log lines about a chain, ms. */
const LOG_EVERY_MS = 60_000

function throttled(write: (chain: string, block: number) => void): (chain: string, block: number) => void {
  const written = new Map<string, number>()
  return (chain, block) => {
    if (performance.now() - (written.get(chain) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return
    written.set(chain, performance.now())
    write(chain, block)
  }
}
