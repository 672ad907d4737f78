// A pack of each recording of a directory, and of the logs of a real node: HEADWATER_TEST_LONG=1, and
// HEADWATER_RECORDINGS=DIR for the former. A fetched database equals the indexed one.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { LogSource } from '../../indexer/source/logs/source.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import type { BlockSource } from '../../indexer/source/source.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { unpackNode } from '../support/node-logs.ts'
import { digestOf, fetch, pack, packFolder } from './scene.ts'

const isLong = process.env.HEADWATER_TEST_LONG !== undefined
const skip = isLong ? false : 'a part of the long run'
const directory = process.env.HEADWATER_RECORDINGS
/** Blocks after the last one that is packed: their certificates make it final. */
const AFTER = 12
t.setTimeout(0)

// `pruned` and `snapshot` have no block log: nothing of them can be packed.
for (const name of ['forks', 'partitions'] as const) {
  t.test(`the logs of a node, ${name}`, { skip }, async (t) => {
    const folder = unpackNode(t, name)
    await handedOver(t, () => new LogSource({ folders: [folder], chain: 'wax' }))
  })
}

t.test('recordings of a directory', { skip: skip || (directory ? false : 'set HEADWATER_RECORDINGS') }, async (t) => {
  const files = readdirSync(directory!).filter((file) => file.endsWith('.ship.gz'))
  t.ok(files.length > 0)
  for (const file of files) {
    await t.test(file, (t) => handedOver(t, () => new ReplaySource(join(directory!, file))))
  }
})

async function handedOver(t: Test, source: () => BlockSource): Promise<void> {
  let end = 0
  for await (const { num } of source().blocks({ from: 2, have: [] }, new AbortController().signal)) end = num
  const [publisher, packed, reader, plain] = [
    await testDatabase(t),
    await testDatabase(t),
    await testDatabase(t),
    await testDatabase(t),
  ]
  const { position } = await indexRecording(publisher.url, 'wax', source(), end - AFTER)
  const folder = packFolder(t)
  const { policy, proved, id, hasLegacy } = await pack(publisher.url, folder, '', {
    source: source(),
    blocksPerFile: 100,
  })
  t.equal(proved, true)
  // Final blocks alone are packed.
  await indexRecording(packed.url, 'wax', source(), Math.min(position.num, position.lib))
  const digest = await digestOf(packed.url)
  if (policy === null) {
    // Finality of a start in the middle of the chain is not known.
    await t.rejects(fetch(reader.url, folder, { verify: { trust: position.id } }), { code: 'PACK_REFUTED' })
  } else {
    const { report } = await fetch(reader.url, folder, { verify: { trust: hasLegacy ? id : policy.digest } })
    t.match(report.confirmedBy, hasLegacy ? id : policy.digest)
    t.equal(await digestOf(reader.url), digest)
  }
  await fetch(plain.url, folder)
  t.equal(await digestOf(plain.url), digest)
  for (const { url } of [publisher, plain, ...(policy === null ? [] : [reader])]) {
    await indexRecording(url, 'wax', source())
    t.equal(await digestOf(url), await digestOf(publisher.url))
  }
}
