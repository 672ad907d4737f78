// Writes the help texts of all commands into a JSON file, by name: `write-help.mjs FILE`. Run once by the build, so that
// `headwater COMMAND --help` does not have to load the command.
import { writeFileSync } from 'node:fs'
import type { Command } from './command.ts'
import { COMMANDS } from './commands.ts'
import { commandHelp } from './help.ts'

const texts: Record<string, string> = {}
for (const name of Object.keys(COMMANDS)) {
  const { command } = (await import(`../commands/${name}.ts`)) as { command: Command }
  texts[name] = commandHelp(command)
}
writeFileSync(process.argv[2] as string, JSON.stringify(texts))
// Modules of commands may keep the process alive.
process.exit(0)
