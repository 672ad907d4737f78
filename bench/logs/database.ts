// A node's logs into PostgreSQL: two workers on all cores, and the same job with its server held to one core; with and
// without digests of actions. The rows must be the same in all runs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { BlockRange } from '../../indexer/source/ranges.ts'
import type { DatabaseDigest } from '../support/table-digest.ts'
import { buildBackfill } from './built.ts'

interface Outcome {
  /** Of the whole, indexes included. */
  seconds: number
  /** Of building the secondary indexes at the end. */
  indexes: number
  /** Of a processor. */
  cpu: { program: number; server: number }
  /** Of the ledger, without those of the setup. */
  rows: number
  /** Candles and scores, which the bare COPY does not write. */
  derived: number
  /** Of all tables. */
  digest: DatabaseDigest
  /** Times of a processor: `own` here, and in the server. */
  bare: { rows: number; seconds: number; own: number; server: number; rowsPerSecond: number }
}

/** Long enough to make the start of a range cheap, short enough that no process waits long for the first and the last. */
const MAX_RANGE_BLOCKS = 5000

/**
 * @param setup  logs of the blocks before the measured ones
 * @param logs   of all blocks
 */
export async function intoDatabase(setup: string, logs: string, { from, to }: BlockRange): Promise<void> {
  const blocks = to - from + 1
  const args = [setup, logs, String(Math.min(Math.ceil(blocks / 8), MAX_RANGE_BLOCKS))]
  const built = await buildBackfill()
  try {
    console.log('  into PostgreSQL, its server included, two workers, candles and indexes of a backfill')
    const checked = await measure(built.path, [...args, 'digests'], blocks)
    const unchecked = await measure(built.path, [...args, 'plain'], blocks)
    if (checked !== unchecked) throw new Error(`the tables differ: ${checked} with digests, ${unchecked} without`)
  } finally {
    built.remove()
  }
}

/** @returns the digest of the tables */
async function measure(path: string, args: string[], blocks: number): Promise<string> {
  const all = await run([], path, args)
  const one = await run(['taskset', '-c', '0'], path, args)
  if (all.digest.sha256 !== one.digest.sha256) throw new Error('the tables of the two runs differ')
  const rate = all.rows / all.seconds
  const ofBare = (100 * rate) / all.bare.rowsPerSecond
  const { own, server } = all.bare
  const lines: [name: string, text: string][] = [
    [
      'all cores',
      `${Math.round(blocks / all.seconds)} blocks/s, ${Math.round(rate)} rows/s; ${all.indexes.toFixed(1)} of ${all.seconds.toFixed(1)} s build the indexes`,
    ],
    ['', `${processorTime(all, blocks)}; ${all.derived} rows of derive too`],
    ['held to one core', `${Math.round(blocks / one.seconds)} blocks/s, ${one.seconds.toFixed(1)} s`],
    ['', processorTime(one, blocks)],
    ['all cores against one', `${(one.seconds / all.seconds).toFixed(2)} times`],
    [
      `bare COPY of ${all.bare.rows} rows`,
      `${Math.round(all.bare.rowsPerSecond)} rows/s: the backfill has ${ofBare.toFixed(0)} % of it`,
    ],
    ['', `processor time ${(own + server).toFixed(1)} s, ${server.toFixed(1)} in the server`],
    ['tables', `${all.digest.rows} rows, sha256 ${all.digest.sha256}`],
  ]
  console.log(
    `   ${args.at(-1) === 'digests' ? 'with digests of actions' : 'without digests of actions (source.checkActions)'}`,
  )
  for (const [name, text] of lines) console.log(`    ${name.padEnd(28)}${text}`)
  return all.digest.sha256
}

function processorTime({ cpu: { program, server } }: Outcome, blocks: number): string {
  const block = ((program + server) / blocks) * 1e6
  return `processor time ${program.toFixed(1)} s in the program, ${server.toFixed(1)} s in the server: ${block.toFixed(0)} µs a block`
}

/** Starts the build with the options of `npm start`. */
async function run(before: string[], path: string, last: string[]): Promise<Outcome> {
  const options = ['--max-semi-space-size=64', '--v8-pool-size=1']
  const [command = '', ...args] = [...before, process.execPath, ...options, path, ...last]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the backfill ended with ${code}`)
  return JSON.parse(text) as Outcome
}
