// The command line: finds the command, parses its arguments, runs it and exits with its code.
import { suggest } from '../config/suggest.ts'
import type { Command } from './cli/command.ts'
import { COMMANDS } from './cli/commands.ts'
import { reportFailure } from './cli/failure.ts'
import { commandHelp, programHelp } from './cli/help.ts'
import { parseArguments, UsageError } from './cli/parse.ts'

/** Loads a command on demand: its help does not load the others. */
async function load(name: string): Promise<Command> {
  return ((await import(`./commands/${name}.ts`)) as { command: Command }).command
}

async function main([name, ...rest]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(programHelp())
    return name === undefined ? 2 : 0
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    const meant = suggest(name, Object.keys(COMMANDS))
    throw new UsageError(
      `unknown command ${name}`,
      meant === undefined ? 'see `headwater --help`' : `did you mean ${meant}?`,
    )
  }
  const command = await load(name)
  const args = parseArguments(command, rest)
  if (args.values.help === true) {
    process.stdout.write(commandHelp(command))
    return 0
  }
  // Loaded after the help texts, which need no database driver.
  const { handleStrayErrors } = await import('./cli/process-errors.ts')
  handleStrayErrors()
  return (await command.run(args)) ?? 0
}

process.exit(await main(process.argv.slice(2)).catch(reportFailure))
