// A chain travels in a pack: the database that is filled from it equals the indexed one, and continues from the source.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { digestOf, fetch, ID_90, POLICY, pack, packFolder, RECORDINGS, SETTINGS } from './scene.ts'
import { manifestOf, putManifest } from './tamper.ts'

const trust = `${POLICY},${ID_90}`
const STRANGER = 'ab'.repeat(32)

t.test('a fetched database equals the indexed one, and continues', async (t) => {
  const folder = packFolder(t)
  const recording = RECORDINGS.small
  const [publisher, none, full] = [await testDatabase(t), await testDatabase(t), await testDatabase(t)]
  await indexRecording(publisher.url, 'wax', new ReplaySource(recording), 90)
  const first = await pack(publisher.url, folder, recording)
  const policy = { digest: POLICY, generation: 1, replaces: null }
  t.match(first, { written: 4, ranges: 4, block: 90, proved: true, hasBlocks: true, hasLegacy: true, policy })
  const digest = await digestOf(publisher.url)

  await t.test('without verification', async (t) => {
    const { report } = await fetch(none.url, folder)
    t.equal(report.confirmedBy, null)
    t.equal(await digestOf(none.url), digest)
  })

  await t.test('verified by a finalizer policy and a block id', async (t) => {
    const { report, block, id } = await fetch(full.url, folder, { verify: { trust } })
    t.same([block, id], [first.block, first.id])
    t.equal(report.confirmedBy, `finalizer policy ${POLICY} and block 90 ${ID_90}`)
    t.ok(
      ['blocks', 'swaps', 'transfers', 'deals', 'finality', 'abis'].every((table) => report.equal[`ledger.${table}`]),
    )
    t.equal(report.equal['ledger.blocks'], 89)
    t.ok(Object.keys(report.unverified).every((table) => !/ledger\.(swaps|transfers|deals|blocks)$/.test(table)))
    t.ok(report.unverified['ledger.market_fees'] && report.unverified['state.balances'])
    t.equal(await digestOf(full.url), digest)
    const { rows } = await full.pool.query(
      'select verify, trusted, finished_at is not null as done, unverified from meta.fetches',
    )
    t.match(rows, [
      {
        verify: 'full',
        trusted: trust,
        done: true,
        unverified: { rows: report.unverified, columns: report.columns, abis: [] },
      },
    ])
  })

  await t.test('verified by a sample', async (t) => {
    const { url, pool } = await testDatabase(t)
    const isSampled = (place: number, ranges: number) => place > 0 && ranges === 4
    const { report } = await fetch(url, folder, { verify: { trust, isSampled } })
    t.equal(report.confirmedBy, `finalizer policy ${POLICY} and block 90 ${ID_90}`)
    const [range] = manifestOf(folder).ranges
    t.equal(report.unverified['ledger.transfers'], range!.rows.rows['ledger.transfers'])
    t.equal(report.equal['ledger.blocks'], 65)
    t.equal(await digestOf(url), digest)
    t.match((await pool.query('select verify from meta.fetches')).rows, [{ verify: 'sample' }])
  })

  await t.test('all continue from the source to the same rows', async (t) => {
    for (const { url } of [publisher, none, full]) await indexRecording(url, 'wax', new ReplaySource(recording))
    const end = await digestOf(publisher.url)
    t.not(end, digest)
    t.equal(await digestOf(none.url), end)
    t.equal(await digestOf(full.url), end)
  })

  await t.test('the publisher continues, and no published file changes', async (t) => {
    const files = readdirSync(folder)
    t.match(await pack(publisher.url, folder, recording), { written: 2, ranges: 6, block: 103, proved: false })
    t.ok(files.every((name) => readdirSync(folder).includes(name)))
    t.match(await pack(publisher.url, folder, recording), { written: 0, ranges: 6 })
    const later = await testDatabase(t)
    // The recording ends with the last block: no certificate on it, and no header that commits to its actions.
    const { id } = manifestOf(folder).states[1]!
    for (const trust of [POLICY, id, `${POLICY},${id}`]) {
      await t.rejects(fetch(later.url, folder, { verify: { trust } }), { code: 'PACK_NOT_TRUSTED' })
      t.equal((await later.pool.query('select from meta.position')).rowCount, 0, 'no program uses the rows')
    }
    const refused: number[] = []
    const other = { verify: { trust: STRANGER }, onRange: ({ from }: { from: number }) => refused.push(from) }
    const untrusted = { code: 'PACK_NOT_TRUSTED', message: /block 2 is before Savanna/ }
    const early = await testDatabase(t)
    await t.rejects(fetch(early.url, folder, other), untrusted)
    t.ok(refused.length < 2, 'another policy is found before most of the rows are loaded')
    await fetch(later.url, folder)
    t.equal(await digestOf(later.url), await digestOf(publisher.url))
  })

  await t.test('a publisher that was rewound, or has other settings, is refused', async (t) => {
    const rewound = manifestOf(folder)
    const before = packFolder(t)
    rewound.ranges.at(-1)!.lastId = STRANGER
    rewound.states.pop()
    putManifest(before, rewound)
    await t.rejects(pack(publisher.url, before, recording), { code: 'PACK_OTHER_BRANCH' })
    const settings = { ...SETTINGS, accounts: { ...SETTINGS.accounts, amm: 'other.svc' } }
    await t.rejects(pack(publisher.url, folder, recording, { settings }), {
      code: 'PACK_OTHER_SETTINGS',
      message: /accounts/,
    })
    const empty = await testDatabase(t)
    await t.rejects(fetch(empty.url, folder, { settings }), { code: 'PACK_OTHER_SETTINGS' })
    await t.rejects(fetch(full.url, folder), { code: 'FETCH_NOT_EMPTY' })
    await t.rejects(fetch(empty.url, join(folder, 'nowhere')), { code: 'PACK_FILE_MISSING' })
  })
})

t.test('a pack of a chain with forks', async (t) => {
  const folder = packFolder(t)
  const recording = RECORDINGS.forks
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  await indexRecording(publisher.url, 'wax', new ReplaySource(recording), 260)
  const { block, id } = await pack(publisher.url, folder, recording, { blocksPerFile: 100 })
  const position = await publisher.pool.query('select block_num::int4 as num, lib_num::int4 as lib from meta.position')
  t.ok(position.rows[0].lib < position.rows[0].num, 'blocks that a fork can replace are there')
  t.equal(block, position.rows[0].lib, 'and are not packed')
  await fetch(reader.url, folder, { verify: { trust: id } })
  for (const { url } of [publisher, reader]) await indexRecording(url, 'wax', new ReplaySource(recording))
  t.equal(await digestOf(reader.url), await digestOf(publisher.url))
})
