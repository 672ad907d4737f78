// `npm run freeze-pack`: writes test/fixtures/packs/LAYOUT/, a small pack in the present layout. Part of the release of
// a layout (docs/develop/releases.md). The folders of earlier layouts stay, and `versions.test.ts` reads each of them.
import { existsSync } from 'node:fs'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { FORMAT } from '../../packs/format/manifest.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { startTestCluster } from '../support/cluster.ts'
import { testDatabase } from '../support/database.ts'
import { FROZEN, FROZEN_END, pack, RECORDINGS } from './scene.ts'

const folder = `${FROZEN}${FORMAT}`
if (existsSync(folder))
  throw new Error(`${folder} is there: frozen packs do not change. Remove it if its layout is not released`)
const cluster = await startTestCluster()
process.env.HEADWATER_TEST_DATABASE = cluster.url
const closing: (() => unknown)[] = []
try {
  const { url } = await testDatabase({ teardown: (work) => closing.push(work) })
  await indexRecording(url, 'wax', new ReplaySource(RECORDINGS.small), FROZEN_END)
  await pack(url, folder, RECORDINGS.small, { program: 'frozen' })
} finally {
  for (const close of closing) await close()
  await cluster.stop()
}
