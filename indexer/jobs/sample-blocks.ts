// Measures how much time and disk blocks take: indexes samples of a chain into a database that is dropped afterwards.
import pg from 'pg'
import { UserError } from '../../core/errors.ts'
import { migrate } from '../../migrations/migrate.ts'
import { openClient, writerUrl } from '../../net/postgres.ts'
import { type IndexOptions, indexChain } from '../run.ts'
import { type BlockRange, splitRange } from '../source/ranges.ts'
import type { SourceStats } from '../source/stats.ts'
import { INSUFFICIENT_PRIVILEGE } from './boss.ts'
import { CHAIN_BYTES } from './sql.ts'

export interface SampleOptions
  extends Omit<IndexOptions, 'chain' | 'databaseUrl' | 'events' | 'source' | 'startBlock' | 'endBlock'> {
  /** A database on the server to measure. Another one is made there, and dropped. */
  databaseUrl: string
  /** The blocks that are planned. */
  range: BlockRange
  source: IndexOptions['source'] & { readonly stats: SourceStats }
  /** Number of samples, spread evenly. Default 8. */
  samples?: number
  /** Blocks of a sample. Default 500. */
  sampleBlocks?: number
}

/** Sums over the samples. */
export interface Sampled {
  blocks: number
  /** Content of the blocks, bytes. */
  bytes: number
  ledgerRows: number
  /** Seconds spent in this process, reading included. */
  readSeconds: number
  /** Seconds spent in the database server. */
  writeSeconds: number
  /** Growth of the tables of history with all indexes, bytes. Current rows are not part of it: their number has a limit. */
  diskBytes: number
}

const NOTHING: Sampled = { blocks: 0, bytes: 0, ledgerRows: 0, readSeconds: 0, writeSeconds: 0, diskBytes: 0 }

/** The blocks to measure: evenly spread, all if there are few. */
export function sampleRanges({ from, to }: BlockRange, samples: number, blocks: number): BlockRange[] {
  if (to - from + 1 <= samples * blocks) return splitRange({ from, to }, blocks)
  const step = (to - from + 1 - blocks) / Math.max(1, samples - 1)
  return Array.from({ length: samples }, (_, index) => {
    const first = from + Math.floor(index * step)
    return { from: first, to: first + blocks - 1 }
  })
}

/** @throws UserError SCRATCH_DATABASE, errors of the source; retryable errors are thrown */
export async function sampleBlocks(options: SampleOptions): Promise<Sampled> {
  const { range, samples = 8, sampleBlocks: blocks = 500 } = options
  return withScratchDatabase(options.databaseUrl, async (databaseUrl) => {
    let sum = NOTHING
    for (const sample of sampleRanges(range, samples, blocks)) {
      const found = await measure({ ...options, databaseUrl }, sample)
      sum = Object.fromEntries(
        Object.entries(sum).map(([name, value]) => [name, value + found[name as keyof Sampled]]),
      ) as unknown as Sampled
      if (options.signal.aborted) break
    }
    return sum
  })
}

/** Each sample is a chain of its own. */
async function measure(options: SampleOptions, { from, to }: BlockRange): Promise<Sampled> {
  const { databaseUrl, source } = options
  const chain = `sample${from}`
  const client = openClient({ connectionString: databaseUrl, application_name: 'headwater plan' })
  await client.connect()
  try {
    await client.query('select meta.add_chain($1)', [chain])
    const sizeOf = async (): Promise<number> => Number((await client.query(CHAIN_BYTES, [chain])).rows[0].bytes)
    const empty = await sizeOf()
    const found = { ...NOTHING }
    const { bytes } = source.stats
    let waited = source.stats.waitSeconds
    await indexChain({
      ...options,
      chain,
      startBlock: from,
      endBlock: to,
      events: {
        opened: () => {},
        forked: () => {},
        retrying: (error) => {
          throw error
        },
        decoded: (seconds) => {
          found.readSeconds += seconds
        },
        committed(_last, blocks, { rows, seconds }) {
          found.blocks += blocks
          for (const [table, count] of rows) if (table.startsWith('ledger.')) found.ledgerRows += count
          found.writeSeconds += seconds.copy + seconds.state + seconds.candles + seconds.commit
        },
      },
    })
    waited = source.stats.waitSeconds - waited
    found.readSeconds += waited
    found.bytes = source.stats.bytes - bytes
    found.diskBytes = Math.max(0, (await sizeOf()) - empty)
    return found
  } finally {
    await client.end()
  }
}

/** Makes a migrated database on the same server for the work, and drops it. */
async function withScratchDatabase<T>(address: string, work: (url: string) => Promise<T>): Promise<T> {
  const databaseUrl = await writerUrl(address)
  const name = `headwater_plan_${process.pid}`
  const admin = openClient({ connectionString: databaseUrl, application_name: 'headwater plan' })
  await admin.connect()
  try {
    await admin.query(`create database ${name}`).catch((cause: unknown) => {
      throw cause instanceof pg.DatabaseError && cause.code === INSUFFICIENT_PRIVILEGE
        ? mayNotCreate(databaseUrl, cause)
        : cause
    })
    try {
      const url = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href
      await migrate(url)
      return await work(url)
    } finally {
      await admin.query(`drop database ${name} with (force)`)
    }
  } finally {
    await admin.end()
  }
}

function mayNotCreate(databaseUrl: string, cause: Error): UserError {
  const login = pg.escapeIdentifier(decodeURIComponent(new URL(databaseUrl).username))
  return new UserError('SCRATCH_DATABASE', 'a plan is measured in a database of its own, which may not be created', {
    hint: `let an administrator run: alter role ${login} createdb;`,
    cause,
  })
}
