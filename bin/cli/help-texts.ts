// The texts of bin/help.json, which the entry prints without building or loading the program.
import type { Command } from './command.ts'
import { COMMANDS } from './commands.ts'
import { commandHelp, programHelp } from './help.ts'

export async function helpTexts(): Promise<{ program: string; commands: Record<string, string> }> {
  const commands: Record<string, string> = {}
  for (const name of Object.keys(COMMANDS)) {
    const { command } = (await import(`../commands/${name}.ts`)) as { command: Command }
    commands[name] = commandHelp(command)
  }
  return { program: programHelp(), commands }
}
