// A node's logs into PostgreSQL: two workers on all cores, and the same job with its server held to one core; with and
// without digests of actions. The rows must be the same in all runs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { BlockRange } from '../../indexer/source/ranges.ts'
import type { DatabaseDigest } from '../support/table-digest.ts'
import { buildBackfill } from './built.ts'

/** Times of a processor: `own` in the process that copies, and in the server. */
interface Bare {
  rows: number
  seconds: number
  own: number
  server: number
}

interface Outcome {
  /** Of the whole, indexes included. */
  seconds: number
  /** Of building the secondary indexes at the end. */
  indexes: number
  /** Of a processor. */
  cpu: { program: number; server: number }
  /** Of the ledger, without those of the setup. */
  rows: number
  /** Candles, prices and scores. */
  derived: number
  /** Of all tables. */
  digest: DatabaseDigest
  /** A copy of the rows of the ledger and of current rows. */
  bare: Bare
  /** A copy of the derived rows. */
  bareDerived: Bare
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
  const lines: [name: string, text: string][] = [
    [
      'all cores',
      `${Math.round(blocks / all.seconds)} blocks/s, ${Math.round(rate)} rows/s; ${all.indexes.toFixed(1)} of ${all.seconds.toFixed(1)} s build the indexes`,
    ],
    ['', `${processorTime(all, blocks)}; ${all.derived} rows of derive too`],
    ['held to one core', `${Math.round(blocks / one.seconds)} blocks/s, ${one.seconds.toFixed(1)} s`],
    ['', processorTime(one, blocks)],
    ['all cores against one', `${(one.seconds / all.seconds).toFixed(2)} times`],
    ...comparison(', no derived rows', rate, [all.bare]),
    ...comparison(' of all rows', (all.rows + all.derived) / all.seconds, [all.bare, all.bareDerived]),
    ['tables', `${all.digest.rows} rows, sha256 ${all.digest.sha256}`],
  ]
  console.log(
    `   ${args.at(-1) === 'digests' ? 'with digests of actions' : 'without digests of actions (source.checkActions)'}`,
  )
  for (const [name, text] of lines) console.log(`    ${name.padEnd(28)}${text}`)
  return all.digest.sha256
}

/** Lines that compare rows a second with those of bare copies of the same tables. */
function comparison(what: string, rate: number, copies: readonly Bare[]): [name: string, text: string][] {
  const sum = (part: keyof Bare) => copies.reduce((total, copy) => total + copy[part], 0)
  const ofBare = sum('rows') / sum('seconds')
  const share = ((100 * rate) / ofBare).toFixed(0)
  const cpu = `processor time ${(sum('own') + sum('server')).toFixed(1)} s, ${sum('server').toFixed(1)} in the server`
  return [
    [
      `bare COPY${what}`,
      `${sum('rows')} rows, ${Math.round(ofBare)} rows/s: the backfill, ${Math.round(rate)} rows/s, has ${share} % of it`,
    ],
    ['', cpu],
  ]
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
