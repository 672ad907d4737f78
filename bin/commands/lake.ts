// `headwater lake`: writes the final rows as Parquet files for DuckDB and other engines, or into ClickHouse.

import { connectClickHouse, parseClickHouse } from '../../indexer/lake/clickhouse/client.ts'
import { LakeClickHouse } from '../../indexer/lake/clickhouse/target.ts'
import { LakeFiles } from '../../indexer/lake/files.ts'
import { followLake } from '../../indexer/lake/follow.ts'
import { type LakeOptions, type LakeSummary, writeLake } from '../../indexer/lake/lake.ts'
import type { LakeTarget } from '../../indexer/lake/target.ts'
import { openStore } from '../../net/objects/open.ts'
import type { ObjectSettings } from '../../net/objects/s3-settings.ts'
import type { Arguments, Command } from '../cli/command.ts'
import { list, UsageError, wholeNumber } from '../cli/parse.ts'
import { shutdownSignal } from '../cli/shutdown.ts'
import { checkServer, startExisting } from '../database.ts'
import { chosenChains, openProgram } from '../program.ts'

/** Default pause between two rounds of --follow, seconds: rows are there a minute after their block is final. */
const EVERY_SECONDS = 20
/** Interval of log lines about a chain, ms. */
const LOG_EVERY_MS = 10_000

export const command: Command = {
  name: 'lake',
  options: {
    out: { type: 'string', short: 'o', value: 'ADDRESS', help: 'a folder, or s3://BUCKET/PREFIX' },
    clickhouse: {
      type: 'string',
      value: 'URL',
      help: 'instead of files: tables of ClickHouse, http://USER:PASSWORD@HOST:8123/DATABASE',
    },
    chain: {
      type: 'string',
      short: 'c',
      multiple: true,
      value: 'NAME',
      help: 'only this chain, by its name or its file; may be given again',
    },
    view: { type: 'string', multiple: true, value: 'VIEW', help: 'only this view, such as swaps; may be given again' },
    current: {
      type: 'boolean',
      help: 'also copy current rows, such as pools and markets; with --follow every ten minutes',
    },
    follow: { type: 'boolean', help: 'go on as blocks become final, with the hour that is not complete yet' },
    every: {
      type: 'string',
      value: 'SECONDS',
      help: `pause between two rounds of --follow; default: ${EVERY_SECONDS}`,
    },
  },
  help: `Goes on after the last block that is there. Files of complete hours never change. How they are read: docs/data/lake.md.`,
  async run(args) {
    const every = wholeNumber(args, 'every', 1) ?? EVERY_SECONDS
    const follow = args.values.follow === true
    const chains = chosenChains(args)
    const signal = shutdownSignal()
    const { config, log } = openProgram({ ...args, values: {} })
    const target = targetOf(args, { objects: config.objects, follow, signal })
    const database = await startExisting(config, log)
    try {
      await checkServer(database.url, 'read')
      const options: LakeOptions = {
        ...{ url: database.url, target, chains, views: list(args, 'view'), signal },
        current: args.values.current === true,
        onStep: throttled((chain, block, rows) => log.info('lake', { chain, block, rows })),
        onSkip: (views) =>
          log.warn('not copied: a replica of final rows does not have these views', { views: views.join(', ') }),
      }
      if (follow)
        await followLake({
          ...options,
          everyMs: every * 1000,
          onRetry: ({ code, message }) => log.warn('the lake waits', { code, reason: message }),
        })
      else process.stdout.write(text(target.address, await writeLake(options)))
    } finally {
      await database.close()
    }
    return 0
  },
}

/** @throws UsageError; UserError OBJECTS_ADDRESS, CLICKHOUSE_ADDRESS */
function targetOf(
  { values: { out, clickhouse } }: Arguments,
  { objects, follow, signal }: { objects: ObjectSettings; follow: boolean; signal: AbortSignal },
): LakeTarget {
  if ((out === undefined) === (clickhouse === undefined))
    throw new UsageError('--out or --clickhouse is needed, one of them', 'see `headwater lake --help`')
  if (typeof out === 'string') return new LakeFiles(openStore(out, objects), { withOpen: follow, signal })
  const address = parseClickHouse(String(clickhouse))
  return new LakeClickHouse(connectClickHouse(address, signal), address)
}

function text(address: string, summaries: readonly LakeSummary[]): string {
  const lines = summaries.map(({ chain, steps, rows, completeTo }) =>
    completeTo === null
      ? `${chain}: no complete hour yet`
      : `${chain}: complete up to block ${completeTo}; ${rows} rows written in ${steps} steps`,
  )
  return `${[address, ...lines].join('\n')}\n`
}

/** Calls `write` at most once per interval and chain, with the rows since the last call. */
function throttled(write: (chain: string, block: number, rows: number) => void): NonNullable<LakeOptions['onStep']> {
  const last = new Map<string, { at: number; rows: number }>()
  return (chain, { toBlock }, rows) => {
    const before = last.get(chain) ?? { at: Number.NEGATIVE_INFINITY, rows: 0 }
    before.rows += rows
    last.set(chain, before)
    if (performance.now() - before.at < LOG_EVERY_MS) return
    write(chain, toBlock, before.rows)
    last.set(chain, { at: performance.now(), rows: 0 })
  }
}
