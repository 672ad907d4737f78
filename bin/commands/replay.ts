// `headwater replay FILE`: indexes all blocks of a recording.
import { chainSettings } from '../../config/environment.ts'
import { chainFiles, configuredEntry, isChainFile } from '../../config/load.ts'
import { UserError } from '../../core/errors.ts'
import { countHours } from '../../indexer/derive/hours/count.ts'
import { IndexerMetrics } from '../../indexer/operate/metrics.ts'
import { checkRecording } from '../../indexer/source/recording.ts'
import type { Command } from '../cli/command.ts'
import { shutdownSignal } from '../cli/shutdown.ts'
import { openDatabase } from '../database.ts'
import { indexChains } from '../index-chains.ts'
import { chosenChain, openProgram } from '../program.ts'
import { Reporter } from '../reporter.ts'

/**
 * A chain's file is its own profile. A chain that HEADWATER_CHAINS or a variable of its own configures uses its own settings; any other uses the development
 * profile.
 */
function defaultProfile(chain: string | undefined): string {
  if (chain === undefined) return 'dev'
  if (isChainFile(chain)) return chain
  const entry = configuredEntry(chain, process.env)
  if (entry !== undefined) return entry
  if (!chainFiles().includes(chain)) return 'dev'
  return chainSettings(chain).some(({ env }) => (process.env[env] ?? '') !== '') ? chain : 'dev'
}

export const command: Command = {
  name: 'replay',
  positionals: 'FILE',
  options: {
    chain: {
      type: 'string',
      short: 'c',
      value: 'NAME',
      help: 'name of the chain in the database, or a file for it; default: dev',
    },
    profile: {
      type: 'string',
      value: 'NAME',
      help: 'configuration to use (config/NAME.json, or a file); default: that of the chain if the environment configures it, else dev',
    },
  },
  help: 'Continues after the last block in the database. Ends with 0 when the whole recording is indexed.',
  async run(args) {
    const signal = shutdownSignal()
    const file = args.positionals[0] as string
    const chain = chosenChain(args)
    const profile =
      (args.values.profile as string | undefined) ?? defaultProfile(args.values.chain as string | undefined)
    const { config, log } = openProgram(
      { ...args, values: {} },
      { program: { chains: [profile] }, rename: chain, chain: { source: { kind: 'replay', file } as never } },
    )
    log.info('uses the profile', { profile })
    // A wrong path is said before a database starts.
    await checkRecording(file)
    const database = await openDatabase(config, log)
    const reporter = new Reporter(log)
    try {
      const chains = config.chains.map((settings) => ({ ...settings, chainId: undefined }))
      const options = { chains, databaseUrl: database.url, signal, log, metrics: new IndexerMetrics() }
      const started = performance.now()
      const positions = await indexChains({ ...options, onProgress: reporter.add.bind(reporter) })
      reporter.stop()
      const seconds = Math.round(performance.now() - started) / 1000
      for (const [name, position] of positions) {
        if (position === null)
          throw new UserError(
            'NOTHING_INDEXED',
            `${name}: ${signal.aborted ? 'stopped before the first block' : `no block in ${file}`}`,
          )
        // No scheduler runs here: irreversible hours are counted at once.
        await countHours({ chain: name, databaseUrl: database.url })
        process.stdout.write(`${name}: indexed up to block ${position.num} ${position.id} in ${seconds} s\n`)
      }
      return signal.aborted ? 130 : 0
    } finally {
      reporter.stop()
      await database.close()
    }
  },
}
