// The recording with twelve real forks. The result must equal an index of the final chain's blocks only.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { verifyChain } from '../../../indexer/verify/verify.ts'
import { testDatabase } from '../../support/database.ts'
import { checkLedger, checkState } from './check-recording.ts'
import { finalEqualsHead, sameChains } from './compare-chains.ts'
import { canonicalBlocks, readFrames } from './frames.ts'
import { indexRecording, LinearSource } from './index-recording.ts'
import { type ForksFile, nodeState } from './node-tables.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const path = `${fixtures}forks.ship.gz`
const truth = JSON.parse(await readFile(`${fixtures}forks.json`, 'utf8')) as ForksFile

t.test('a chain with forks is indexed as its final branch', async (t) => {
  const { url, pool } = await testDatabase(t, { chains: ['forked'] })
  const frames = await readFrames(path)
  const blocks = canonicalBlocks(frames)
  t.same(
    Object.fromEntries(blocks.map(({ num, id }) => [num, id])),
    truth.canonical,
    'the frames end on the final chain',
  )

  const { position, forks } = await indexRecording(url, 'forked', new ReplaySource(path))
  t.match(position, { num: blocks.at(-1)!.num, id: blocks.at(-1)!.id })
  t.same(
    forks,
    truth.forks.map(({ fork_block, depth }) => ({ block: fork_block, depth })),
  )

  const actions = checkLedger(t, pool, 'forked', blocks)
  const state = await nodeState(`${fixtures}forks.json`)
  t.same([...state.keys()].sort(), ['bridge_routes', 'markets', 'orders', 'pools', 'positions', 'ticks', 'wdraws'])
  checkState(t, pool, 'forked', state)

  t.test('an ABI change on a losing branch leaves no trace', async (t) => {
    const matches = actions.filter(({ account, name }) => account === 'svcdexmain' && name.endsWith('match'))
    t.ok(matches.length > 0 && matches.every(({ fields }) => fields.record.fee_paid === undefined))
    const { rows } = await pool.query(`select count(*)::int4 as n from ledger.deals where fee_amount is not null`)
    t.equal(rows[0].n, 0)
  })

  t.test('headers of the orphaned blocks are stored', async (t) => {
    const { rows } = await pool.query<{ id: string }>(
      `select encode(block_id, 'hex') as id from ledger.orphaned_blocks where chain = 'forked' order by 1`,
    )
    const canonical = new Set(Object.values(truth.canonical))
    const undone = new Set(frames.map(({ id }) => id).filter((id) => !canonical.has(id)))
    const orphaned = rows.map((row) => row.id)
    t.same(
      orphaned.filter((id) => !canonical.has(id)),
      [...undone].sort(),
    )
  })

  t.test('every row equals a linear replay of the final chain', async (t) => {
    await indexRecording(url, 'linear', new LinearSource(path, Object.values(truth.canonical)))
    await sameChains(t, pool, 'forked', 'linear')
    const forked = await verifyChain(url, 'forked')
    const linear = await verifyChain(url, 'linear')
    t.same(forked.digest, linear.digest)
    t.same(
      forked.checks.filter(({ differing, notes }) => differing > 0 || notes.length > 0),
      [],
    )
  })

  t.test('final views show what the head views showed at the last irreversible block', async (t) => {
    t.ok(position.lib < position.num, 'there are reversible blocks')
    await indexRecording(url, 'stopped', new LinearSource(path, Object.values(truth.canonical)), position.lib)
    // At that block, the node did not yet report it as irreversible, which some views show.
    await pool.query(`update meta.position set lib_num = block_num where chain = 'stopped'`)
    await finalEqualsHead(t, pool, 'forked', 'stopped')
  })
})
