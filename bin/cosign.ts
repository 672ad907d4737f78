// Entry of the package @headwater/cosign: the cosigner without the rest of the program. It needs a database that
// `headwater` has migrated, and starts none.
import { readFileSync } from 'node:fs'
import { loadConfig } from '../config/load.ts'
import type { Config } from '../config/program-schema.ts'
import { UserError } from '../core/errors.ts'
import { checkCosignSchema } from '../cosign/check-schema.ts'
import type { Command } from './cli/command.ts'
import { reportFailure } from './cli/failure.ts'
import { commandHelp } from './cli/help.ts'
import { createLog } from './cli/log.ts'
import { parseArguments } from './cli/parse.ts'
import { handleStrayErrors } from './cli/process-errors.ts'
import type { Database } from './database.ts'
import { COSIGN_OPTIONS, runCosigner } from './run-cosigner.ts'

const NAME = 'headwater-cosign'
const ABOUT = 'Signs transactions whose CPU the exchange pays.'

const command: Command = {
  name: 'cosign',
  options: { ...COSIGN_OPTIONS, version: { type: 'boolean', short: 'v', help: 'print the version, and end' } },
  help: 'Settings come from the environment: DATABASE_URL, HEADWATER_COSIGN_KEY_FILE and others. The README lists them.',
  run: (args) => runCosigner(args, { load, openDatabase }),
}

function load() {
  const { config } = loadConfig({ env: process.env, cosignerOnly: true })
  return { config, log: createLog(config.logLevel) }
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

async function main(words: string[]): Promise<number> {
  const args = parseArguments(command, words, NAME)
  if (args.values.version === true) {
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    process.stdout.write(`${NAME} ${(JSON.parse(manifest) as { version: string }).version}\n`)
    return 0
  }
  if (args.values.help === true) {
    process.stdout.write(commandHelp(command, NAME, ABOUT))
    return 0
  }
  handleStrayErrors()
  return (await command.run(args)) ?? 0
}

process.exit(await main(process.argv.slice(2)).catch(reportFailure))
