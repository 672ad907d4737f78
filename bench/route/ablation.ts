// Measures the benefit of each part of the router's search: runs the same requests without it. Prints for each set of
// requests the lost output (mean and maximum, in basis points; more than 100 count as 100 in the mean), and the
// processor time in percent of the whole search's. Usage: node --import tsx bench/route/ablation.ts [requests of each
// set] [seed] [part ...]
import { Router } from '../../core/route/router.ts'
import { SEARCH_PARTS, type SearchPart } from '../../core/route/split.ts'
import { hardware } from '../support/hardware.ts'
import { type RequestSet, requestSets } from './requests.ts'

const [count = 100, seed = 1] = process.argv.slice(2, 4).map(Number)
const asked = process.argv.slice(4)
const MAX_LOSS = 100

console.log(hardware())
for (const set of requestSets(seed, count)) {
  const whole = run(set, [])
  console.log(`${set.name}: ${whole.outputs.length} requests, ${whole.milliseconds.toFixed(0)} ms in all`)
  for (const part of SEARCH_PARTS) {
    if (asked.length > 0 && !asked.includes(part)) continue
    const { outputs, milliseconds } = run(set, [part])
    const losses = outputs.map((output, i) => lossOf(output, whole.outputs[i] as bigint))
    const mean = losses.reduce((sum, loss) => sum + Math.max(-MAX_LOSS, Math.min(MAX_LOSS, loss)), 0) / losses.length
    const time = (milliseconds / whole.milliseconds) * 100
    const most = Math.max(...losses).toFixed(2)
    console.log(
      `  without ${part.padEnd(12)} loses ${mean.toFixed(4)} in the mean, ${most} at most; ${time.toFixed(0)} % of the time`,
    )
  }
}

/** @returns outputs, 0 for no route, and the processor's time of a second run, when curves are known */
function run({ markets }: RequestSet, without: SearchPart[]): { outputs: bigint[]; milliseconds: number } {
  const outputs: bigint[] = []
  let milliseconds = 0
  for (const { pools, books, requests } of markets) {
    const router = new Router(without)
    for (const pool of pools) router.putPool(pool)
    for (const book of books) router.putBook(book)
    for (const request of requests) outputs.push(router.exactIn(request)?.output ?? 0n)
    const before = process.cpuUsage()
    for (const request of requests) router.exactIn(request)
    const { user, system } = process.cpuUsage(before)
    milliseconds += (user + system) / 1000
  }
  return { outputs, milliseconds }
}

/** Basis points. */
function lossOf(output: bigint, whole: bigint): number {
  return whole === 0n ? 0 : (1 - Number(output) / Number(whole)) * 1e4
}
