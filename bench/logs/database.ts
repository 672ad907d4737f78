// A node's logs into PostgreSQL: two workers on all cores, and the same job with its server held to one core.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { BlockRange } from '../../indexer/source/ranges.ts'

interface Outcome {
  /** Of the whole, indexes included. */
  seconds: number
  /** Of building the secondary indexes at the end. */
  indexes: number
  rows: number
  bare: { rows: number; seconds: number; rowsPerSecond: number }
}

/**
 * @param setup  logs of the blocks before the measured ones
 * @param logs   of all blocks
 */
export async function intoDatabase(setup: string, logs: string, { from, to }: BlockRange): Promise<void> {
  const blocks = to - from + 1
  const args = [setup, logs, String(Math.ceil(blocks / 8))]
  const all = await run([], args)
  const one = await run(['taskset', '-c', '0'], args)
  const rate = all.rows / all.seconds
  const ofBare = (100 * rate) / all.bare.rowsPerSecond
  console.log('  into PostgreSQL, its server included, two workers, candles and indexes of a backfill')
  console.log(
    `    all cores                   ${Math.round(blocks / all.seconds)} blocks/s, ${Math.round(rate)} rows/s; ${all.indexes.toFixed(1)} of ${all.seconds.toFixed(1)} s build the indexes`,
  )
  console.log(`    held to one core            ${Math.round(blocks / one.seconds)} blocks/s`)
  console.log(`    all cores against one       ${(one.seconds / all.seconds).toFixed(2)} times`)
  console.log(
    `    bare COPY of ${all.bare.rows} rows      ${Math.round(all.bare.rowsPerSecond)} rows/s: the backfill has ${ofBare.toFixed(0)} % of it`,
  )
}

async function run(before: string[], last: string[]): Promise<Outcome> {
  const [command = '', ...args] = [
    ...[...before, process.execPath, '--max-semi-space-size=64', '--import', 'tsx'],
    ...[new URL('./backfill-process.ts', import.meta.url).pathname, ...last],
  ]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the backfill ended with ${code}`)
  return JSON.parse(text) as Outcome
}
