// `headwater relay`: the relayer of the bridge in its own process, the only one that reads its keys.
import { startRelayer } from '../../relay/start.ts'
import { relayStatus, statusText, switchRelayers } from '../../relay/status.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { UsageError } from '../cli/parse.ts'
import { aborted, shutdownSignal } from '../cli/shutdown.ts'
import { openDatabase, runningDatabase } from '../database.ts'
import { openProgram } from '../program.ts'

export const command: Command = {
  name: 'relay',
  positionals: '[status]',
  options: {
    ...CHAIN_OPTION,
    'dry-run': { type: 'boolean', help: 'choose and simulate, and send nothing' },
    off: { type: 'boolean', help: 'switch every relayer of this database off, and end' },
    on: { type: 'boolean', help: 'switch them on again, and end' },
    json: { type: 'boolean', help: 'the status as JSON' },
  },
  help: 'The keys are in the files of relay.evmKeyFile and relay.antelopeKeyFile, or at signers. `relay status` shows what was sent, earned and refused. docs/operate/relayer.md describes the set-up.',
  async run(args) {
    const { on, off, json } = args.values
    const [word, ...others] = args.positionals
    if (others.length > 0 || (word !== undefined && word !== 'status'))
      throw new UsageError(`relay takes no ${args.positionals.join(' ')}`, 'the only word is `status`')
    if (on === true && off === true) throw new UsageError('--on and --off exclude each other', 'give one of them')
    const signal = shutdownSignal()
    // If a parent process of ours has started it, it ends with the parent.
    process.once('disconnect', () => process.exit(0))
    process.channel?.unref()
    const { config, log } = openProgram(args)
    // The switch and the status start and migrate nothing: they work next to a process of another version.
    if (on === true || off === true) {
      await switchRelayers(runningDatabase(config), on === true)
      process.stdout.write(`relayers are switched ${on === true ? 'on' : 'off'}\n`)
      return 0
    }
    if (word === 'status') {
      const status = await relayStatus(runningDatabase(config))
      process.stdout.write(json === true ? `${JSON.stringify(status, null, 2)}\n` : statusText(status))
      return 0
    }
    const database = await openDatabase(config, log)
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
  },
}
