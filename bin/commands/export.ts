// `headwater export VIEW`: writes rows of the SQL interface to a file, or to a folder of files.
import { extname } from 'node:path'
import { exportView, FORMATS, type Format } from '../../indexer/export/export.ts'
import { exportParts } from '../../indexer/export/parts.ts'
import type { Selection } from '../../indexer/export/sql.ts'
import type { Arguments, Command } from '../cli/command.ts'
import { UsageError, wholeNumber } from '../cli/parse.ts'
import { checkServer, startExisting } from '../database.ts'
import { chosenChain, openProgram } from '../program.ts'

/** Interval of progress lines, ms. */
const REPORT_EVERY_MS = 5000

export const command: Command = {
  name: 'export',
  positionals: 'VIEW',
  options: {
    out: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'the file; its ending chooses the format unless --format does. With --blocks-per-file, a folder',
    },
    format: { type: 'string', value: 'FORMAT', help: FORMATS.join(' or ') },
    chain: { type: 'string', short: 'c', value: 'NAME', help: 'only this chain, by its name or its file' },
    'from-block': { type: 'string', value: 'BLOCK', help: 'only from this block on' },
    'to-block': { type: 'string', value: 'BLOCK', help: 'only up to this block' },
    from: { type: 'string', value: 'TIME', help: 'only from this time on, ISO 8601' },
    to: { type: 'string', value: 'TIME', help: 'only before this time, ISO 8601' },
    'blocks-per-file': {
      type: 'string',
      value: 'N',
      help: 'a file for each N final blocks; a manifest in the folder says what is there already',
    },
  },
  help: 'VIEW is head.swaps, final.swaps, or swaps for the final one; docs/data/data-dictionary.md lists them.',
  async run(args) {
    const out = args.values.out as string | undefined
    if (out === undefined) throw new UsageError('--out is needed', 'see `headwater export --help`')
    const blocksPerFile = wholeNumber(args, 'blocks-per-file', 1)
    const format = formatOf(
      (args.values.format as string | undefined) ?? (blocksPerFile ? 'parquet' : extname(out).slice(1)),
    )
    const selection = {
      chain: chosenChain(args),
      fromBlock: wholeNumber(args, 'from-block'),
      toBlock: wholeNumber(args, 'to-block'),
      from: time(args, 'from'),
      to: time(args, 'to'),
    }
    const { config, log } = openProgram({ ...args, values: {} })
    // The schema is not migrated: a login with read rights is enough.
    const database = await startExisting(config, log)
    try {
      await checkServer(database.url, 'read')
      const view = args.positionals[0] as string
      const target = { url: database.url, view, format, out }
      const summary =
        blocksPerFile === undefined
          ? await exportOne({
              ...target,
              ...selection,
              onRows: progress((rows) => log.info('exports', { view, rows })),
            })
          : await exportMany({
              ...target,
              ...parts(selection),
              blocksPerFile,
              onFile: (name, rows) => log.info('wrote', { name, rows }),
            })
      process.stdout.write(`${summary}\n`)
    } finally {
      await database.close()
    }
    return 0
  },
}

async function exportOne(options: Parameters<typeof exportView>[0]): Promise<string> {
  return `${options.out}: ${await exportView(options)} rows`
}

async function exportMany(options: Parameters<typeof exportParts>[0]): Promise<string> {
  const { written, kept, rows, nextBlock } = await exportParts(options)
  return `${options.out}: ${written} files written with ${rows} rows, ${kept} were there; the next block is ${nextBlock}`
}

function parts({ chain, fromBlock, toBlock, from, to }: Selection): {
  chain: string
  fromBlock?: number
  toBlock?: number
} {
  if (chain === undefined) throw new UsageError('--chain is needed', 'files are of the blocks of one chain')
  if (from !== undefined || to !== undefined)
    throw new UsageError('--from and --to do not go with --blocks-per-file', 'give --from-block and --to-block')
  return { chain, fromBlock, toBlock }
}

/** Calls `report` at most once per interval. */
function progress(report: (rows: number) => void): (rows: number) => void {
  let last = performance.now()
  return (rows) => {
    if (performance.now() - last < REPORT_EVERY_MS) return
    last = performance.now()
    report(rows)
  }
}

function formatOf(text: string): Format {
  const format = FORMATS.find((known) => known === text)
  if (format === undefined)
    throw new UsageError(`unknown format ${text || '(none)'}`, `give --format ${FORMATS.join(' or ')}`)
  return format
}

const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?))?(Z|[+-]\d\d:\d\d)?$/

function time(args: Arguments, name: string): Date | undefined {
  const text = args.values[name]
  if (typeof text !== 'string') return undefined
  // Times without an offset are UTC, in any time zone.
  const [, date, clock = '00:00', offset = 'Z'] = ISO_TIME.exec(text) ?? []
  const value = new Date(date === undefined ? Number.NaN : `${date}T${clock}${offset}`)
  if (Number.isNaN(value.getTime()))
    throw new UsageError(`--${name} must be a time such as 2026-01-31T12:00:00Z, not ${text}`, 'correct the option')
  return value
}
