// Log files of a real node and of the test's writer: ranges, orphaned entries, holes, truncated ends, missing indexes.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { BlockLogFile } from '../../../../indexer/source/logs/block-log-file.ts'
import { HistoryFile } from '../../../../indexer/source/logs/history-file.ts'
import type { LogFile } from '../../../../indexer/source/logs/log-file.ts'
import { checkLogs } from '../../../../indexer/verify/logs/check-logs.ts'
import { type Style, save, writeBlockLog, writeLog } from '../../../support/log-writer.ts'
import { unpackNode } from '../../../support/node-logs.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const LIMIT = 1 << 30
const CHAIN_ID = '9ab8455e7f69aec914f61a19964a2612ea829cd28594b3ac7a8544b05a3d0573'

async function openHistory(t: Test, path: string): Promise<HistoryFile> {
  const file = await HistoryFile.open(path, LIMIT)
  if (!file) throw new Error(`${path} is not there`)
  t.teardown(() => file.close())
  return file
}

async function openBlocks(t: Test, path: string): Promise<BlockLogFile> {
  const file = await BlockLogFile.open(path)
  if (!file) throw new Error(`${path} is not there`)
  t.teardown(() => file.close())
  return file
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** Ids and content hashes of all readable blocks. */
async function readAll(file: LogFile): Promise<{ id: string; content: string }[]> {
  const all: { id: string; content: string }[] = []
  const { from, to } = file.range ?? { from: 1, to: 0 }
  for (let num = from; num <= to; num++) {
    const entry = await file.read(num)
    const { id, content } = entry
    if (Number.parseInt(id.slice(0, 8), 16) !== num) throw new Error(`${id} is not of block ${num}`)
    const fault = await file.suffixFault(entry)
    if (fault) throw new Error(`block ${num}: ${fault}`)
    all.push({ id, content: hashOf(content) })
  }
  return all
}

/** Entries of a file including orphaned ones, found by their sizes. */
function countEntries(path: string): number {
  const bytes = readFileSync(path)
  let count = 0
  for (let at = 0; at < bytes.length; at += 56 + Number(bytes.readBigUInt64LE(at + 40))) count++
  return count
}

t.test('a node that has seen forks', async (t) => {
  const folder = unpackNode(t, 'forks')
  const expected = [
    ['trace_history', { from: 2, to: 596 }, 702],
    ['chain_state_history', { from: 1, to: 596 }, 703],
    ['finality_data_history', { from: 32, to: 596 }, 672],
  ] as const
  const blocks = await openBlocks(t, join(folder, 'blocks/blocks.log'))
  t.match(blocks, { range: { from: 1, to: 594 }, chainId: CHAIN_ID, isPruned: false, torn: null, version: 3 })
  const ids = new Map((await readAll(blocks)).map(({ id }, index) => [index + 1, id]))
  for (const [name, range, entries] of expected) {
    const path = join(folder, `state-history/${name}.log`)
    const file = await openHistory(t, path)
    t.match(file, { range, isPruned: false, torn: null, isIndexComputed: false }, name)
    t.equal(countEntries(path), entries, `${name} has orphaned entries`)
    const all = await readAll(file)
    const wrong = all.filter(({ id }, index) => (ids.get(range.from + index) ?? id) !== id)
    t.same(wrong, [], `${name}: every block is that of the block log`)
    await t.test(`${name} without its index`, async (t) => {
      rmSync(path.replace('.log', '.index'))
      const computed = await openHistory(t, path)
      t.match(computed, { range, torn: null, isIndexComputed: true })
      t.same(await readAll(computed), all)
    })
  }
  await t.test('the block log without its index', async (t) => {
    const all = await readAll(blocks)
    rmSync(join(folder, 'blocks/blocks.index'))
    const computed = await openBlocks(t, join(folder, 'blocks/blocks.log'))
    t.match(computed, { range: { from: 1, to: 594 }, chainId: CHAIN_ID, isIndexComputed: true })
    t.same(await readAll(computed), all)
  })
})

t.test('a pruned log', async (t) => {
  const folder = join(unpackNode(t, 'pruned'), 'state-history')
  const path = join(folder, 'trace_history.log')
  const bytes = readFileSync(path)
  const kept = bytes.readUInt32LE(bytes.length - 4)
  const file = await openHistory(t, path)
  const from = 2200 + 1 - kept
  t.match(file, { range: { from, to: 2200 }, first: 2, isPruned: true, torn: null })
  const all = await readAll(file)
  t.equal(all.length, kept)
  await t.test('without its trailer, as during a write of the node', async (t) => {
    truncateSync(path, bytes.length - 4)
    const cut = await openHistory(t, path)
    t.match(cut, { range: { to: 2200 }, torn: null })
    // Holes cover whole pages of the file, so some removed blocks just before the first retained one are still
    // readable.
    t.ok(cut.range!.from <= from && cut.range!.from > from - 10, `begins with block ${cut.range!.from}`)
    t.same((await readAll(cut)).slice(-kept), all)
  })
  await t.test('without its index', async (t) => {
    rmSync(path.replace('.log', '.index'))
    for (const size of [bytes.length, bytes.length - 4]) {
      writeFileSync(path, bytes.subarray(0, size))
      const computed = await openHistory(t, path)
      t.match(computed, { range: { to: 2200 }, isIndexComputed: true }, `${size} bytes`)
      t.same((await readAll(computed)).slice(-kept), all)
    }
  })
  await t.test('a block in a hole cannot be read', async (t) => {
    await t.rejects(file.read(from - 300), { code: 'LOG_CHANGED', place: { block: from - 300, file: path } })
  })
  await t.test('the log of deltas, from which nothing was removed yet', async (t) => {
    const deltas = await openHistory(t, join(folder, 'chain_state_history.log'))
    t.match(deltas, { range: { from: 2, to: 2200 }, isPruned: true })
  })
})

t.test('a node that was started from a snapshot', async (t) => {
  const folder = join(unpackNode(t, 'snapshot'), 'state-history')
  const deltas = await openHistory(t, join(folder, 'chain_state_history.log'))
  t.match(deltas, { range: { from: 1678, to: 1678 }, torn: null })
  t.match(await deltas.read(1678), {
    id: '0000068eb1107f12811af3ad25ab8d0dda9329bbe555f879e94454fc24701341',
    encoding: 'stored',
  })
  for (const name of ['trace_history', 'finality_data_history'])
    t.match(await openHistory(t, join(folder, `${name}.log`)), { range: null, torn: null }, `${name} is empty`)
})

const STYLES: readonly Style[] = ['eosio', 'leap3', 'leap5', 'spring', 'split']
const idOf = (num: number, branch = 0) => num.toString(16).padStart(8, '0') + branch.toString(16).padStart(56, '0')
const contentOf = (num: number, branch = 0) => Buffer.from(`block ${num} of branch ${branch} `.repeat(1 + (num % 5)))
const written = (num: number, branch = 0) => ({ id: idOf(num, branch), content: contentOf(num, branch) })

t.test('a log that many versions of nodes wrote', async (t) => {
  const folder = temporaryFolder(t)
  const nums = Array.from({ length: 50 }, (_, index) => index + 100)
  save(
    folder,
    'mixed',
    writeLog(
      nums.map((num) => written(num)),
      (num) => STYLES[num % STYLES.length]!,
    ),
  )
  const file = await openHistory(t, join(folder, 'mixed.log'))
  t.match(file, { range: { from: 100, to: 149 }, torn: null })
  t.same(
    await readAll(file),
    nums.map((num) => ({ id: idOf(num), content: hashOf(contentOf(num)) })),
  )
  const encodings = new Set<string>()
  for (const num of nums) {
    const { encoding, lengthField } = await file.read(num)
    encodings.add(`${encoding} ${lengthField}`)
  }
  t.same([...encodings].sort(), ['stored size', 'zlib length', 'zlib size', 'zlib zero'])
})

t.test('forks that go far back, with and without the index', async (t) => {
  const folder = temporaryFolder(t)
  const entries = [
    ...[10, 11, 12, 13].map((num) => written(num)),
    ...[12, 13, 14].map((num) => written(num, 1)),
    ...[14].map((num) => written(num, 2)),
    ...[11, 12].map((num) => written(num, 3)),
  ]
  save(
    folder,
    'forked',
    writeLog(entries, () => 'spring'),
  )
  const ids = [idOf(10), idOf(11, 3), idOf(12, 3)]
  const path = join(folder, 'forked.log')
  t.same(
    (await readAll(await openHistory(t, path))).map(({ id }) => id),
    ids,
  )
  rmSync(path.replace('.log', '.index'))
  t.same(
    (await readAll(await openHistory(t, path))).map(({ id }) => id),
    ids,
  )
})

t.test('a tail that is torn at any byte of the last entries', async (t) => {
  const folder = temporaryFolder(t)
  const { log, index } = writeLog(
    [5, 6, 7, 8].map((num) => written(num)),
    (num) => STYLES[num % STYLES.length]!,
  )
  const starts = [0, 1, 2, 3].map((slot) => Number(index.readBigUInt64LE(slot * 8)))
  const path = join(folder, 'torn.log')
  for (const isIndexed of [true, false]) {
    for (let length = starts[1]!; length <= log.length; length++) {
      writeFileSync(path, log.subarray(0, length))
      if (isIndexed) writeFileSync(path.replace('.log', '.index'), index)
      else rmSync(path.replace('.log', '.index'), { force: true })
      const file = await HistoryFile.open(path, LIMIT)
      // An entry is complete without its suffix.
      const whole = [...starts, log.length].filter((start) => start > 0 && length >= start - 8).length
      const torn = isIndexed ? whole < 4 : length > starts[whole]!
      const expected = torn ? { file: path, offset: starts[whole], block: 5 + whole } : null
      if (file?.range?.to !== 4 + whole || JSON.stringify(file.torn) !== JSON.stringify(expected)) {
        t.fail(`${length} of ${log.length} bytes, ${isIndexed}: ${JSON.stringify([file?.range, file?.torn, expected])}`)
      }
      await readAll(file!)
      await file!.close()
    }
  }
  t.pass(`${log.length - starts[1]!} lengths`)
})

t.test('a block log that is torn at any byte of the last blocks', async (t) => {
  const blocks = await openBlocks(t, join(unpackNode(t, 'forks'), 'blocks/blocks.log'))
  const nums = [591, 592, 593, 594]
  const contents = await Promise.all(nums.map(async (num) => ({ num, block: (await blocks.read(num)).content })))
  const folder = temporaryFolder(t)
  const { log, index } = writeBlockLog(contents, Buffer.from(CHAIN_ID, 'hex'))
  save(folder, 'blocks', { log, index })
  const path = join(folder, 'blocks.log')
  const starts = nums.map((_, slot) => Number(index.readBigUInt64LE(slot * 8)))
  const ends = [...starts.slice(1), log.length]
  for (let length = log.length; length > starts[1]!; length--) {
    truncateSync(path, length)
    const file = await BlockLogFile.open(path)
    const last = 590 + ends.filter((end) => length >= end - 8).length
    const torn = last < 594 ? { file: path, offset: starts[last - 590], block: last + 1 } : null
    if (file?.range?.to !== last || JSON.stringify(file.torn) !== JSON.stringify(torn) || file.chainId !== CHAIN_ID) {
      t.fail(`${length} of ${log.length} bytes: ${JSON.stringify([file?.range, file?.torn, torn])}`)
    }
    const { content } = await file!.read(last)
    if (Buffer.compare(content, contents[last - 591]!.block) !== 0) t.fail(`${length} bytes: other content`)
    await file!.close()
  }
  t.pass(`${log.length - starts[1]!} lengths`)
})

t.test('an index with one slot too many, one too few, and a partial slot', async (t) => {
  const folder = temporaryFolder(t)
  const { log, index } = writeLog(
    [5, 6, 7].map((num) => written(num)),
    () => 'leap5',
  )
  const ahead = Buffer.concat([index, Buffer.alloc(8)])
  ahead.writeBigUInt64LE(BigInt(log.length), index.length)
  const cases: readonly [Buffer, number, number | null][] = [
    [ahead, 7, 8],
    [index.subarray(0, 16), 6, null],
    [index.subarray(0, 21), 6, null],
  ]
  for (const [changed, last, torn] of cases) {
    save(folder, 'log', { log, index: changed })
    const file = await openHistory(t, join(folder, 'log.log'))
    t.match(file, { range: { from: 5, to: last } })
    t.equal(file.torn?.block ?? null, torn)
    t.equal((await readAll(file)).length, last - 4)
  }
})

t.test('the index of another file is not used', async (t) => {
  const folder = temporaryFolder(t)
  const { log } = writeLog(
    [5, 6, 7].map((num) => written(num)),
    () => 'leap5',
  )
  const { index } = writeLog(
    [50, 51, 52, 53].map((num) => written(num)),
    () => 'spring',
  )
  save(folder, 'log', { log, index: Buffer.from(index.map((byte) => byte ^ 1)) })
  const file = await openHistory(t, join(folder, 'log.log'))
  t.match(file, { range: { from: 5, to: 7 }, isIndexComputed: true, warnings: [/not where the index says/] })
  t.equal((await readAll(file)).length, 3)
})

t.test('an index with one wrong slot: the log has all its blocks', async (t) => {
  const folder = join(unpackNode(t, 'forks'), 'state-history')
  const index = join(folder, 'trace_history.index')
  const right = readFileSync(index)
  for (const slot of [right.length / 16, right.length / 8 - 2, 1].map(Math.floor)) {
    const wrong = Buffer.from(right)
    wrong.writeBigUInt64LE(right.readBigUInt64LE(8 * slot) ^ 0x5500000000n, 8 * slot)
    writeFileSync(index, wrong)
    const file = await openHistory(t, join(folder, 'trace_history.log'))
    t.same(file.range, { from: 2, to: 596 }, `slot ${slot}`)
    t.equal(file.torn, null)
  }
  const { problems } = await checkLogs({ folders: [join(folder, '..')] })
  t.match(problems, [{ code: 'LOG_DAMAGED', block: 3, hint: /remove the .index file/ }])
  t.equal(problems.length, 1)
  t.notMatch(problems[0]?.message, /block 3.*block 3/, 'the position is named once')
})

t.test('a file and a folder that the process may not read', async (t) => {
  const folder = unpackNode(t, 'forks')
  const history = join(folder, 'state-history')
  for (const path of [folder, history]) chmodSync(path, 0o755)
  const denied = async (path: string) => {
    chmodSync(path, 0)
    // The permissions of files do not bind root.
    const isRoot = process.geteuid?.() === 0
    if (isRoot) process.seteuid?.(65534)
    try {
      await t.rejects(checkLogs({ folders: [folder] }), {
        ...{ code: 'LOG_UNREADABLE', place: { file: path }, hint: /group of nodeos/ },
        message: `${path}: permission denied`,
      })
    } finally {
      if (isRoot) process.seteuid?.(0)
      chmodSync(path, 0o755)
    }
  }
  await denied(join(history, 'trace_history.log'))
  await denied(join(history, 'trace_history.index'))
  await denied(history)
  const lost = join(folder, 'lost+found')
  mkdirSync(lost, { mode: 0 })
  t.match(await checkLogs({ folders: [folder] }), { problems: [] })
})

t.test('a first entry with another magic is accepted when the second one is sound', async (t) => {
  const folder = temporaryFolder(t)
  const { log, index } = writeLog(
    [5, 6, 7].map((num) => written(num)),
    () => 'spring',
  )
  log.writeBigUInt64LE(0x1234n, 0)
  save(folder, 'log', { log, index })
  const file = await openHistory(t, join(folder, 'log.log'))
  t.match(file, { range: { from: 5, to: 7 }, warnings: [/unknown magic/] })
  t.equal((await readAll(file)).length, 3)
  const single = writeLog([written(5)], () => 'spring')
  single.log.writeBigUInt64LE(0x1234n, 0)
  save(folder, 'single', single)
  await t.rejects(HistoryFile.open(join(folder, 'single.log'), LIMIT), { code: 'LOG_DAMAGED', place: { offset: 0 } })
})

t.test('an unknown version is refused, with its position', async (t) => {
  const folder = temporaryFolder(t)
  const { log, index } = writeLog(
    [5, 6, 7].map((num) => written(num)),
    () => 'spring',
  )
  for (const slot of [0, 1, 2]) {
    const changed = Buffer.from(log)
    const offset = Number(index.readBigUInt64LE(slot * 8))
    changed[offset] = 1
    save(folder, 'log', { log: changed, index })
    const opened = async () => {
      const file = await openHistory(t, join(folder, 'log.log'))
      await file.read(5 + slot)
    }
    await t.rejects(
      opened(),
      { code: 'LOG_VERSION', place: { file: join(folder, 'log.log'), offset } },
      `entry ${slot}`,
    )
  }
})
