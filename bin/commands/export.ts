// `headwater export VIEW`: rows of the SQL interface into a file.
import { extname } from 'node:path'
import { exportView, FORMATS, type Format } from '../../indexer/export/export.ts'
import type { Arguments, Command } from '../cli/command.ts'
import { UsageError, wholeNumber } from '../cli/parse.ts'
import { openDatabase } from '../database.ts'
import { openProgram } from '../program.ts'

export const command: Command = {
  name: 'export',
  summary: 'write rows of a view to a CSV or Parquet file',
  positionals: 'VIEW',
  options: {
    out: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'the file; its ending chooses the format unless --format does',
    },
    format: { type: 'string', value: 'FORMAT', help: FORMATS.join(' or ') },
    chain: { type: 'string', short: 'c', value: 'NAME', help: 'only this chain' },
    'from-block': { type: 'string', value: 'BLOCK', help: 'only from this block on' },
    'to-block': { type: 'string', value: 'BLOCK', help: 'only up to this block' },
    from: { type: 'string', value: 'TIME', help: 'only from this time on, ISO 8601' },
    to: { type: 'string', value: 'TIME', help: 'only before this time, ISO 8601' },
  },
  help: 'VIEW is head.swaps, final.swaps, or swaps for the final one; docs/data-dictionary.md lists them.',
  async run(args) {
    const out = args.values.out as string | undefined
    if (out === undefined) throw new UsageError('--out is needed', 'see `headwater export --help`')
    const format = formatOf((args.values.format as string | undefined) ?? extname(out).slice(1))
    const selection = {
      chain: args.values.chain as string | undefined,
      fromBlock: wholeNumber(args, 'from-block'),
      toBlock: wholeNumber(args, 'to-block'),
      from: time(args, 'from'),
      to: time(args, 'to'),
    }
    const { config, log } = openProgram({ ...args, values: {} })
    const database = await openDatabase(config, log)
    try {
      const rows = await exportView({
        url: database.url,
        view: args.positionals[0] as string,
        format,
        out,
        ...selection,
      })
      process.stdout.write(`${out}: ${rows} rows\n`)
    } finally {
      await database.close()
    }
    return 0
  },
}

function formatOf(text: string): Format {
  const format = FORMATS.find((known) => known === text)
  if (format === undefined)
    throw new UsageError(`unknown format ${text || '(none)'}`, `give --format ${FORMATS.join(' or ')}`)
  return format
}

function time(args: Arguments, name: string): Date | undefined {
  const text = args.values[name]
  if (typeof text !== 'string') return undefined
  const value = new Date(text)
  if (Number.isNaN(value.getTime()))
    throw new UsageError(`--${name} must be a time such as 2026-01-31T12:00:00Z, not ${text}`, 'correct the option')
  return value
}
