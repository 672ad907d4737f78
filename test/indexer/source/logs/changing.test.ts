// A node writes, rotates, clears and restores its logs while the source reads them.
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { HistoryFile } from '../../../../indexer/source/logs/history-file.ts'
import { LogSource } from '../../../../indexer/source/logs/source.ts'
import type { PackedBlock } from '../../../../indexer/source/source.ts'
import { save, writeLog } from '../../../support/log-writer.ts'
import { finalChain, recordedBlocks, writeNodeLogs } from '../../../support/recorded-logs.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const blocks = finalChain(await recordedBlocks('small'))
const first = blocks[0]!.num
const last = blocks.at(-1)!.num
const HISTORIES = ['trace_history', 'chain_state_history', 'finality_data_history'] as const

const sourceOf = (folder: string, anomalies: string[] = []) =>
  new LogSource({ folders: [folder], chain: 'wax', onAnomaly: (kind) => anomalies.push(kind) })

/** Reads all blocks, and runs a callback after one of them. */
async function readAnd(source: LogSource, after: number, work: () => void): Promise<PackedBlock[]> {
  const read: PackedBlock[] = []
  for await (const block of source.blocks({ from: first, have: [] }, new AbortController().signal)) {
    read.push(block)
    if (block.num === after) work()
  }
  return read
}

/** Block range of a log's partition, from its file name. */
function rangeOf(name: string): string {
  const isFinality = name === 'finality_data_history'
  return `${isFinality ? blocks.find(({ finality }) => finality !== null)!.num : first}-${last}`
}

/** Moves the head files of a log into a folder, as a node does at the end of a stride. */
function rotate(folder: string, name: string, to: string): void {
  const target = join(folder, 'state-history', to)
  mkdirSync(target, { recursive: true })
  for (const ext of ['log', 'index']) {
    renameSync(join(folder, `state-history/${name}.${ext}`), join(target, `${name}-${rangeOf(name)}.${ext}`))
  }
}

const ids = (read: readonly PackedBlock[]): string[] => read.map(({ id }) => id)

t.test('head files may rotate while they are read', async (t) => {
  const folder = temporaryFolder(t)
  writeNodeLogs(folder, blocks)
  const read = await readAnd(sourceOf(folder), first + 5, () => {
    for (const name of HISTORIES) rotate(folder, name, 'retained')
  })
  t.same(ids(read), ids(blocks))
})

t.test('a partition may move to the archive while others are read, and may be removed', async (t) => {
  const middle = first + 60
  for (const isKept of [true, false]) {
    const folder = temporaryFolder(t)
    const history = join(folder, 'state-history')
    writeNodeLogs(folder, blocks)
    for (const [name, content] of [
      ['trace_history', 'traces'],
      ['chain_state_history', 'deltas'],
    ] as const) {
      const entries = blocks.map((block) => ({ id: block.id, content: block[content]! }))
      const cut = middle - first + 1
      save(
        join(history, 'retained'),
        `${name}-${first}-${middle}`,
        writeLog(entries.slice(0, cut), () => 'spring'),
      )
      save(
        history,
        name,
        writeLog(entries.slice(cut), () => 'leap5'),
      )
    }
    const reading = readAnd(sourceOf(folder), first, () => {
      // Only the first block is read: the file is still open, but the next source must find it elsewhere.
      const from = join(history, `retained/trace_history-${first}-${middle}`)
      mkdirSync(join(history, 'archive'), { recursive: true })
      for (const ext of ['log', 'index']) {
        if (isKept) renameSync(`${from}.${ext}`, join(history, `archive/trace_history-${first}-${middle}.${ext}`))
        else rmSync(`${from}.${ext}`)
      }
    })
    t.same(ids(await reading), ids(blocks), 'an open file is read to its end')
    const again = readAnd(sourceOf(folder), first, () => {})
    if (isKept) t.same(ids(await again), ids(blocks), 'the archive is searched too')
    else
      await t.rejects(again, { code: 'LOG_RANGE_MISSING', message: new RegExp(`trace_history: ${first} to ${middle}`) })
  }
})

t.test('a fork over the end of a stride: the partition becomes the head file again', async (t) => {
  const folder = temporaryFolder(t)
  writeNodeLogs(folder, blocks)
  for (const name of HISTORIES) rotate(folder, name, 'retained')
  t.same(ids(await readAnd(sourceOf(folder), 0, () => {})), ids(blocks), 'without head files')
  const read = await readAnd(sourceOf(folder), first + 3, () => {
    for (const name of HISTORIES) {
      for (const ext of ['log', 'index']) {
        const path = join(folder, 'state-history', `retained/${name}-${rangeOf(name)}.${ext}`)
        renameSync(path, join(folder, `state-history/${name}.${ext}`))
      }
    }
  })
  t.same(ids(read), ids(blocks))
})

t.test('the log of finality data may be cleared and started again', async (t) => {
  const folder = temporaryFolder(t)
  writeNodeLogs(folder, blocks)
  const path = join(folder, 'state-history/finality_data_history.log')
  // Larger than a window, so that the file is read again after it was cleared.
  const big = blocks.map(({ id, finality }) => ({
    id,
    content: Buffer.concat([finality ?? Buffer.alloc(0), Buffer.alloc(9000)]),
  }))
  save(
    join(folder, 'state-history'),
    'finality_data_history',
    writeLog(big, () => 'spring'),
  )
  const clear = () => {
    truncateSync(path, 0)
    truncateSync(path.replace('.log', '.index'), 0)
  }
  await t.rejects(readAnd(sourceOf(folder), first + 2, clear), {
    code: /LOG_CLEARED|LOG_CHANGED/,
    place: { file: path },
  })
  const read = await readAnd(sourceOf(folder), 0, () => {})
  t.ok(read.length === blocks.length && read.every(({ finality }) => finality === null), 'blocks come without it')
  const begin = blocks.length - 10
  save(
    join(folder, 'state-history'),
    'finality_data_history',
    writeLog(big.slice(begin), () => 'spring'),
  )
  const later = await readAnd(sourceOf(folder), 0, () => {})
  t.same(later.filter(({ finality }) => finality !== null).length, 10, 'and later with it')
})

t.test('reading ends before a torn tail, which is reported; after the node’s repair it is read', async (t) => {
  const folder = temporaryFolder(t)
  writeNodeLogs(folder, blocks)
  const path = join(folder, 'state-history/chain_state_history.log')
  const bytes = readFileSync(path)
  truncateSync(path, bytes.length - 20)
  const anomalies: string[] = []
  t.equal((await readAnd(sourceOf(folder, anomalies), 0, () => {})).at(-1)!.num, last - 1)
  t.same(anomalies, ['LOG_TORN'])
  writeFileSync(path, bytes)
  t.equal((await readAnd(sourceOf(folder), 0, () => {})).at(-1)!.num, last)
})

t.test('blocks that the node writes while it is read are read too, without nodes', async (t) => {
  const folder = temporaryFolder(t)
  const half = first + Math.floor(blocks.length / 2)
  writeNodeLogs(folder, blocks, { irreversible: half })
  const read = await readAnd(sourceOf(folder), half, () => writeNodeLogs(folder, blocks))
  t.same(ids(read), ids(blocks))
})

t.test('a damaged entry in the middle is an error with block, file and offset', async (t) => {
  const folder = temporaryFolder(t)
  writeNodeLogs(folder, blocks)
  const path = join(folder, 'state-history/trace_history.log')
  const bytes = readFileSync(path)
  const offset = Number(readFileSync(path.replace('.log', '.index')).readBigUInt64LE(20 * 8))
  for (const [at, code] of [
    [offset + 100, 'LOG_DAMAGED'],
    [offset + 4, 'LOG_DAMAGED'],
    [offset + 12, 'LOG_OTHER_BRANCH'],
    [offset, 'LOG_VERSION'],
  ] as const) {
    const altered = Buffer.from(bytes)
    altered[at]! ^= 0x11
    writeFileSync(path, altered)
    const read: number[] = []
    const reading = async () => {
      const source = sourceOf(folder)
      for await (const { num } of source.blocks({ from: first, have: [] }, new AbortController().signal)) read.push(num)
    }
    const place = { file: path, offset, block: first + 20 }
    await t.rejects(reading(), { code, place }, `byte ${at - offset} of the entry`)
    t.equal(read.at(-1), first + 19, 'the blocks before it are good')
  }
})

t.test('the last entry is read even if its suffix is not written yet', async (t) => {
  const folder = temporaryFolder(t)
  const entries = [7, 8].map((num) => ({
    id: num.toString(16).padStart(8, '0').padEnd(64, 'a'),
    content: Buffer.alloc(50, num),
  }))
  const { log, index } = writeLog(entries, () => 'spring')
  save(folder, 'log', { log: log.subarray(0, log.length - 8), index })
  const file = await HistoryFile.open(join(folder, 'log.log'), 1000)
  t.match(file, { range: { from: 7, to: 8 }, torn: null })
  const entry = await file!.read(8)
  t.same(Buffer.from(entry.content), Buffer.alloc(50, 8))
  t.equal(await file!.suffixFault(entry), null)
  await file!.close()
})
