// Memory of log files is used again only after every block that has a view of it was returned.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ByteFile } from '../../../../indexer/source/logs/byte-file.ts'
import { LogSource } from '../../../../indexer/source/logs/source.ts'
import { POOLED_WINDOW, WindowPool } from '../../../../indexer/source/logs/window-pool.ts'
import { ReplaySource } from '../../../../indexer/source/replay.ts'
import type { BlockSource, PackedBlock } from '../../../../indexer/source/source.ts'
import { verifyChain } from '../../../../indexer/verify/verify.ts'
import { testDatabase } from '../../../support/database.ts'
import { recordedBlocks, writeNodeLogs } from '../../../support/recorded-logs.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { VALUATION } from '../../../support/valuation.ts'
import { indexRecording } from '../../replay/index-recording.ts'

const small = new URL('../../../fixtures/recordings/small.ship.gz', import.meta.url).pathname
const STEP = 10_000
const signal = new AbortController().signal

/** A file of 20 windows, in which each step of bytes has its own number. */
function numbered(folder: string): string {
  const path = join(folder, 'numbered')
  const bytes = Buffer.alloc(20 * POOLED_WINDOW)
  for (let at = 0; at < bytes.length; at += STEP) bytes.fill((at / STEP) & 255, at, Math.min(at + STEP, bytes.length))
  writeFileSync(path, bytes)
  return path
}

t.test('reading a whole file needs few windows, even if views are returned late', async (t) => {
  const pool = new WindowPool()
  const file = (await ByteFile.open(numbered(temporaryFolder(t)), { pool }))!
  t.teardown(() => file.close())
  const memories = new Set<ArrayBufferLike>()
  const held: { view: Uint8Array; number: number }[] = []
  let wrong = 0
  for (let at = 0; at + STEP <= 20 * POOLED_WINDOW; at += STEP) {
    const view = await file.read(at, STEP)
    file.lend(view)
    held.push({ view, number: (at / STEP) & 255 })
    if (view.buffer.byteLength === POOLED_WINDOW) memories.add(view.buffer)
    if (held.length < 50) continue
    const oldest = held.shift()!
    if (oldest.view.some((byte) => byte !== oldest.number)) wrong++
    pool.giveBack(oldest.view)
  }
  t.equal(wrong, 0, 'what is lent stays as it is')
  t.ok(memories.size > 1 && memories.size <= 3, `${memories.size} windows`)
})

t.test('memory is not reused before all its views are returned', async (t) => {
  const pool = new WindowPool()
  const [kept, twice] = [pool.take(POOLED_WINDOW), pool.take(POOLED_WINDOW)]
  pool.lend(kept.subarray(5, 9))
  pool.leave(kept)
  t.not(pool.take(POOLED_WINDOW).buffer, kept.buffer, 'a view of it is out')
  pool.lend(twice.subarray(0, 1))
  pool.lend(twice.subarray(1, 2))
  pool.leave(twice)
  pool.giveBack(twice.subarray(0, 1))
  t.not(pool.take(POOLED_WINDOW).buffer, twice.buffer, 'one of two views is out')
  pool.giveBack(twice.subarray(1, 2))
  pool.giveBack(twice.subarray(1, 2))
  t.equal(pool.take(POOLED_WINDOW).buffer, twice.buffer, 'all are back')
  t.not(pool.take(POOLED_WINDOW).buffer, twice.buffer, 'and it is given out once')
  const other = new Uint8Array(POOLED_WINDOW)
  pool.giveBack(other)
  t.not(pool.take(POOLED_WINDOW).buffer, other.buffer, 'memory of others is ignored')
})

t.test('blocks do not change until they are returned, also across windows', async (t) => {
  const folder = temporaryFolder(t)
  const recorded = await recordedBlocks('small')
  writeNodeLogs(folder, recorded, { style: () => 'spring' })
  const source = new LogSource({ folders: [folder], chain: 'wax' })
  const held: PackedBlock[] = []
  const copies = new Map(recorded.map((block) => [block.id, block]))
  let compared = 0
  const isSame = (block: PackedBlock) => {
    const { traces, deltas } = copies.get(block.id)!
    return Buffer.compare(traces, block.traces) === 0 && Buffer.compare(deltas!, block.deltas!) === 0
  }
  for await (const block of source.blocks({ from: 2, have: [] }, signal)) {
    held.push(block)
    if (held.length < 40) continue
    const oldest = held.shift()!
    if (isSame(oldest)) compared++
    source.release(oldest)
    source.release(oldest)
  }
  t.equal(compared + held.filter(isSame).length, recorded.length)
})

/** A source that overwrites what is returned to it. */
function overwriting(inner: ReplaySource): BlockSource & { released: number } {
  return {
    name: 'replay',
    released: 0,
    blocks: (start, signal) => inner.blocks(start, signal),
    release(block) {
      if (block.kind !== 'packed') return
      block.traces.fill(0xa5)
      block.deltas?.fill(0xa5)
      this.released++
    },
  }
}

t.test('the indexer returns every block, and keeps no view of its bytes', async (t) => {
  const { url } = await testDatabase(t)
  const source = overwriting(new ReplaySource(small))
  const recorded = await recordedBlocks('small')
  await indexRecording(url, 'plain', new ReplaySource(small), undefined, VALUATION)
  await indexRecording(url, 'overwritten', source, undefined, VALUATION)
  const [plain, overwritten] = [await verifyChain(url, 'plain'), await verifyChain(url, 'overwritten')]
  t.ok(overwritten.ok)
  t.equal(source.released, recorded.length)
  t.same(overwritten.digest.tables, plain.digest.tables)
})
