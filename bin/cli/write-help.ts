// Writes the help texts of all commands to a JSON file, by name: `write-help.mjs FILE`. The build runs it, so that
// `headwater COMMAND --help` need not load the command.
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
// The commands' modules may keep the process alive.
process.exit(0)
