// Type of a command.
import type { ParseArgsConfig } from 'node:util'

export interface Option {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  help: string
  /** Name of the value in the help text: `FILE`. */
  value?: string
}

export interface Arguments {
  values: Record<string, string | boolean | string[] | undefined>
  positionals: string[]
}

export interface Command {
  name: string
  /** Positional arguments as the help shows them: `FILE`, `check FILE`, `[WORD]` for one that may be left out, or with `...` at the end any number; absent: none. */
  positionals?: string
  options: Record<string, Option>
  /** Further help text, in paragraphs. */
  help?: string
  /** @returns the exit code; default 0 */
  run(args: Arguments): Promise<number | undefined>
}

/** Options that select chains, for most commands. */
export const CHAIN_OPTION: Record<string, Option> = {
  chain: {
    type: 'string',
    short: 'c',
    multiple: true,
    value: 'NAME',
    help: 'chain to work on, or a file for it; may be given again',
  },
}

export function parseOptions(command: Command): ParseArgsConfig['options'] {
  const help = { type: 'boolean', short: 'h' } as const
  const options = Object.entries(command.options).map(([name, { type, short, multiple }]) => [
    name,
    { type, ...(short ? { short } : {}), ...(multiple ? { multiple } : {}) },
  ])
  return { ...Object.fromEntries(options), help }
}
