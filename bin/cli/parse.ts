// Parses a command's arguments. A mistake is a user error with a suggestion.
import { parseArgs } from 'node:util'
import { suggest } from '../../config/suggest.ts'
import { UserError } from '../../core/errors.ts'
import { type Arguments, type Command, parseOptions } from './command.ts'

/** A wrong command line: the program exits with code 2. */
export class UsageError extends UserError {
  constructor(message: string, hint: string) {
    super('USAGE', message, { hint })
  }
}

/**
 * @param usage  how the command is called
 * @throws UsageError for an unknown option, a missing value or a superfluous argument
 */
export function parseArguments(command: Command, args: string[], usage = `headwater ${command.name}`): Arguments {
  const hint = `see \`${usage} --help\``
  let parsed: Arguments
  try {
    const { values, positionals } = parseArgs({ args, options: parseOptions(command), allowPositionals: true })
    parsed = { values: values, positionals }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const option = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /'(--?[^']+)'/.exec(message)?.[1]
    if (!option) throw new UsageError((message.split('\n')[0] as string).replace(/\.$/, ''), hint)
    const meant = suggest(option.replace(/^-+/, ''), [...Object.keys(command.options), 'help'])
    throw new UsageError(`unknown option ${option}`, meant === undefined ? hint : `did you mean --${meant}?`)
  }
  const names = command.positionals?.split(' ') ?? []
  const extra = names.at(-1)?.endsWith('...') ? undefined : parsed.positionals[names.length]
  if (extra !== undefined) throw new UsageError(`unexpected argument ${extra}`, hint)
  const isNeeded = command.positionals !== undefined && !command.positionals.startsWith('[')
  if (isNeeded && parsed.positionals.length === 0 && parsed.values.help !== true)
    throw new UsageError(`${command.positionals} is missing`, hint)
  return parsed
}

/** Value of an integer option; undefined when not given. */
export function wholeNumber(args: Arguments, name: string, minimum = 0): number | undefined {
  const text = args.values[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (typeof text === 'string' && /^\d+$/.test(text) && value >= minimum && Number.isSafeInteger(value)) return value
  throw new UsageError(`--${name} must be a whole number of at least ${minimum}, not ${text}`, 'correct the option')
}

/** All values of a repeatable option; undefined when not given. */
export function list(args: Arguments, name: string): string[] | undefined {
  const values = args.values[name]
  return Array.isArray(values) ? values.flatMap((value) => value.split(',')) : undefined
}
