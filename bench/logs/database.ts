// A node's logs into PostgreSQL: two workers on all cores, and the same job with its server held to one core.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { BlockRange } from '../../indexer/source/ranges.ts'

interface Outcome {
  seconds: number
  /** Rows of the measured blocks. */
  rows: number
  bare: { rows: number; seconds: number; rowsPerSecond: number }
}

/** @param range  the blocks that are measured; those before it are indexed first */
export async function intoDatabase(folder: string, range: BlockRange): Promise<void> {
  const blocks = range.to - range.from + 1
  const all = await run([], folder, range)
  const one = await run(['taskset', '-c', '0'], folder, range)
  const rate = all.rows / all.seconds
  const ofBare = (100 * rate) / all.bare.rowsPerSecond
  console.log('  into PostgreSQL, its server included, two workers, candles and indexes of a backfill')
  console.log(
    `    all cores                   ${Math.round(blocks / all.seconds)} blocks/s, ${Math.round(rate)} rows/s`,
  )
  console.log(`    held to one core            ${Math.round(blocks / one.seconds)} blocks/s`)
  console.log(`    all cores against one       ${(one.seconds / all.seconds).toFixed(2)} times`)
  console.log(
    `    bare COPY of ${all.bare.rows} rows      ${Math.round(all.bare.rowsPerSecond)} rows/s: the backfill has ${ofBare.toFixed(0)} % of it`,
  )
}

async function run(before: string[], folder: string, { from, to }: BlockRange): Promise<Outcome> {
  const path = new URL('./backfill-process.ts', import.meta.url).pathname
  const [command = '', ...args] = [
    ...before,
    ...[
      process.execPath,
      '--max-semi-space-size=64',
      '--import',
      'tsx',
      path,
      folder,
      String(from - 1),
      String(Math.ceil((to - from + 1) / 8)),
    ],
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
