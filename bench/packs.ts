// Packs: a chain of quiet blocks is packed, fetched and verified in full, and fetched unverified; against a bare COPY of
// the same rows, and against the same blocks' frames compressed by the same method. All databases must have one digest.
// Figures are of as many blocks as the argument says; those of a million blocks are computed from them.
// Usage: node --max-semi-space-size=64 --max-old-space-size=12000 --import tsx bench/packs.ts [blocks]
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { finalizerPolicyDigest } from '../core/finality/finalizer-policy.ts'
import { toHex } from '../core/hex.ts'
import { countHours } from '../indexer/derive/hours/count.ts'
import { indexChain } from '../indexer/run.ts'
import { toFrame } from '../indexer/source/packed-block.ts'
import type { PackedBlock } from '../indexer/source/source.ts'
import { verifyChain } from '../indexer/verify/verify.ts'
import { FolderStore } from '../net/objects/folder.ts'
import { CHUNK, CHUNK_BYTES, packChunk } from '../packs/format/chunks.ts'
import { openManifest } from '../packs/read/manifest.ts'
import { packChain } from '../packs/write/pack.ts'
import { startTestCluster } from '../test/support/cluster.ts'
import { processorMs } from './decode/processor.ts'
import { blocksOf, MemorySource, quietChain } from './packs/chain.ts'
import { CHAIN, SETTINGS } from './packs/settings.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'
import { DEV } from './support/profile.ts'
import { ServerTime } from './support/server-time.ts'

const count = Number(process.argv[2] || 30_000)
const { signal } = new AbortController()

interface Measured<T> {
  value: T
  /** By the clock, and of a processor: this process and the server, seconds. */
  wall: number
  own: number
  server: number
}

console.log(hardware())
const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-packs-'))
const cluster = process.env.HEADWATER_BENCH_DATABASE ? null : await startTestCluster({ durable: true })
if (cluster) process.env.HEADWATER_BENCH_DATABASE = cluster.url
const databases = await Promise.all(['index', 'full', 'none'].map((name) => benchDatabase(`headwater_bench_${name}`)))
try {
  const [indexed, full, none] = databases.map(({ url }) => url) as [string, string, string]
  await run(indexed, full, none)
} finally {
  for (const database of databases) await database.close()
  await cluster?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function run(indexed: string, full: string, none: string): Promise<void> {
  const chain = quietChain(count)
  const trust = toHex(finalizerPolicyDigest(chain.genesisPolicy()))
  const blocks = blocksOf(chain)
  const size = blocks.reduce((sum, block) => sum + sizeOf(block), 0) / blocks.length
  console.log(`${blocks.length} blocks of ${(size / 1000).toFixed(1)} kB`)
  const time = await ServerTime.of(indexed)
  const index = await measure(time, () => indexBlocks(indexed, blocks))
  const rows = index.value
  console.log(`  ${(rows / blocks.length).toFixed(1)} rows of the ledger a block`)
  report('indexed', blocks.length, index)
  const packed = await measure(time, () => packBlocks(indexed, blocks))
  report('packed', blocks.length, packed)
  const verified = await inProcess(['fetch', full, folder, trust])
  report('fetched, verified in full', blocks.length, verified)
  const unverified = await inProcess(['fetch', none, folder])
  report('fetched, unverified', blocks.length, unverified)
  const bare = await inProcess(['bare', none])
  const { value: copied, wall: seconds } = bare
  const loaded = unverified.value
  const share = loaded / unverified.wall / (copied / seconds)
  console.log(
    `  bare COPY of ${copied} rows: ${seconds.toFixed(1)} s, ${Math.round(copied / seconds)} rows/s; processor: ${bare.own.toFixed(1)} s here, ${bare.server.toFixed(1)} s in the server`,
  )
  const ofProcessor = loaded / (unverified.own + unverified.server) / (copied / (bare.own + bare.server))
  console.log(
    `  fetched unverified: ${loaded} rows, ${Math.round(loaded / unverified.wall)} rows/s: ${percent(share)} of it by the clock, ${percent(ofProcessor)} by processor time`,
  )
  const million = (1e6 / blocks.length / 60) * verified.wall
  const cores = (1e6 / blocks.length / 60) * ((verified.own + verified.server) / 2)
  console.log(
    `  a million blocks verified in full, computed: ${million.toFixed(1)} minutes by the clock; ${cores.toFixed(1)} if two cores did nothing else`,
  )
  await sizes(blocks)
  const digests = new Set<string>()
  for (const url of [indexed, full, none]) digests.add(await digestOf(url))
  console.log(`  digests of the three databases: ${digests.size === 1 ? 'equal' : 'DIFFERENT'}`)
  console.log(`completeness: ${[...digests].join(' ')}`)
}

async function measure<T>(server: ServerTime, work: () => Promise<T>): Promise<Measured<T>> {
  const before = { wall: performance.now(), own: processorMs(), server: server.seconds() }
  const value = await work()
  const [wall, own] = [(performance.now() - before.wall) / 1000, (processorMs() - before.own) / 1000]
  return { value, wall, own, server: server.seconds() - before.server }
}

function report(what: string, blocks: number, { wall, own, server }: Measured<unknown>): void {
  const rate = (seconds: number) => String(Math.round(blocks / seconds)).padStart(6)
  console.log(
    `  ${what.padEnd(26)}${rate(wall)} blocks/s by the clock; ${wall.toFixed(1)} s; processor: ${own.toFixed(1)} s here, ${server.toFixed(1)} s in the server, ${rate(own + server)} blocks/s`,
  )
}

/** @returns rows of the ledger */
async function indexBlocks(databaseUrl: string, blocks: readonly PackedBlock[]): Promise<number> {
  let rows = 0
  await indexChain({
    ...DEV,
    ...{ chain: CHAIN, databaseUrl, source: new MemorySource(blocks), signal, finality: SETTINGS.finality },
    endBlock: blocks[0]?.lib.num,
    events: {
      opened() {},
      forked() {},
      decoded() {},
      retrying: (error) => {
        throw error
      },
      committed: (_last, _count, result) => {
        for (const [table, found] of result.rows) if (table.startsWith('ledger.')) rows += found
      },
    },
  })
  await countHours({ chain: CHAIN, databaseUrl })
  return rows
}

async function packBlocks(databaseUrl: string, blocks: readonly PackedBlock[]): Promise<void> {
  await packChain({
    ...{ chain: CHAIN, databaseUrl, store: new FolderStore(folder), settings: SETTINGS, signal, program: 'bench' },
    source: new MemorySource(blocks),
  })
}

/** @returns rows that were loaded */
async function inProcess(args: string[]): Promise<Measured<number>> {
  const module = new URL('./packs/fetch-process.ts', import.meta.url).pathname
  const words = ['--max-semi-space-size=64', '--import', 'tsx', module, ...args]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  const { rows, ...seconds } = JSON.parse(stdout) as Omit<Measured<number>, 'value'> & { rows: number }
  return { value: rows, ...seconds }
}

async function sizes(blocks: readonly PackedBlock[]): Promise<void> {
  const { ranges, states } = (await openManifest(new FolderStore(folder), signal))?.manifest ?? {
    ranges: [],
    states: [],
  }
  const sum = (files: ({ bytes: number } | null)[]) => files.reduce((all, file) => all + (file?.bytes ?? 0), 0)
  const rows = sum(ranges.map(({ rows }) => rows))
  const actions = sum(ranges.map(({ blocks }) => blocks))
  const state = sum(states.flatMap(({ rows, proof }) => [rows, proof]))
  let frames = 0
  let parts: Uint8Array[] = []
  let held = 0
  const flush = async () => {
    if (held > 0) frames += (await packChunk(CHUNK.data, Buffer.concat(parts))).length
    parts = []
    held = 0
  }
  for (const block of blocks) {
    const frame = toFrame(block)
    parts.push(frame)
    held += frame.length
    if (held >= CHUNK_BYTES) await flush()
  }
  await flush()
  const all = rows + actions + state
  const each = (bytes: number) => `${Math.round(bytes / blocks.length)} bytes a block`
  console.log(
    `  pack: ${each(all)} (rows ${each(rows)}, headers and actions ${each(actions)}, state ${(state / 1e3).toFixed(0)} kB); frames compressed by the same method: ${each(frames)}: ${percent(all / frames)}`,
  )
}

async function digestOf(url: string): Promise<string> {
  const { digest, ok } = await verifyChain(url, CHAIN)
  return `${ok ? 'consistent' : 'INCONSISTENT'} ${digest.sha256}`
}

function sizeOf({ block, traces, deltas, finality }: PackedBlock): number {
  return block.length + traces.length + (deltas?.length ?? 0) + (finality?.length ?? 0)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}
