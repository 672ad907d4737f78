// Entry of the package @headwater/cosign: the cosigner without the rest of the program.
import type { Config } from '../config/program-schema.ts'
import { UserError } from '../core/errors.ts'
import { checkCosignSchema } from '../cosign/check-schema.ts'
import type { Command } from './cli/command.ts'
import type { Database } from './database.ts'
import { loadForPackage, runPackage } from './package-main.ts'
import { COSIGN_OPTIONS, runCosigner } from './run-cosigner.ts'

const command: Command = {
  name: 'cosign',
  options: COSIGN_OPTIONS,
  help: 'Settings come from the environment: DATABASE_URL, HEADWATER_COSIGN_KEY_FILE and others. The README lists them.',
  run: (args) => runCosigner(args, { load: () => loadForPackage('cosign'), openDatabase }),
}

/** @throws UserError COSIGN_DATABASE, COSIGN_SCHEMA */
async function openDatabase({ database: url }: Config): Promise<Database> {
  if (url === undefined)
    throw new UserError('COSIGN_DATABASE', 'no database is configured', {
      hint: "set DATABASE_URL to Headwater's database: the limits are counted there",
    })
  await checkCosignSchema(url)
  return { url, close: async () => {} }
}

await runPackage(command, 'headwater-cosign', 'Signs transactions whose CPU the exchange pays.')
