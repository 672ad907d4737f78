// What a publisher's database has wrong where no block commits to it, and what it comes to know later.
import t from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { FolderStore } from '../../net/objects/folder.ts'
import { openPack } from '../../packs/read/fetch.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { CHAIN, fetch, ID_90, pack, packFolder, RECORDINGS, SETTINGS } from './scene.ts'
import { manifestOf } from './tamper.ts'

t.test('balances that transfers do not give are doubts of a fetch, and no reason to refuse it', async (t) => {
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  await indexRecording(publisher.url, CHAIN, new ReplaySource(RECORDINGS.small), 90)
  const right = packFolder(t)
  await pack(publisher.url, right, RECORDINGS.small)
  const clean = await testDatabase(t)
  t.same((await fetch(clean.url, right, { verify: { trust: ID_90 } })).doubts, [])

  await publisher.pool.query(
    `update state.balances b set amount = o.amount from state.balances o
     where b.symbol = 'TLM' and o.contract = b.contract and o.symbol = b.symbol and o.chain = b.chain
       and (b.account, o.account) in (('alice', 'bob'), ('bob', 'alice'))`,
  )
  const folder = packFolder(t)
  await pack(publisher.url, folder, RECORDINGS.small)
  const { block, doubts } = await fetch(reader.url, folder, { verify: { trust: ID_90 } })
  t.equal(block, 90)
  t.match(doubts, [/^balance of alice in TLM .* its transfers give \d+/, /^balance of bob in TLM/])
  // After a kill between the position and the indexes.
  await reader.pool.query('update meta.position set indexed = false')
  t.match(await fetch(reader.url, folder, { verify: { trust: ID_90 } }), { block, doubts })
})

t.test('quotes of a refused pack are not kept: those of the next one count', async (t) => {
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  await indexRecording(publisher.url, CHAIN, new ReplaySource(RECORDINGS.small), 90)
  const quote = (usd: number) => [CHAIN, '2026-01-01T00:00:00Z', usd, 'quotes.test']
  const insert = 'insert into meta.usd_quotes values ($1, $2, $3, $4)'
  const quotes = async () => (await reader.pool.query('select usd::int4 from meta.usd_quotes')).rows
  await publisher.pool.query(insert, quote(1))
  const [right, wrong] = [packFolder(t), packFolder(t)]
  await pack(publisher.url, right, RECORDINGS.small)
  await publisher.pool.query(`alter table meta.usd_quotes disable trigger user; update meta.usd_quotes set usd = 999`)
  await publisher.pool.query('delete from state.ticks where tick = (select min(tick) from state.ticks)')
  await pack(publisher.url, wrong, RECORDINGS.small)

  const options = { verify: { trust: ID_90 } }
  await t.rejects(fetch(reader.url, wrong, options), { code: 'PACK_REFUTED', message: /state.ticks/ })
  t.same(await quotes(), [])
  await fetch(reader.url, right, options)
  t.same(await quotes(), [{ usd: 1 }])
})

t.test('a chain id that the publisher comes to know is in the manifest from then on', async (t) => {
  const { url, pool } = await testDatabase(t)
  await indexRecording(url, CHAIN, new ReplaySource(RECORDINGS.small), 60)
  const { rows } = await pool.query<{ id: string }>('select chain_id as id from meta.position')
  const chainId = rows[0]?.id ?? ''
  await pool.query('update meta.position set chain_id = null')
  const folder = packFolder(t)
  await pack(url, folder, RECORDINGS.small)
  t.equal(manifestOf(folder).chainId, null)
  const wanted = {
    store: new FolderStore(folder),
    chain: CHAIN,
    chainId,
    settings: SETTINGS,
    signal: new AbortController().signal,
  }
  await t.rejects(openPack(wanted), { code: 'PACK_OTHER_CHAIN', hint: /its publisher must run `headwater pack` again/ })
  await pool.query('update meta.position set chain_id = $1', [chainId])
  await indexRecording(url, CHAIN, new ReplaySource(RECORDINGS.small), 90)
  await pack(url, folder, RECORDINGS.small)
  t.equal((await openPack(wanted)).chainId, chainId)
})
