// Rewinds by command: reversible blocks are removed and can be indexed again. Below the last irreversible block, a
// rewind needs force.
import t from 'tap'
import { rewindChain } from '../../../indexer/rewind/rewind.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { ChainWriter } from '../../../indexer/store/writer.ts'
import { verifyChain } from '../../../indexer/verify/verify.ts'
import { testDatabase } from '../../support/database.ts'
import { canonicalBlocks, readFrames } from '../replay/frames.ts'
import { indexRecording, LinearSource } from '../replay/index-recording.ts'

const path = new URL('../../fixtures/recordings/forks.ship.gz', import.meta.url).pathname
const chain = 'wax'

t.test('a chain is rewound', async (t) => {
  const { url, pool } = await testDatabase(t)
  const { position } = await indexRecording(url, chain, new ReplaySource(path))
  const before = await verifyChain(url, chain)
  const { lib, num } = position
  t.ok(lib < num, 'there are reversible blocks')
  const source = () =>
    readFrames(path).then(
      (frames) =>
        new LinearSource(
          path,
          canonicalBlocks(frames).map(({ id }) => id),
        ),
    )
  const blockNow = async () =>
    (await pool.query('select block_num::int4 as n from meta.position where chain = $1', [chain])).rows[0]?.n

  t.test('a rewind is refused while the chain is indexed', async (t) => {
    const writer = await ChainWriter.open({ chain, databaseUrl: url, chainId: null })
    await t.rejects(rewindChain({ url, chain, to: lib }), { code: 'WRITER_FENCED' })
    await writer.close()
    t.equal(await blockNow(), num)
  })

  t.test(
    'a rewind is refused below the last irreversible block, before the history, and for an unknown chain',
    async (t) => {
      await t.rejects(rewindChain({ url, chain, to: lib - 1 }), { code: 'REWIND_BELOW_LIB', hint: /--force/ })
      await t.rejects(rewindChain({ url, chain, to: 0, force: true }), { code: 'REWIND_BEFORE_HISTORY' })
      await t.rejects(rewindChain({ url, chain: 'telos', to: 5 }), { code: 'UNKNOWN_CHAIN' })
      t.equal((await pool.query('select from meta.rewinds')).rowCount, 0)
    },
  )

  t.test('a rewind to the current block changes nothing', async (t) => {
    t.same(await rewindChain({ url, chain, to: num }), { outcome: 'nothing', from: num })
  })

  t.test('a rewind to the last irreversible block restores state and candles', async (t) => {
    t.same(await rewindChain({ url, chain, to: lib }), { outcome: 'rewound', from: num })
    t.equal(await blockNow(), lib)
    await indexRecording(url, 'stopped', await source(), lib)
    t.same((await verifyChain(url, chain)).digest, (await verifyChain(url, 'stopped')).digest)
    t.ok((await verifyChain(url, chain)).ok)
  })

  t.test('indexing again gives the same digest', async (t) => {
    await indexRecording(url, chain, new ReplaySource(path))
    t.same((await verifyChain(url, chain)).digest, before.digest)
  })

  t.test(
    'a rewind below the last irreversible block needs --force by the owner, and removes the whole chain',
    async (t) => {
      const asWriter = `${url}${url.includes('?') ? '&' : '?'}options=-c%20role%3Dheadwater_writer`
      await t.rejects(rewindChain({ url: asWriter, chain, to: lib - 1, force: true }), { code: 'NOT_OWNER' })
      t.equal(await blockNow(), num)
      await pool.query(
        `insert into meta.backfill_ranges (chain, first_block, last_block) values ($1, 500, 600), ('stopped', 500, 600)`,
        [chain],
      )
      t.same(await rewindChain({ url, chain, to: lib - 1, force: true }), { outcome: 'cleared', from: num })
      t.same((await pool.query('select chain from meta.backfill_ranges')).rows, [{ chain: 'stopped' }])
      t.equal(await blockNow(), undefined)
      await t.rejects(verifyChain(url, chain), { code: 'UNKNOWN_CHAIN' })
      t.ok((await verifyChain(url, 'stopped')).ok, 'the other chain is untouched')
      const { rows } = await pool.query(
        'select chain, from_block::int4, to_block::int4, lib_num::int4, forced, rewound_by from meta.rewinds order by id',
      )
      const row = {
        chain,
        from_block: num,
        lib_num: lib,
        rewound_by: (await pool.query('select session_user as me')).rows[0].me,
      }
      t.same(rows, [
        { ...row, to_block: lib, forced: false },
        { ...row, to_block: lib - 1, forced: true },
      ])
      await indexRecording(url, chain, await source(), 80)
      t.ok((await verifyChain(url, chain)).ok, 'it is indexed again from its first block')
    },
  )
})
