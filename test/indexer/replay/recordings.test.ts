// The same checks for every recording of a directory: HEADWATER_TEST_LONG=1 HEADWATER_RECORDINGS=DIR. A recording is
// NAME.ship.gz with the node's rows in NAME.state.json, or with NAME.json when it has forks.
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { verifyChain } from '../../../indexer/verify/verify.ts'
import { testDatabase } from '../../support/database.ts'
import { checkLedger, checkState } from './check-recording.ts'
import { finalEqualsHead, sameChains } from './compare-chains.ts'
import { canonicalBlocks, readFrames } from './frames.ts'
import { indexRecording, LinearSource } from './index-recording.ts'
import { nodeState } from './node-tables.ts'

const directory = process.env.HEADWATER_RECORDINGS
const skip = process.env.HEADWATER_TEST_LONG && directory ? false : 'set HEADWATER_TEST_LONG and HEADWATER_RECORDINGS'
const files = skip || !directory ? [] : await readdir(directory)
const names = files.filter((file) => file.endsWith('.ship.gz')).map((file) => file.slice(0, -'.ship.gz'.length))

// Long recordings need more time; the runner still has a limit.
t.setTimeout(0)

t.test('recordings of a directory', { skip }, async (t) => {
  t.ok(names.length > 0, `${directory} holds recordings`)
  for (const name of names) {
    t.test(name, async (t) => {
      const path = join(directory!, `${name}.ship.gz`)
      const { url, pool } = await testDatabase(t, { chains: ['recorded'] })
      const blocks = canonicalBlocks(await readFrames(path))
      const canonical = blocks.map(({ id }) => id)
      const { position } = await indexRecording(url, 'recorded', new ReplaySource(path))
      t.match(position, { num: blocks.at(-1)!.num, id: blocks.at(-1)!.id })
      checkLedger(t, pool, 'recorded', blocks)
      checkState(t, pool, 'recorded', await nodeState(await tablesBeside(directory!, name)))
      await indexRecording(url, 'linear', new LinearSource(path, canonical))
      await sameChains(t, pool, 'recorded', 'linear')
      const report = await verifyChain(url, 'recorded')
      t.same(
        report.checks.filter(({ differing }) => differing > 0),
        [],
      )
      t.same(report.digest, (await verifyChain(url, 'linear')).digest)
      await indexRecording(url, 'stopped', new LinearSource(path, canonical), position.lib)
      await pool.query(`update meta.position set lib_num = block_num where chain = 'stopped'`)
      await finalEqualsHead(t, pool, 'recorded', 'stopped')
    })
  }
})

async function tablesBeside(directory: string, name: string): Promise<string> {
  const wanted = [`${name}.state.json`, `${name}.state.json.gz`, `${name}.json`, `${name}.json.gz`].map((file) =>
    join(directory, file),
  )
  for (const path of wanted) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  throw new Error(`none of ${wanted.join(', ')} is there`)
}
