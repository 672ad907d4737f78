// The small recording of a real node, compared with the node's tables and with the actions decoded by wharfkit.
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { testDatabase } from '../../support/database.ts'
import { checkLedger, checkState } from './check-recording.ts'
import { canonicalBlocks, readFrames } from './frames.ts'
import { indexRecording } from './index-recording.ts'
import { nodeState } from './node-tables.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const path = `${fixtures}small.ship.gz`

t.test('a recorded chain is indexed row for row', async (t) => {
  const { url, pool } = await testDatabase(t)
  const blocks = canonicalBlocks(await readFrames(path))
  const { position, forks } = await indexRecording(url, 'wax', new ReplaySource(path))
  const last = blocks.at(-1)!
  t.match(position, { num: last.num, id: last.id, lib: Math.min(last.lib, last.num), firstBlock: 2, indexed: true })
  t.same(forks, [])
  const actions = checkLedger(t, pool, 'wax', blocks)
  const state = await nodeState(`${fixtures}small.state.json`)
  t.same([...state.keys()].sort(), ['orders', 'pools', 'positions', 'ticks'])
  checkState(t, pool, 'wax', state)

  t.test('matches before and after the change of the ABI are decoded by the layout of their time', async (t) => {
    const matches = actions.filter(({ account, name }) => account === 'svcdexmain' && name.endsWith('match'))
    const withFee = matches
      .filter(({ fields }) => fields.record.fee_paid !== undefined)
      .map(({ globalSeq }) => `${globalSeq}`)
    t.ok(withFee.length > 0 && withFee.length < matches.length, 'the recording has both layouts')
    const { rows } = await pool.query(
      'select global_seq from ledger.deals where fee_amount is not null order by global_seq',
    )
    t.same(
      rows.map((row) => row.global_seq),
      withFee,
    )
  })

  t.test('both ABIs of the order book are stored', async (t) => {
    const { rows } = await pool.query(`select count(*)::int4 as n from ledger.abis where account = 'svcdexmain'`)
    t.equal(rows[0].n, 2)
  })
})
