// A fetch that was stopped, or that met a damaged file, leaves no chain that programs use, and continues when it is run
// again.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { startsFromJson } from '../../packs/format/starts.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { startAfter } from './checked.ts'
import { digestOf, fetch, ID_90, pack, packFolder, RECORDINGS } from './scene.ts'
import { manifestOf, putManifest } from './tamper.ts'

const trust = ID_90

t.test('stopped fetches and damaged files', async (t) => {
  const folder = packFolder(t)
  const publisher = await testDatabase(t)
  await indexRecording(publisher.url, 'wax', new ReplaySource(RECORDINGS.small), 90)
  await pack(publisher.url, folder, RECORDINGS.small)
  const digest = await digestOf(publisher.url)

  for (const verify of [null, { trust }]) {
    await t.test(verify ? 'verified' : 'unverified', async (t) => {
      const { url, pool } = await testDatabase(t)
      const stop = new AbortController()
      const options = { verify, connections: 1, onRange: () => stop.abort() }
      await t.rejects(fetch(url, folder, { ...options, signal: stop.signal }))
      const { rows } = await pool.query('select first_block, last_block from meta.fetched_ranges order by 1')
      t.ok(rows.length > 0 && rows.length < 4, 'some ranges are there')
      t.equal((await pool.query('select from meta.position')).rowCount, 0)
      await t.rejects(indexRecording(url, 'wax', new ReplaySource(RECORDINGS.small)), { code: 'FETCH_UNFINISHED' })

      const { rows: file } = manifestOf(folder).ranges.at(-1)!
      const bytes = readFileSync(join(folder, file.name))
      const damaged = Buffer.from(bytes)
      damaged[bytes.length >> 1]! ^= 16
      writeFileSync(join(folder, file.name), damaged)
      // One after the other: a second session would be stopped somewhere in its own range.
      const damage = { code: 'PACK_DAMAGED', place: { file: file.name } }
      await t.rejects(fetch(url, folder, { verify, connections: 1 }), damage)
      const stored = await pool.query('select max(block_num)::int4 as num from ledger.blocks')
      t.equal(stored.rows[0].num, 75, 'nothing of the damaged file is there')

      writeFileSync(join(folder, file.name), bytes)
      const ranges: number[] = []
      await fetch(url, folder, { verify, onRange: ({ from }) => ranges.push(from) })
      t.same(ranges, [76], 'the other ranges are not loaded again')
      t.equal(await digestOf(url), digest)
      t.equal((await pool.query('select from meta.fetched_ranges')).rowCount, 0)
    })
  }

  await t.test('a fetch does not continue with the rows of another pack', async (t) => {
    const { url } = await testDatabase(t)
    const stop = new AbortController()
    await t.rejects(fetch(url, folder, { connections: 1, onRange: () => stop.abort(), signal: stop.signal }))
    const manifest = manifestOf(folder)
    const other = packFolder(t)
    manifest.ranges[0]!.rows.sha256 = 'ab'.repeat(32)
    putManifest(other, manifest)
    await t.rejects(fetch(url, other), { code: 'FETCH_OTHER_PACK' })
    await fetch(url, folder, { restart: true })
    t.equal(await digestOf(url), digest)
  })

  await t.test('a fetched range that is not in the pack is refused', async (t) => {
    const { url, pool } = await testDatabase(t)
    const stop = new AbortController()
    await t.rejects(fetch(url, folder, { connections: 1, onRange: () => stop.abort(), signal: stop.signal }))
    await pool.query(
      `insert into meta.fetched_ranges (chain, first_block, last_block, sha256) values ('wax', 33, 40, $1)`,
      ['ab'.repeat(32)],
    )
    await t.rejects(fetch(url, folder), { code: 'FETCH_OTHER_PACK', place: { block: 33 } })
    // As version 0.1.0 kept a range.
    await pool.query('delete from meta.fetched_ranges where first_block = 33')
    const [first] = manifestOf(folder).ranges
    await pool.query('update meta.fetched_ranges set sha256 = $1 where first_block = $2', [
      first?.rows.sha256,
      first?.from,
    ])
    const earlier = { message: /by an earlier version/, hint: 'begin again with --restart' }
    await t.rejects(fetch(url, folder), { code: 'FETCH_OTHER_PACK', ...earlier })
  })

  await t.test('a fetch that is run again before anything is indexed says the same', async (t) => {
    const { url, pool } = await testDatabase(t)
    const verify = { trust }
    const first = await fetch(url, folder, { verify })
    t.ok(Object.keys(first.report.columns).length > 5)
    t.ok(first.report.equal['ledger.swaps'] && first.rows > 1000)
    t.equal(JSON.stringify(await fetch(url, folder, { verify })), JSON.stringify(first), 'also in the order of tables')
    await pool.query('update meta.position set indexed = false')
    t.equal(JSON.stringify(await fetch(url, folder, { verify })), JSON.stringify(first))
    t.equal((await pool.query('select from meta.position where indexed')).rowCount, 1)

    const other = new RegExp(`by --verify full --trust ${trust}`)
    for (const verify of [null, { trust: 'ab'.repeat(32) }, { trust, isSampled: () => true }]) {
      await t.rejects(fetch(url, folder, { verify }), { code: 'FETCH_NOT_EMPTY', message: other })
    }

    await pool.query(`update meta.fetches set unverified = jsonb_set(unverified, '{abis}', '["bridge.svc"]')`)
    t.same((await fetch(url, folder, { verify })).report.foreignAbis, ['bridge.svc'])
    // As earlier versions stored it.
    await pool.query(
      `update meta.fetches set unverified = unverified - '{claims,doubts,equal,confirmedBy,total}'::text[]`,
    )
    const report = { confirmedBy: `the run before, which trusted ${trust}`, equal: {}, columns: first.report.columns }
    t.match(await fetch(url, folder, { verify }), { rows: 0, claims: [], doubts: [], report })
    await pool.query(`update meta.fetches set unverified = unverified -> 'rows'`)
    t.same((await fetch(url, folder, { verify })).report.unverified, first.report.unverified)

    await indexRecording(url, 'wax', new ReplaySource(RECORDINGS.small))
    await t.rejects(fetch(url, folder, { verify }), { code: 'FETCH_NOT_EMPTY' })
  })

  await t.test('doubts and claims of the publisher are said again after a kill', async (t) => {
    const other = packFolder(t)
    cpSync(folder, other, { recursive: true })
    await startAfter(other, 50)
    const manifest = { ...manifestOf(other), stateBlock: 50, chainId: 'ab'.repeat(32) }
    putManifest(other, manifest)
    const { url, pool } = await testDatabase(t)
    const { claims, doubts } = await fetch(url, other)
    t.same(claims, [
      'indexing began with the whole state of block 50',
      `the chain switched to Savanna with block ${startsFromJson(manifest.starts).savanna?.lineage.genesis}`,
      `the id of the chain is ${'ab'.repeat(32)}`,
    ])
    t.match(await fetch(url, other), { claims, doubts })
    putManifest(other, { ...manifest, stateBlock: manifest.firstBlock - 2 })
    await t.rejects(fetch(url, other), {
      code: 'PACK_DAMAGED',
      message: /begins with block \d+ and the state of block/,
    })
    putManifest(other, manifest)
    await pool.query(`select meta.clear_chain('wax')`)
    const configured = await fetch(url, other, { chainId: manifest.chainId })
    t.same(configured.claims, claims.slice(0, 2))
  })

  await t.test('refuted rows that cannot be removed are named', async (t) => {
    const other = packFolder(t)
    cpSync(folder, other, { recursive: true })
    const manifest = manifestOf(other)
    manifest.ranges[2]!.lastId = 'ab'.repeat(32)
    putManifest(other, manifest)
    const refuted = { code: 'PACK_REFUTED', message: /the manifest says block 75 is abab/ }
    const { url, pool } = await testDatabase(t)
    await pool.query(
      `insert into meta.range_digests (chain, first_block, name, row_count, sha256) values ('wax', 0, '', 0, '')`,
    )
    await t.rejects(fetch(url, other, { verify: { trust } }), refuted)
    t.equal((await pool.query('select from meta.range_digests')).rowCount, 0)
    t.equal((await pool.query('select from ledger.blocks')).rowCount, 0)
    // Another process takes the chain over.
    await pool.query(`create function meta.steal() returns trigger language plpgsql security definer as $$
      begin update meta.leases set token = gen_random_uuid() where purpose = 'write'; return new; end $$;
      create trigger steal after insert on meta.fetched_ranges for each row when (new.first_block > 25) execute function meta.steal()`)
    const left = { ...refuted, message: /abab.*could not be removed: .*another process/ }
    await t.rejects(fetch(url, other, { verify: { trust } }), left)
    t.ok((await pool.query('select from ledger.blocks')).rowCount, 'the rows may be those of the other process')
  })

  await t.test('a publisher that was killed before it wrote the state proves its last block', async (t) => {
    const copy = packFolder(t)
    cpSync(folder, copy, { recursive: true })
    const manifest = manifestOf(copy)
    const [state] = manifest.states.splice(0)
    putManifest(copy, manifest)
    t.match(await pack(publisher.url, copy, RECORDINGS.small), { written: 0, ranges: 4, proved: true })
    t.same(manifestOf(copy).states, [state])
  })

  await t.test('a database that lacks a block is not packed', async (t) => {
    const { url, pool } = await testDatabase(t)
    await fetch(url, folder)
    await pool.query('delete from ledger.blocks where block_num = 30')
    const missing = { code: 'PACK_GAP', message: /ledger.blocks has 24 of the 25 blocks from 26 to 50/ }
    await t.rejects(pack(url, packFolder(t), RECORDINGS.small), missing)
  })

  await t.test('a publisher that was killed before it wrote the manifest continues', async (t) => {
    const copy = packFolder(t)
    const stop = new AbortController()
    await t.rejects(
      pack(publisher.url, copy, RECORDINGS.small, {
        onRange: (_, to) => to === 50 && stop.abort(),
        signal: stop.signal,
      }),
    )
    t.equal(manifestOf(copy).ranges.length, 2)
    const { url } = await testDatabase(t)
    await t.rejects(fetch(url, copy), { code: 'PACK_UNFINISHED' })
    t.match(await pack(publisher.url, copy, RECORDINGS.small), { written: 2, ranges: 4 })
    t.same(manifestOf(copy).ranges, manifestOf(folder).ranges, 'the same files, byte for byte')
    // Rows are made from headers, so both ways of fetching read the blocks.
    const { name } = manifestOf(copy).ranges[0]!.blocks!
    rmSync(join(copy, name))
    for (const verify of [{ trust }, null]) {
      await t.rejects(fetch(url, copy, { verify }), { code: 'PACK_FILE_MISSING', place: { file: name } })
    }
    cpSync(join(folder, name), join(copy, name))
    await fetch(url, copy)
    t.equal(await digestOf(url), digest)
  })
})
