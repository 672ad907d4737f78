import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { itemAt } from '../../../core/required.ts'
import { record, recordFrom } from '../../../indexer/source/record.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { PackedBlock } from '../../../indexer/source/source.ts'
import { ShipServer } from '../../support/ship-server.ts'
import { branchOf, GENESIS } from '../../support/synthetic-chain.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const forks = new URL('../../fixtures/recordings/forks.ship.gz', import.meta.url).pathname
const never = new AbortController().signal

async function folder(t: Test): Promise<string> {
  const path = temporaryFolder(t)
  return path
}

t.test("a recording of a recording has the node's bytes, forks included", async (t) => {
  const copy = join(await folder(t), 'copy.ship.gz')
  t.equal(await record(new ReplaySource(forks), { from: 0, have: [] }, copy, never), 455)
  t.ok(gunzipSync(await readFile(copy)).equals(gunzipSync(await readFile(forks))))
})

for (const version of [0, 1] as const) {
  t.test(`a node that speaks version ${version} is recorded and replayed`, async (t) => {
    const trunk = branchOf(GENESIS, 5)
    const lib = itemAt(trunk, 2)
    const sent: PackedBlock[] = [
      ...trunk,
      ...branchOf(itemAt(trunk, 4), 2, 'left'),
      ...branchOf(itemAt(trunk, 3), 6, 'right'),
    ]
    const blocks = sent.map((block) => ({ ...block, lib: { num: lib.num, id: lib.id } }))
    const server = await ShipServer.start({ version, blocks: () => blocks })
    t.teardown(() => server.stop())
    const file = join(await folder(t), 'node.ship.gz')
    t.equal(await recordFrom(server.url, file, { from: 2, to: 11 }), 13)
    const replayed: string[] = []
    for await (const block of new ReplaySource(file).blocks({ from: 0, have: [] }, never)) replayed.push(block.id)
    t.same(
      replayed,
      blocks.map((block) => block.id),
    )
  })
}

t.test('an abort ends a recording properly', async (t) => {
  const chain = branchOf(GENESIS, 5)
  const server = await ShipServer.start({ blocks: () => chain })
  t.teardown(() => server.stop())
  const file = join(await folder(t), 'live.ship.gz')
  const stop = new AbortController()
  const onBlock = (block: PackedBlock) => block.num === 6 && stop.abort()
  t.equal(await recordFrom(server.url, file, { from: 2, signal: stop.signal, onBlock }), 5)
  let count = 0
  for await (const _ of new ReplaySource(file).blocks({ from: 0, have: [] }, never)) count++
  t.equal(count, 5)
})

t.test('a recording that fails leaves no file of the final name', async (t) => {
  const server = await ShipServer.start({ blocks: () => [] })
  t.teardown(() => server.stop())
  const path = await folder(t)
  const wanted = { from: 2, chainId: 'aa'.repeat(32) }
  await t.rejects(recordFrom(server.url, join(path, 'a.ship.gz'), wanted), { code: 'OTHER_CHAIN' })
  const aborted = { from: 2, signal: AbortSignal.abort() }
  await t.rejects(recordFrom(server.url, join(path, 'b.ship.gz'), aborted), { code: 'NOTHING_RECORDED' })
  t.notOk((await readdir(path)).some((name) => name.endsWith('.gz')))
})
