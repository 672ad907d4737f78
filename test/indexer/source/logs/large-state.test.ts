// A log of deltas that begins with the whole state of a large chain: its rows are indexed one for one within a bound of
// memory, in a process of its own. The file is made with the independent writer's layout.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflate } from 'node:zlib'
import t from 'tap'
import { LogSource } from '../../../../indexer/source/logs/source.ts'
import { checkLogs } from '../../../../indexer/verify/logs/check-logs.ts'
import { childModule } from '../../../support/child-module.ts'
import { testDatabase } from '../../../support/database.ts'
import { u64 } from '../../../support/log-writer.ts'
import { recordedBlocks, writeNodeLogs } from '../../../support/recorded-logs.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { type StateSize, stateBytes, stateChunks } from './large-state.ts'

const LONG = process.env.HEADWATER_TEST_LONG !== undefined
const MEGABYTE = 1e6
/** 300 MB of deltas, or 2.1 GB, in which the balances are a part. */
const SIZE: StateSize = LONG ? { balances: 1_500_000, code: 7700 } : { balances: 60_000, code: 1120 }
/** Largest memory of the process that indexes. */
const BOUND = 512 * MEGABYTE
const PROGRAM = childModule('./index-logs.ts', import.meta.url)

/** Writes an entry whose payload is deflated while it is made. @returns its size, bytes */
async function writeStateEntry(path: string, id: string, level: number): Promise<number> {
  const size = stateBytes(SIZE)
  const deflated = `${path}.zlib`
  await pipeline(Readable.from(stateChunks(SIZE)), createDeflate({ level }), createWriteStream(deflated))
  const payload = statSync(deflated).size + 12
  const head = Buffer.concat([u64(0xc35d500000000000n), Buffer.from(id, 'hex'), u64(payload)])
  const form = Buffer.concat([Buffer.from([1, 0, 0, 0]), u64(size)])
  const parts = async function* () {
    yield Buffer.concat([head, form])
    const { createReadStream } = await import('node:fs')
    yield* createReadStream(deflated, { highWaterMark: 1 << 20 })
    yield u64(0)
  }
  await pipeline(Readable.from(parts()), createWriteStream(path))
  return payload + 56
}

t.test('the whole state as the first entry', async (t) => {
  const { url, pool } = await testDatabase(t)
  const folder = temporaryFolder(t)
  const blocks = (await recordedBlocks('small')).slice(5, 60)
  const first = blocks[0]!
  // The block before the first one: only the log of deltas has it, with the whole state.
  writeNodeLogs(folder, blocks, { style: () => 'spring' })
  const history = join(folder, 'state-history')
  const path = join(history, 'chain_state_history.log')
  const [log, index] = [readFileSync(path), readFileSync(path.replace('.log', '.index'))]
  mkdirSync(history, { recursive: true })
  const size = await writeStateEntry(path, first.prevId, LONG ? 0 : 1)
  const positions = Array.from({ length: index.length / 8 }, (_, slot) => Number(index.readBigUInt64LE(slot * 8)))
  // The other entries follow, with their own positions as suffixes.
  const moved = Buffer.from(log)
  for (const [slot, position] of positions.entries()) {
    const end = positions[slot + 1] ?? log.length
    moved.writeBigUInt64LE(BigInt(position + size), end - 8)
  }
  writeFileSync(path, moved, { flag: 'a' })
  writeFileSync(path.replace('.log', '.index'), Buffer.concat([0, ...positions.map((at) => at + size)].map(u64)))
  const content = stateBytes(SIZE)
  t.ok(content > (LONG ? 2_000 : 250) * MEGABYTE, `${Math.round(content / MEGABYTE)} MB of deltas`)

  const args = [...PROGRAM.execArgv, PROGRAM.file, url, folder]
  const child = spawn(process.execPath, ['--max-semi-space-size=64', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  const [code] = await once(child, 'close')
  t.equal(code, 0)
  const { position, largest } = JSON.parse(output)
  t.equal(position.num, blocks.at(-1)!.num)
  t.equal(position.stateBlock, first.num - 1)
  t.ok(largest < BOUND, `at most ${Math.round(largest / MEGABYTE)} MB of memory`)
  const { rows } = await pool.query(
    `select count(*)::int4 as rows, sum(amount)::text as total from state.balances where contract = 'token.svc' and symbol = 'BIG'`,
  )
  const count = BigInt(SIZE.balances)
  t.same(rows, [{ rows: SIZE.balances, total: `${(count * (count - 1n)) / 2n}` }])

  t.test('is walked by the check, whose report names its form', async (t) => {
    const report = await checkLogs({ folders: [folder], to: first.num })
    t.same(report.problems, [])
    const deltas = report.logs.find((found) => found.log === 'chain_state_history')
    t.same(deltas?.payloads, LONG ? { 'stored size': 2 } : { 'zlib size': 1, 'stored size': 1 })
  })
  t.test('altered or truncated, it is refused with its position', { skip: LONG }, async (t) => {
    const signal = new AbortController().signal
    const whole = readFileSync(path)
    const read = () => new LogSource({ folders: [folder], chain: 'wax' }).firstState(2, undefined, signal)
    for (const at of [size - 9, size - 20, Math.floor(size / 2), 48 + 12 + 1]) {
      const altered = Buffer.from(whole)
      altered[at]! ^= 0x11
      writeFileSync(path, altered)
      await t.rejects(read(), { code: 'LOG_DAMAGED', place: { offset: 0, block: first.num - 1 } }, `byte ${at}`)
    }
    const altered = Buffer.from(whole)
    altered[52]! ^= 1
    writeFileSync(path, altered)
    await t.rejects(read(), { code: 'LOG_DAMAGED', message: /bytes of content/ })
  })
})
