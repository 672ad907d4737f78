// Main function of a package that runs one command alone: @headwater/cosign, @headwater/relay. Such a package needs a
// database that `headwater` has migrated, and starts none.
import { readFileSync } from 'node:fs'
import { loadConfig, type PackageName } from '../config/load.ts'
import type { Command } from './cli/command.ts'
import { reportFailure } from './cli/failure.ts'
import { commandHelp } from './cli/help.ts'
import { createLog, type Log } from './cli/log.ts'
import { parseArguments } from './cli/parse.ts'
import { handleStrayErrors } from './cli/process-errors.ts'

const VERSION = { version: { type: 'boolean', short: 'v', help: 'print the version, and end' } } as const

/** Configuration of the environment, and a log. @throws UserError INVALID_CONFIG */
export function loadForPackage(forPackage: PackageName): { config: ReturnType<typeof loadConfig>['config']; log: Log } {
  const { config } = loadConfig({ env: process.env, forPackage })
  return { config, log: createLog(config.logLevel) }
}

/**
 * Runs the command with the arguments of this process, and ends the process.
 *
 * @param name   of the program: `headwater-cosign`
 * @param about  first line of the help
 */
export async function runPackage(command: Command, name: string, about: string): Promise<never> {
  return process.exit(await main(command, name, about).catch(reportFailure))
}

async function main(given: Command, name: string, about: string): Promise<number> {
  const command = { ...given, options: { ...given.options, ...VERSION } }
  const args = parseArguments(command, process.argv.slice(2), name)
  if (args.values.version === true) {
    // Next to dist/ in the published package.
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    process.stdout.write(`${name} ${(JSON.parse(manifest) as { version: string }).version}\n`)
    return 0
  }
  if (args.values.help === true) {
    process.stdout.write(commandHelp(command, name, about))
    return 0
  }
  handleStrayErrors()
  return (await command.run(args)) ?? 0
}
