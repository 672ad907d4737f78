// A node's logs: decoded and checked on one core, with digests, by two workers, and into PostgreSQL; against a bare pass
// over the files, a bare COPY of the rows, and the same blocks over a WebSocket from a node of one thread. Blocks have
// the shape of a real chain's (bench/blocks/profiles.ts). Every figure is printed with processor time, which other load
// on the machine disturbs less; the best of four rounds counts.
// Usage: node --import tsx bench/logs.ts [profile,...] [blocks] [files,socket,database]
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { StoredBlock } from '../devnet/chain/frame-store.ts'
import { LoopSource } from '../indexer/source/loop.ts'
import { toFrame } from '../indexer/source/packed-block.ts'
import type { BlockRange } from '../indexer/source/ranges.ts'
import type { PackedBlock } from '../indexer/source/source.ts'
import { CHAIN_ID, makeBlocks } from './blocks/chain.ts'
import { PROFILES } from './blocks/profiles.ts'
import { type WrittenLogs, writeLogs } from './blocks/write-logs.ts'
import { intoDatabase } from './logs/database.ts'
import { barePass, decodeLogs, type Measured } from './logs/measure.ts'
import { hardware } from './support/hardware.ts'

const names = (process.argv[2] || Object.keys(PROFILES).join()).split(',')
const count = Number(process.argv[3] || 2000)
const parts = new Set((process.argv[4] || 'files,socket,database').split(','))
/** Blocks that are made; the others repeat them with new ids, links, times and digests. */
const MADE = 100
const ROUNDS = 4

console.log(hardware())
for (const name of names) {
  const profile = PROFILES[name]
  if (!profile) throw new Error(`no profile ${name}: ${Object.keys(PROFILES).join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-logs-'))
  try {
    await measureProfile(name, folder, makeBlocks(profile, MADE))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureProfile(name: string, folder: string, made: ReturnType<typeof makeBlocks>): Promise<void> {
  const loop = join(folder, 'loop.ship')
  writeRecording(loop, made.blocks)
  const passes = Math.ceil(count / MADE)
  const setup = made.setup.map((block) => packed(block))
  const first = setup.length + 2
  const range = { from: first, to: first + passes * MADE - 1 }
  const logs: Record<string, WrittenLogs> = {}
  for (const style of parts.has('files') ? (['spring', 'leap5'] as const) : (['spring'] as const)) {
    logs[style] = await writeLogs(join(folder, style), chained(setup, repeated(loop, passes)), style, CHAIN_ID)
  }
  const size = made.blocks.reduce((sum, block) => sum + sizeOf(block), 0) / made.blocks.length
  console.log(`${name}: ${passes * MADE} blocks of ${(size / 1000).toFixed(1)} kB`)
  for (const style of ['spring', 'leap5'] as const) {
    if (parts.has('files'))
      await fromFiles(join(folder, style), style === 'leap5', range, size, logs[style]?.files ?? 0)
  }
  if (parts.has('socket')) await overSocket(join(folder, 'spring'), range, size)
  if (!parts.has('database')) return
  await writeLogs(join(folder, 'setup'), chained(setup, []), 'spring', CHAIN_ID)
  await intoDatabase(join(folder, 'setup'), join(folder, 'spring'), range)
}

async function fromFiles(from: string, isLeap: boolean, range: BlockRange, size: number, files: number): Promise<void> {
  const bare = await best(() => barePass(from, isLeap, range.to - 1))
  const plain = await best(() => decodeLogs(from, range, false))
  const checked = await best(() => decodeLogs(from, range, true))
  const ratio = (plain.blocks / plain.cpu / (bare.blocks / bare.cpu)) * 100
  console.log(`  ${isLeap ? 'Leap (zlib 6)' : 'Spring (stored)'}, ${(files / 1e6).toFixed(0)} MB of files`)
  console.log(`    bare pass                   ${speed(bare, size)}`)
  console.log(`    decoded, ids, links         ${speed(plain, size)}, ${ratio.toFixed(0)} % of the bare pass`)
  console.log(`    with digests                ${speed(checked, size)}`)
  const half = Math.floor((range.from + range.to) / 2)
  const first = { from: range.from, to: half }
  const alone = await inProcess(from, first, 'digests')
  const halves = await Promise.all([
    inProcess(from, first, 'digests'),
    inProcess(from, { from: half + 1, to: range.to }, 'digests'),
  ])
  const clock = halves.reduce((sum, { blocks, wall }) => sum + blocks / wall, 0)
  const together = halves.reduce((sum, { blocks, cpu }) => sum + blocks / cpu, 0)
  const ofOne = (together / (alone.blocks / alone.cpu)).toFixed(2)
  console.log(
    `    with digests, two processes ${Math.round(together)} blocks/s of their own cores' time (${ofOne} times one process), ${Math.round(clock)} by the clock`,
  )
  console.log(`    wanted: ${checked.actions} actions and ${checked.rows} rows`)
}

/** The best of some rounds, which other load disturbed least. */
async function best(measure: () => Promise<Measured>): Promise<Measured> {
  let found = await measure()
  for (let round = 1; round < ROUNDS; round++) {
    const next = await measure()
    if (next.cpu < found.cpu) found = next
  }
  return found
}

function speed({ blocks, cpu, wall }: Measured, size: number): string {
  const rate = String(Math.round(blocks / cpu)).padStart(7)
  const bytes = ((blocks * size) / cpu / 1e9).toFixed(2)
  return `${rate} blocks/s of processor time, ${bytes} GB/s; ${Math.round(blocks / wall)} blocks/s by the clock`
}

async function overSocket(folder: string, range: BlockRange, size: number): Promise<void> {
  const node = start('./logs/node-process.ts', [folder, CHAIN_ID])
  const lines = createInterface({ input: node.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const { value: url } = await lines.next()
  const client = await inProcess(url, range, 'plain')
  node.stdin?.end()
  // The client reads the blocks in eight rounds.
  const server = JSON.parse((await lines.next()).value) as { cpu: number }
  console.log(`  over a WebSocket from the devnet's node, which serves from one thread`)
  console.log(`    decoded, links              ${speed(client, size)}`)
  console.log(
    `    the node                    ${Math.round((8 * client.blocks) / server.cpu)} blocks/s of its processor time`,
  )
}

function start(module: string, args: string[]): ChildProcess {
  const path = new URL(module, import.meta.url).pathname
  return spawn(process.execPath, ['--max-semi-space-size=64', '--import', 'tsx', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

async function inProcess(
  from: string,
  { from: first, to }: { from: number; to: number },
  checks: string,
): Promise<Measured> {
  const child = start('./logs/range-process.ts', [from, String(first), String(to), checks])
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`a process ended with ${code}`)
  return JSON.parse(text) as Measured
}

async function* chained(
  setup: Iterable<PackedBlock>,
  then: Iterable<PackedBlock> | AsyncIterable<PackedBlock>,
): AsyncGenerator<PackedBlock> {
  yield* setup
  yield* then
}

function repeated(loop: string, passes: number): AsyncIterable<PackedBlock> {
  return new LoopSource(loop, passes).blocks({ from: 0, have: [] }, new AbortController().signal)
}

function packed(block: StoredBlock): PackedBlock {
  const position = { num: block.num, id: block.id }
  return { ...block, kind: 'packed', prevId: block.prevId ?? '0'.repeat(64), head: position, lib: position }
}

function sizeOf({ block, traces, deltas, finality }: StoredBlock): number {
  return block.length + traces.length + deltas.length + (finality?.length ?? 0)
}

/** A recording as `headwater record` writes it, not compressed. */
function writeRecording(path: string, blocks: readonly StoredBlock[]): void {
  const parts: Uint8Array[] = []
  const add = (bytes: Uint8Array) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    parts.push(length, bytes)
  }
  // The start of the file is the ABI of state history, of which only these names are looked for.
  add(Buffer.from('{"structs": ["get_blocks_request_v0", "get_blocks_request_v1", "get_status_request_v1"]}'))
  for (const block of blocks) add(toFrame(packed(block)))
  writeFileSync(path, Buffer.concat(parts))
}
