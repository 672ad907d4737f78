import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { UserError } from '../../../core/errors.ts'
import { itemAt } from '../../../core/required.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { BlockPosition, PackedBlock, StartPosition } from '../../../indexer/source/source.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const recordings = new URL('../../fixtures/recordings/', import.meta.url).pathname
const small = join(recordings, 'small.ship.gz')
const forks = join(recordings, 'forks.ship.gz')
const never = new AbortController().signal

interface Fork {
  at: number
  fork_block: number
  depth: number
  new_id: string
  parent: string
}
const forksTruth = JSON.parse(await readFile(join(recordings, 'forks.json'), 'utf8')) as {
  frames: number
  forks: Fork[]
  canonical: Record<string, string>
}

async function all(source: ReplaySource, start: StartPosition): Promise<PackedBlock[]> {
  const blocks: PackedBlock[] = []
  for await (const block of source.blocks(start, never)) blocks.push(block)
  return blocks
}

async function rejection(path: string, start: StartPosition = { from: 0, have: [] }): Promise<UserError> {
  const error = await all(new ReplaySource(path), start).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof UserError)) throw new Error(`no UserError but ${error}`)
  return error
}

/** The chain that a consumer holds after `blocks`, from the last irreversible block on. */
function held(blocks: PackedBlock[]): BlockPosition[] {
  let chain: BlockPosition[] = []
  let lib = 0
  for (const block of blocks) {
    chain = [...chain.filter((position) => position.num < block.num), { num: block.num, id: block.id }]
    lib = Math.max(lib, block.lib.num)
  }
  const tip = itemAt(blocks, -1).num
  return chain.filter((position) => position.num >= Math.min(lib, tip))
}

t.test('every block of a recording is yielded in order, with its payloads', async (t) => {
  const source = new ReplaySource(small)
  const blocks = await all(source, { from: 0, have: [] })
  t.same(
    blocks.map((block) => block.num),
    Array.from({ length: 102 }, (_, index) => index + 2),
  )
  t.ok(blocks.every((block, index) => index === 0 || block.prevId === itemAt(blocks, index - 1).id))
  t.ok(blocks.every((block) => Number.parseInt(block.id.slice(0, 8), 16) === block.num))
  t.ok(source.abi?.includes('get_blocks_result_v1'))
  t.equal(source.stats.frames, 102)
  t.equal(itemAt(blocks, 0).finality, null)
  t.ok(itemAt(blocks, 101).finality)
})

t.test('the fork recording yields all frames, with the twelve forks where the node made them', async (t) => {
  const blocks = await all(new ReplaySource(forks), { from: 0, have: [] })
  t.equal(blocks.length, forksTruth.frames)
  const seen = blocks.flatMap((block, index) => {
    const depth = index === 0 ? 0 : itemAt(blocks, index - 1).num - block.num + 1
    const forked = index > 0 && block.num <= itemAt(blocks, index - 1).num
    return forked ? [{ at: index + 1, fork_block: block.num, depth, new_id: block.id, parent: block.prevId }] : []
  })
  t.same(
    seen,
    forksTruth.forks.map(({ at, fork_block, depth, new_id, parent }) => ({ at, fork_block, depth, new_id, parent })),
  )
  const chain = new Map(blocks.map((block) => [String(block.num), block.id]))
  t.same(Object.fromEntries(chain), forksTruth.canonical)
})

t.test('a replay resumes after any frame, also between forks, and ends in the same chain', async (t) => {
  const blocks = await all(new ReplaySource(forks), { from: 0, have: [] })
  for (let count = 1; count <= blocks.length; count += 7) {
    const before = blocks.slice(0, count)
    const rest = await all(new ReplaySource(forks), { from: itemAt(before, count - 1).num + 1, have: held(before) })
    t.same(
      rest.map((block) => block.id),
      blocks.slice(count).map((block) => block.id),
      `after ${count} frames`,
    )
  }
})

t.test('a stored tip that is not in the recording is replaced after the newest common block', async (t) => {
  const blocks = await all(new ReplaySource(small), { from: 0, have: [] })
  const have = [...blocks.slice(40, 50), { num: itemAt(blocks, 50).num, id: 'ee'.repeat(32) }].map(({ num, id }) => ({
    num,
    id,
  }))
  const rest = await all(new ReplaySource(small), { from: itemAt(blocks, 51).num, have })
  t.equal(itemAt(rest, 0).id, itemAt(blocks, 50).id)
  t.equal(rest.length, 52)
})

t.test('from and to are inclusive, and a start before the first block is the first block', async (t) => {
  const part = await all(new ReplaySource(small), { from: 10, have: [], to: 20 })
  t.same([itemAt(part, 0).num, itemAt(part, -1).num, part.length], [10, 20, 11])
  t.same(await all(new ReplaySource(small), { from: 21, have: [], to: 20 }), [])
  t.same(await all(new ReplaySource(small), { from: 500, have: [] }), [])
})

t.test('a start in the middle of forks begins where no later block is below it', async (t) => {
  const part = await all(new ReplaySource(forks), { from: 130, have: [] })
  t.equal(itemAt(part, 0).num, 130)
  t.ok(part.every((block) => block.num >= 130))
  t.equal(itemAt(part, -1).id, forksTruth.canonical['350'])
})

t.test('blocks of another chain are refused', async (t) => {
  const error = await rejection(small, { from: 10, have: [{ num: 9, id: 'aa'.repeat(32) }] })
  t.equal(error.code, 'RECORDING_UNRELATED')
})

t.test('in real time blocks come at the distances of their times', async (t) => {
  const source = new ReplaySource(small, { realTime: true })
  const times: number[] = []
  for await (const _ of source.blocks({ from: 50, have: [], to: 53 }, never)) times.push(Date.now())
  const span = itemAt(times, 3) - itemAt(times, 0)
  t.ok(span >= 1400 && span < 20_000, `three distances of half a second take ${span} ms`)
})

t.test('an abort ends the stream without an error', async (t) => {
  const stop = new AbortController()
  let count = 0
  for await (const _ of new ReplaySource(small, { realTime: true }).blocks({ from: 0, have: [] }, stop.signal)) {
    if (++count === 2) setTimeout(() => stop.abort(), 20)
  }
  t.ok(count < 10)
})

t.test('damaged files are refused with file and offset', async (t) => {
  const folder = temporaryFolder(t)
  const packed = await readFile(small)
  const raw = gunzipSync(packed)
  const file = join(folder, 'damaged')
  const withBytes = async (bytes: Uint8Array) => {
    await writeFile(file, bytes)
    return rejection(file)
  }
  const offsetOf = (error: UserError) => Number(/offset (\d+)/.exec(error.message)?.[1])

  t.equal((await rejection(join(folder, 'none'))).code, 'RECORDING_MISSING')
  t.equal((await withBytes(new Uint8Array())).code, 'RECORDING_CUT')

  const cutRaw = await withBytes(raw.subarray(0, 100_000))
  t.equal(cutRaw.code, 'RECORDING_CUT')
  t.match(cutRaw.message, file)
  t.ok(offsetOf(cutRaw) <= 100_000 && offsetOf(cutRaw) > 35_000)

  t.equal((await withBytes(packed.subarray(0, packed.length - 5000))).code, 'RECORDING_CUT')

  const flipped = Buffer.from(packed)
  flipped.fill(0xff, 400_000, 400_100)
  t.equal((await withBytes(flipped)).code, 'RECORDING_CORRUPT')

  const lying = Buffer.from(raw)
  lying.writeUInt32LE(0x7fffffff, 4 + lying.readUInt32LE(0))
  const lyingError = await withBytes(lying)
  t.equal(lyingError.code, 'RECORDING_CORRUPT')
  t.equal(offsetOf(lyingError), 4 + raw.readUInt32LE(0))

  const missing = Buffer.concat([...messagesOf(raw)].filter((_, index) => index !== 50).map((message) => message))
  const gap = await withBytes(gzipSync(missing))
  t.equal(gap.code, 'RECORDING_CORRUPT')
  t.match(gap.message, /block 52 .* at 51 \(gap\)/)

  t.equal((await withBytes(gzipSync(Buffer.from('no recording at all')))).code, 'RECORDING_CORRUPT')
  t.match((await withBytes(Buffer.from('no recording at all'))).message, /at offset 0: it does not begin with the ABI/)
})

function* messagesOf(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; ) {
    const length = 4 + raw.readUInt32LE(at)
    yield raw.subarray(at, at + length)
    at += length
  }
}

t.test('an unpacked recording reads like a packed one', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'plain.ship')
  await writeFile(file, gunzipSync(await readFile(small)))
  t.equal((await all(new ReplaySource(file), { from: 0, have: [] })).length, 102)
})
