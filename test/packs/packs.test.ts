// A chain travels in a pack: the database filled from it equals the indexed one, and goes on from the source.
import t from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { testDatabase } from '../support/database.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { digestOf, fetch, pack, packFolder, RECORDINGS } from './scene.ts'

const recording = RECORDINGS.small
/** Digest of the first finalizer policy of the recording. */
t.test('a fetched database equals the indexed one', async (t) => {
  const folder = packFolder(t)
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  const { position } = await indexRecording(publisher.url, 'wax', new ReplaySource(recording), 90)
  const summary = await pack(publisher.url, folder, recording)
  console.log(position, summary)
  const fetched = await fetch(reader.url, folder)
  console.log(fetched)
  // The indexed chain up to the last packed block.
  const same = await testDatabase(t)
  await indexRecording(same.url, 'wax', new ReplaySource(recording), summary.block)
  t.equal(await digestOf(reader.url), await digestOf(same.url))
})
