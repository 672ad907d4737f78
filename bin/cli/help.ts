// Help texts, built from the commands' descriptions.
import type { Command } from './command.ts'
import { COMMANDS } from './commands.ts'

/**
 * @param call   how the command is called
 * @param about  description in one line
 */
export function commandHelp(
  command: Command,
  call = `headwater ${command.name}`,
  about = COMMANDS[command.name],
): string {
  const rows = Object.entries(command.options).map(([name, option]) => {
    const value = option.type === 'string' ? ` ${option.value ?? 'VALUE'}` : ''
    return [`${option.short ? `-${option.short}, ` : '    '}--${name}${value}`, option.help] as const
  })
  const usage = `${call}${command.positionals ? ` ${command.positionals}` : ''}${rows.length ? ' [options]' : ''}`
  const parts = [`${about}\n\nUsage: ${usage}`]
  if (rows.length > 0) parts.push(`Options:\n${table(rows)}`)
  if (command.help !== undefined) parts.push(command.help)
  return `${parts.join('\n\n')}\n`
}

export function programHelp(): string {
  return `Headwater: open data of an Antelope exchange and its bridge.

Usage: headwater COMMAND [options]
       headwater --version

Commands:
${table(Object.entries(COMMANDS))}

\`headwater COMMAND --help\` says more. Settings come from config/*.json and the environment: docs/operate/configuration.md.
`
}

/** Two columns, the first as wide as its longest cell. */
export function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}
