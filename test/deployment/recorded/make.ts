// Records the metrics of real processes, healthy and in each fault, for the test of the alerts (recorded-alerts.test.ts).
// Needs root and Debian's PostgreSQL 15 for the market, and takes the time of the scenes.
//   npm run record-alerts [SCENE...]
import { execFileSync } from 'node:child_process'
import type { Place, Scene } from './place.ts'
import { type AlertRecord, SCRAPE_SECONDS, writeRecord } from './record.ts'
import { metricNames } from './rules.ts'
import { SCENES } from './scenes.ts'
import { Scraper } from './scraper.ts'

const wanted = process.argv.slice(2)
const scenes = wanted.length === 0 ? SCENES : wanted.map(sceneOf)
const HEALTHY_SECONDS = 60

function sceneOf(name: string): Scene {
  const scene = SCENES.find((scene) => scene.name === name)
  if (scene === undefined) throw new Error(`no scene ${name}; there are ${SCENES.map(({ name }) => name).join(', ')}`)
  return scene
}

function madeBy(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  return `npm run record-alerts, version ${commit}, ${new Date().toISOString().slice(0, 10)}`
}

async function record(scene: Scene, place: Place): Promise<AlertRecord> {
  const { name, fault, healthySeconds = HEALTHY_SECONDS, faultySeconds } = scene
  const scraper = new Scraper(place.targets, metricNames)
  await scraper.run(healthySeconds)
  const undo = await scene.make(place)
  try {
    await scraper.run(faultySeconds)
  } finally {
    await undo()
  }
  const { scrapes, start, series } = scraper
  return { scene: name, fault, made: madeBy(), healthy: healthySeconds / SCRAPE_SECONDS, scrapes, start, series }
}

/** At most one. */
const places: { open: Scene['open']; is: Place }[] = []
const closePlace = async () => places.pop()?.is.close()
try {
  for (const scene of scenes) {
    if (places.at(-1)?.open !== scene.open) {
      await closePlace()
      places.push({ open: scene.open, is: await scene.open() })
    }
    console.log(`${new Date().toISOString()} ${scene.name}: ${scene.fault}`)
    for (const { is } of places) writeRecord(await record(scene, is))
    if (scene.leavesTraces) await closePlace()
  }
} finally {
  await closePlace()
}
process.exit(0)
