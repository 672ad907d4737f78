// Entry of the package @headwater/relay: the relayer without the rest of the program.
import type { Config } from '../config/program-schema.ts'
import { UserError } from '../core/errors.ts'
import type { Command } from './cli/command.ts'
import { loadForPackage, runPackage } from './package-main.ts'
import { RELAY_OPTIONS, runRelayer } from './run-relayer.ts'

const command: Command = {
  name: 'relay',
  positionals: '[status]',
  options: RELAY_OPTIONS,
  help: 'Settings come from the environment: DATABASE_URL, HEADWATER_RELAY_EVM_KEY_FILE and others. The README lists them. `headwater-relay status` shows what was sent, earned and refused.',
  run: (args) =>
    runRelayer(args, {
      load: () => loadForPackage('relay'),
      openDatabase: async (config) => ({ url: databaseOf(config), close: async () => {} }),
      runningDatabase: databaseOf,
    }),
}

/** The journal checks the tables when it connects. @throws UserError RELAY_DATABASE */
function databaseOf({ database }: Config): string {
  if (database !== undefined) return database
  throw new UserError('RELAY_DATABASE', 'no database is configured', {
    hint: "set DATABASE_URL to Headwater's database: transactions are written there before they are sent",
  })
}

await runPackage(
  command,
  'headwater-relay',
  'Credits, releases and settles what the bridge lists as pending, with keys of your own.',
)
