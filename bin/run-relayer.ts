// Runs the relayer until the process should end, shows what it did, or switches relayers on or off. Shared by `headwater
// relay` and the package of the relayer (bin/relay.ts).
import type { Config } from '../config/program-schema.ts'
import { startRelayer } from '../relay/start.ts'
import { relayStatus, statusText, switchRelayers } from '../relay/status.ts'
import type { Arguments, Option } from './cli/command.ts'
import type { Log } from './cli/log.ts'
import { UsageError } from './cli/parse.ts'
import { aborted, shutdownSignal } from './cli/shutdown.ts'
import type { Database } from './database.ts'

export const RELAY_OPTIONS: Record<string, Option> = {
  'dry-run': { type: 'boolean', help: 'choose and simulate, and send nothing' },
  off: { type: 'boolean', help: 'switch every relayer of this database off, and end' },
  on: { type: 'boolean', help: 'switch them on again, and end' },
  json: { type: 'boolean', help: 'the status as JSON' },
}

export interface RelayProgram {
  load(): { config: Config; log: Log }
  openDatabase(config: Config, log: Log): Promise<Database>
  /** Address of the database as it is. Starts and migrates nothing. */
  runningDatabase(config: Config): string
}

/** @throws UsageError, and UserError of the configuration, the database, the keys and the nodes */
export async function runRelayer(args: Arguments, program: RelayProgram): Promise<number> {
  const { on, off, json } = args.values
  const [word, ...others] = args.positionals
  if (others.length > 0 || (word !== undefined && word !== 'status'))
    throw new UsageError(`relay takes no ${args.positionals.join(' ')}`, 'the only word is `status`')
  if (on === true && off === true) throw new UsageError('--on and --off exclude each other', 'give one of them')
  const signal = shutdownSignal()
  // If a parent process of ours has started it, it ends with the parent.
  process.once('disconnect', () => process.exit(0))
  process.channel?.unref()
  const { config, log } = program.load()
  // The switch and the status start and migrate nothing: they work next to a process of another version.
  if (on === true || off === true) {
    await switchRelayers(program.runningDatabase(config), on === true)
    process.stdout.write(`relayers are switched ${on === true ? 'on' : 'off'}\n`)
    return 0
  }
  if (word === 'status') {
    const status = await relayStatus(program.runningDatabase(config))
    process.stdout.write(json === true ? `${JSON.stringify(status, null, 2)}\n` : statusText(status))
    return 0
  }
  const database = await program.openDatabase(config, log)
  try {
    const dryRun = config.relay.dryRun || args.values['dry-run'] === true
    const relay = { ...config.relay, dryRun }
    const relayer = await startRelayer({ config: { ...config, relay }, databaseUrl: database.url, log })
    await Promise.race([aborted(signal), relayer.done])
    await relayer.close()
    await relayer.done
  } finally {
    await database.close()
  }
  return 0
}
