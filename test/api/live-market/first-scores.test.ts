// While no scores are in force, the newest scores are served, by a market loaded before them and by one loaded after them.
import t from 'tap'
import { SILENT } from '../../../api/http/log.ts'
import { LiveMarket } from '../../../api/live-market/live-market.ts'
import { testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { id, NOW, TLM, WAX_SCENE } from '../exchange/scene.ts'

const MINUTE = 60_000

t.test('the first scores of a chain', async (t) => {
  const { pool } = await testDatabase(t, { scene: WAX_SCENE })
  await pool.query(`delete from derive.score_snapshots`)
  const market = new LiveMarket(pool, testChain('wax'), SILENT)
  await market.catchUp()
  let blocks = 0
  const addBlock = async (time: number) => {
    const hash = (++blocks).toString(16).padStart(64, 'b')
    await pool.query(
      `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
       select 'wax', block_num + 1, decode($1, 'hex'), decode(block_id, 'hex'), $2, 'eosio' from meta.position where chain = 'wax'`,
      [hash, new Date(time)],
    )
    await pool.query(
      `update meta.position set block_num = block_num + 1, head_num = head_num + 1, block_id = $1, block_time = $2 where chain = 'wax'`,
      [hash, new Date(time)],
    )
    await market.catchUp()
    const fresh = new LiveMarket(pool, testChain('wax'), SILENT)
    await fresh.catchUp()
    const scores = [market, fresh].map(({ state }) => state?.prices.scores.get(id(TLM)))
    t.equal(scores[0], scores[1], `block ${blocks} by a step and by a load`)
    t.equal(market.state?.scoresFrom, fresh.state?.scoresFrom)
    return scores[0]
  }
  const addScores = (time: number, score: number) =>
    pool.query(`insert into derive.score_snapshots values ('wax', $1, $2, $3)`, [new Date(time), id(TLM), score])
  t.equal(await addBlock(NOW + 500), undefined, 'none yet')
  await addScores(NOW + 2 * MINUTE, 50)
  t.equal(await addBlock(NOW + 1000), 50, 'better than nothing')
  t.equal(await addBlock(NOW + 3 * MINUTE), 50, 'in force')
  await addScores(NOW + 9 * MINUTE, 60)
  t.equal(await addBlock(NOW + 4 * MINUTE), 50, 'the next ones are not yet')
  t.equal(await addBlock(NOW + 9 * MINUTE), 60)
})
