// A long run of the whole: the demo with its relayer, users and forks; a second API that is killed and started again;
// clients that send requests and follow both streams; sessions of the database that are ended; vacuum. Memory, bytes a
// row, latency and dead rows must stay flat: the last third of the run is compared with the second one, since caches
// fill in the first. At the end, `headwater verify` must find nothing, and all that is pending must be explained.
// Usage: node --import tsx bench/soak.ts [hours] [requests a second] [days of history]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endSessions, vacuum, verified } from './soak/database.ts'
import { explained, pendingKeys } from './soak/pending.ts'
import { startApi, startDemo } from './soak/programs.ts'
import { FactReader, MarketReader } from './soak/readers.ts'
import { report } from './soak/report.ts'
import { Requests } from './soak/requests.ts'
import { type Sample, sampleOf } from './soak/sample.ts'
import { hardware } from './support/hardware.ts'

const hours = Number(process.argv[2] || 3)
const rate = Number(process.argv[3] || 50)
const days = Number(process.argv[4] || 14)
const MINUTE = 60_000
/** Minutes between events. */
const KILL_API = 7
const END_SESSIONS = 13
const VACUUM = 30
/** Minutes after which a pending entry has to be explained. */
const EXPLAIN = 10

const folder = mkdtempSync(join(tmpdir(), 'headwater-soak-'))
console.log(hardware())
const demo = await startDemo(folder, days)
const api = await startApi(demo, folder)
const stop = () => {
  api.stop()
  demo.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.once('SIGINT', () => {
  stop()
  process.exit(130)
})
try {
  await run()
} finally {
  stop()
}
process.exit(process.exitCode ?? 0)

async function run(): Promise<void> {
  await Promise.all([demo.ready, api.ready()])
  console.log(`ready; ${hours} hours, ${rate} requests/s, ${days} days of history before`)
  const requests = new Requests([demo.url, api.url], rate)
  const readers = [...[demo.url, api.url].map((url) => new MarketReader(url)), new FactReader(demo.url)]
  const samples: Sample[] = []
  const minutes = Math.round(hours * 60)
  let waiting = await pendingKeys(demo.url)
  for (let minute = 1; minute <= minutes; minute++) {
    await delay(MINUTE)
    if (minute % KILL_API === 0) api.kill()
    if (minute % END_SESSIONS === 0) await endSessions(demo.databaseUrl)
    if (minute % VACUUM === 0) await vacuum(demo.databaseUrl)
    if (minute === minutes - EXPLAIN) waiting = await pendingKeys(demo.url)
    const sample = await sampleOf({ minute, demo, api, requests, readers })
    samples.push(sample)
    console.log(JSON.stringify(sample))
  }
  requests.stop()
  for (const reader of readers) reader.stop()
  const isExplained = await explained(demo.url, demo.databaseUrl, join(folder, 'demo.log'), waiting)
  const isRight = await verified(demo, folder)
  if (!report(samples) || !isRight || !isExplained) process.exitCode = 1
}
