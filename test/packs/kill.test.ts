// A pack and a fetch are killed before every step, and files are damaged under a fetch: nothing half-written is read,
// nothing half-loaded stays, and the next run ends with the same files and the same database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import type { Manifest } from '../../packs/format/manifest.ts'
import { readBlocks } from '../../packs/read/files.ts'
import { openManifest } from '../../packs/read/manifest.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { childModule } from '../support/child-module.ts'
import { testDatabase } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { until } from '../support/until.ts'
import type { KilledOptions } from './killed-child.ts'
import { digestOf, fetch, ID_90, pack, packFolder, RECORDINGS } from './scene.ts'
import { chunksOf } from './tamper.ts'

const isLong = process.env.HEADWATER_TEST_LONG !== undefined
const DAMAGED_FETCHES = isLong ? 300 : 3
const seed = seedFromEnvironment()
const trust = ID_90
const recording = RECORDINGS.small
const { signal } = new AbortController()
/** Exchanges two balances, as transfers do not give them: a verified fetch says so. */
const SWAP_BALANCES = `
  update state.balances b set amount = o.amount from state.balances o
  where b.symbol = 'TLM' and o.contract = b.contract and o.symbol = b.symbol and o.chain = b.chain
    and (b.account, o.account) in (('alice', 'bob'), ('bob', 'alice'))`
t.setTimeout(7_200_000)

t.test(`killed and damaged (HEADWATER_SEED=${seed})`, async (t) => {
  const random = new Random(seed)
  const original = packFolder(t)
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  await indexRecording(publisher.url, 'wax', new ReplaySource(recording), 90)
  await pack(publisher.url, original, recording, { publishMs: 0, partRanges: 2 })
  const { manifest } = (await openManifest(new FolderStore(original), signal))!
  const digest = await digestOf(publisher.url)

  await t.test('a pack that is killed before each step', async (t) => {
    const options = { work: 'pack', url: publisher.url, recording, trust: null } as const
    const { steps } = await child({ ...options, folder: packFolder(t), step: 0 })
    await beforeSteps(t, steps!, random, async (step) => {
      const folder = packFolder(t)
      const { signal: ended } = await child({ ...options, folder, step })
      const found = await openManifest(new FolderStore(folder), signal)
      for (const { rows, blocks } of found?.manifest.ranges ?? []) {
        await chunksOf(folder, rows)
        for await (const _ of readBlocks(new FolderStore(folder), blocks!, signal));
      }
      await pack(publisher.url, folder, recording, { publishMs: 0, partRanges: 2 })
      t.same((await openManifest(new FolderStore(folder), signal))!.manifest, manifest)
      const left = readdirSync(folder).filter((name) => !name.startsWith('.'))
      t.same(left.sort(), readdirSync(original).sort(), 'the same files')
      return ended
    })
  })

  for (const trusted of isLong ? [trust, null] : [trust]) {
    await t.test(`a fetch that is killed before each step, ${trusted ? 'verified' : 'unverified'}`, async (t) => {
      const options = { work: 'fetch', url: reader.url, recording, folder: original, trust: trusted } as const
      const { steps } = isLong ? await child({ ...options, step: 0 }) : { steps: 40 }
      await clear(reader.pool)
      const said = async (trusted: string | null) =>
        JSON.stringify(await fetch(reader.url, original, { verify: trusted ? { trust: trusted } : null }))
      const expected = await said(trusted)
      await clear(reader.pool)
      await beforeSteps(t, steps!, random, async (step) => {
        const { signal: ended } = await child({ ...options, step })
        // The server notices the end of the process when its current statement is over.
        await until('the sessions of the killed process end', () => hasNoSession(reader.pool))
        t.same(await halfLoaded(reader.pool, manifest), [], 'each range is there wholly or not at all')
        t.equal(await said(trusted), expected, 'it says the same')
        t.equal(await digestOf(reader.url), digest)
        await clear(reader.pool)
        return ended
      })
    })
  }

  await t.test('a fetch that is killed after it stored what it found', async (t) => {
    const folder = packFolder(t)
    await publisher.pool.query(SWAP_BALANCES)
    await pack(publisher.url, folder, recording)
    const verified = () => fetch(reader.url, folder, { verify: { trust } })
    const first = await verified()
    t.equal(first.doubts.length, 2)
    const options = { work: 'fetch', url: reader.url, recording, folder, trust, from: 'update meta.fetches' } as const
    await clear(reader.pool)
    const { steps } = await child({ ...options, step: 0 })
    // Before the position is there, when it is, somewhere among the indexes, and before it prints.
    for (const step of [2, 3, random.integer(4, steps! - 1), steps!]) {
      await clear(reader.pool)
      const { signal: ended } = await child({ ...options, step })
      t.equal(ended, 'SIGKILL', `step ${step} of about ${steps}`)
      await until('the sessions of the killed process end', () => hasNoSession(reader.pool))
      t.equal((await reader.pool.query('select from meta.position')).rowCount, step === 2 ? 0 : 1)
      t.equal(JSON.stringify(await verified()), JSON.stringify(first), 'it says the same')
    }
    await clear(reader.pool)
    await publisher.pool.query(SWAP_BALANCES)
  })

  await t.test(`${DAMAGED_FETCHES} fetches of a pack with a damaged file`, async (t) => {
    const folder = packFolder(t)
    cpSync(original, folder, { recursive: true })
    const names = readdirSync(folder).filter((name) => name.endsWith('.pack'))
    for (let i = 0; i < DAMAGED_FETCHES; i++) {
      const name = random.pick(names)
      const path = join(folder, name)
      const bytes = readFileSync(path)
      const at = random.integer(0, bytes.length - 1)
      const kind = i % 3
      if (kind === 0) rmSync(path)
      else {
        const flipped = Buffer.from(bytes)
        flipped[at]! ^= 1 << random.integer(0, 7)
        writeFileSync(path, kind === 1 ? bytes.subarray(0, at) : flipped)
      }
      const expected = { code: kind === 0 ? 'PACK_FILE_MISSING' : 'PACK_DAMAGED', place: { file: name } }
      await t.rejects(fetch(reader.url, folder, { verify: { trust }, restart: i % 2 === 0 }), expected, `${name} ${at}`)
      t.same(await halfLoaded(reader.pool, manifest), [])
      t.equal((await reader.pool.query('select from meta.position')).rowCount, 0)
      writeFileSync(path, bytes)
    }
    await fetch(reader.url, folder, { verify: { trust } })
    t.equal(await digestOf(reader.url), digest)
  })
})

/**
 * Calls `run` for each step until a process ends by itself, or for one step in the middle. Runs differ by some steps,
 * because renewals of the lease follow the clock.
 *
 * @param steps  of a process that was not killed
 * @param run    kills a process before the step, and checks what it left @returns the signal that ended it
 */
async function beforeSteps(
  t: Test,
  steps: number,
  random: Random,
  run: (step: number) => Promise<string | null>,
): Promise<void> {
  if (!isLong) {
    const step = random.integer(Math.floor(steps / 3), Math.floor((2 * steps) / 3))
    t.equal(await run(step), 'SIGKILL', `step ${step} of ${steps}`)
    return
  }
  let killed = 0
  while ((await run(killed + 1)) === 'SIGKILL') t.pass(`step ${++killed} of about ${steps}`)
  t.ok(killed > steps * 0.95, `killed before ${killed} of about ${steps} steps`)
}

async function child(options: KilledOptions): Promise<{ steps: number | null; signal: string | null }> {
  const { file, execArgv } = childModule('./killed-child.ts', import.meta.url)
  const env = { ...process.env }
  // Variables of the test runner would make the child run as a test.
  for (const name of Object.keys(env)) if (/^(TAP|_TAP|NODE_V8)/.test(name)) delete env[name]
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const started = spawn(process.execPath, [...execArgv, file, JSON.stringify(options)], { env, stdio: [...stdio] })
  let text = ''
  started.stdout?.on('data', (bytes) => {
    text += bytes
  })
  const [code, ended] = await once(started, 'close')
  if (code !== 0 && ended === null) throw new Error(`the child ended with ${code}`)
  return { steps: text === '' ? null : JSON.parse(text).steps, signal: ended }
}

async function clear(pool: Pool): Promise<void> {
  await pool.query(`select meta.clear_chain('wax')`)
}

async function hasNoSession(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(`select count(*)::int4 as sessions from pg_stat_activity
    where datname = current_database() and application_name like 'headwater fetch%'`)
  return rows[0].sessions === 0
}

/** Tables that have other rows of the ledger than those of the ranges that are noted as loaded. */
async function halfLoaded(pool: Pool, { ranges }: Manifest): Promise<string[]> {
  const position = await pool.query('select from meta.position')
  const noted = await pool.query<{ from: number }>('select first_block::int4 as "from" from meta.fetched_ranges')
  const loaded = new Set(noted.rows.map(({ from }) => from))
  const expected = new Map<string, number>()
  for (const { from, rows } of ranges) {
    for (const [table, count] of Object.entries(rows.rows)) {
      const isThere = position.rowCount === 1 || loaded.has(from)
      expected.set(table, (expected.get(table) ?? 0) + (isThere ? count : 0))
    }
  }
  const tables = [...expected.keys()].map((table) => `select '${table}' as name, count(*)::int4 as rows from ${table}`)
  const { rows } = await pool.query<{ name: string; rows: number }>(tables.join(' union all '))
  return rows.filter(({ name, rows }) => rows !== expected.get(name)).map(({ name, rows }) => `${name} ${rows}`)
}
