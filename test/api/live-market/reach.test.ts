// A request that has seen a newer block than the market waits for the market; all such requests share one wait.
import type pg from 'pg'
import t, { type Test } from 'tap'
import { SILENT } from '../../../api/http/log.ts'
import { LiveMarket } from '../../../api/live-market/live-market.ts'
import type { BlockMark } from '../../../api/live-market/model.ts'
import { testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { WAX_SCENE } from '../exchange/scene.ts'

const WAITING = 10

async function setUp(t: Test) {
  const { pool } = await testDatabase(t, { scene: WAX_SCENE })
  // Connections taken by steps; a promise before a statement is answered; a callback when it was sent.
  const steps = { taken: 0, gate: Promise.resolve(), made: () => {} }
  const counting = {
    async connect() {
      steps.taken++
      const client = await pool.connect()
      const query = async (...parts: [pg.QueryConfig]) => {
        const answer = await client.query(...parts)
        steps.made()
        await steps.gate
        return answer
      }
      return { query, release: (failure?: Error) => client.release(failure) }
    },
  }
  const market = new LiveMarket(counting as unknown as pg.Pool, testChain('wax', 'dev'), SILENT)
  await market.catchUp()
  // The scene has no header of its last block, which makes the first step a longer one.
  await addBlock(pool)
  await market.catchUp()
  steps.taken = 0
  /** A step whose statement was sent, and the function that continues it. */
  const beginStep = async (): Promise<() => void> => {
    const made = new Promise<void>((resolve) => (steps.made = resolve))
    let open = () => {}
    steps.gate = new Promise((resolve) => (open = resolve))
    void market.catchUp()
    await made
    return open
  }
  const reach = (at: BlockMark) => Promise.all(Array.from({ length: WAITING }, () => market.reach(at)))
  return { pool, market, steps, reach, beginStep }
}

/** Adds an empty block. */
async function addBlock(pool: pg.Pool): Promise<BlockMark> {
  const { rows } = await pool.query(
    `with moved as (
       update meta.position set block_num = block_num + 1, head_num = head_num + 1, block_id = encode(sha256(decode(block_id, 'hex')), 'hex'), block_time = block_time + interval '500 milliseconds'
       where chain = 'wax' returning block_num, block_id, block_time
     ), header as (
       insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
       select 'wax', block_num, decode(block_id, 'hex'), '\\x00', block_time, 'eosio' from moved
     )
     select block_num::float8 as block, block_id as id, date_part('epoch', block_time) * 1000 as time from moved`,
  )
  return rows[0]
}

t.test('all callers that wait for a block share one step', async (t) => {
  const { pool, market, steps, reach } = await setUp(t)
  const at = await addBlock(pool)
  await reach(at)
  t.equal(market.state?.at.id, at.id)
  t.equal(steps.taken, 1)
  await reach(at)
  t.equal(steps.taken, 1, 'no step is needed if the market is at the block')
})

t.test('a step in progress suffices if it ends at the block', async (t) => {
  const { pool, market, steps, reach, beginStep } = await setUp(t)
  const at = await addBlock(pool)
  const goOn = await beginStep()
  const reached = reach(at)
  goOn()
  await reached
  t.equal(market.state?.at.id, at.id)
  t.equal(steps.taken, 1)
})

t.test('a step that began before the block existed is followed by another one', async (t) => {
  const { pool, market, steps, reach, beginStep } = await setUp(t)
  const goOn = await beginStep()
  const at = await addBlock(pool)
  const reached = reach(at)
  goOn()
  await reached
  t.equal(market.state?.at.id, at.id)
  t.equal(steps.taken, 2, 'the one that saw nothing new, and one for all')
})
