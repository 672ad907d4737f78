// An hour of scores over the history of a large exchange: the delay of an hour's first block. 6,300 pools, 1,600
// markets, 4,200 tokens and a million swaps by 20,000 accounts; 10,000 accounts hold the system token and 40 each other
// token.
// Usage: node --import tsx bench/scores.ts [swaps] [hours]
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { type ScoredChain, scoreHour } from '../indexer/derive/scores/score-hour.ts'
import type { BlockPosition } from '../indexer/source/source.ts'
import { VALUATION } from '../test/support/valuation.ts'
import { exchangeOf, writeHistory } from './exchange/history.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'

const swaps = Number(process.argv[2] || 1_000_000)
const hours = Number(process.argv[3] || 6)
const HOUR = 3_600_000
const chain = 'wax'
const HOLDERS = `
  insert into state.balances (chain, contract, symbol, account, decimals, amount)
  select $1, 'eosio.token', 'WAX', 'holder' || n, 8, n from generate_series(1, 10000) n`
/**
 * Sets the chain's position to the start of an hour. Rows of later blocks stay; apart from current rows they are not
 * read.
 */
const SET_POSITION = `
  update meta.position p set block_num = b.block_num, block_id = encode(b.block_id, 'hex'), block_time = b.block_time,
    lib_num = b.block_num, head_num = b.block_num
  from (select block_num, block_id, block_time from ledger.blocks where chain = $1 and block_time < $2 order by block_num desc limit 1) b
  where p.chain = $1 returning b.block_num::float8 as num, p.block_id as id`

/** CPU milliseconds of this process and of the server process of the session; other load does not count. */
async function cpu(session: number): Promise<number> {
  const { user, system } = process.cpuUsage()
  const stat = await readFile(`/proc/${session}/stat`, 'utf8').catch(() => '')
  const [userTicks = 0, systemTicks = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return (user + system) / 1000 + (userTicks + systemTicks) * 10
}

/** Sums the duration of each statement. */
function timed(client: pg.Client): Map<string, number> {
  const times = new Map<string, number>()
  const query = client.query.bind(client)
  Object.assign(client, {
    async query(text: string, values?: unknown[]) {
      const before = performance.now()
      const result = await query(text, values)
      times.set(text, (times.get(text) ?? 0) + performance.now() - before)
      return result
    },
  })
  return times
}

const database = await benchDatabase('headwater_bench_scores')
const client = new pg.Client({ connectionString: database.url })
try {
  console.log(hardware())
  const started = performance.now()
  await writeHistory(database.url, exchangeOf(chain, { symbol: 'WAX', decimals: 8 }, swaps), Date.now())
  await client.connect()
  await client.query(HOLDERS, [chain])
  await client.query('vacuum analyze')
  console.log(`history made in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const scored: ScoredChain = {
    chain,
    valuation: VALUATION,
    scores: { exchange: ['swap.svc', 'svcdexmain'], tokenContracts: '*' },
  }
  const end = Math.floor(Date.now() / HOUR) * HOUR
  const since = end - hours * HOUR
  const session = (await client.query('select pg_backend_pid()::int4 as pid')).rows[0].pid as number
  const times = timed(client)
  for (let i = 0; i <= hours; i++) {
    const hour = end - (hours - i) * HOUR
    const { rows } = await client.query<BlockPosition>(SET_POSITION, [chain, new Date(hour)])
    const before = performance.now()
    const processor = await cpu(session)
    times.clear()
    await scoreHour(client, scored, { hour, at: rows[0] as BlockPosition, since })
    const ms = performance.now() - before
    console.log(
      `${i === 0 ? 'first hour, of which 30 days are counted' : 'an hour'}: ${ms.toFixed(0)} ms, processor ${((await cpu(session)) - processor).toFixed(0)} ms`,
    )
  }
  const slowest = [...times].sort(([, x], [, y]) => y - x).slice(0, 8)
  for (const [text, ms] of slowest)
    console.log(`  ${ms.toFixed(0)} ms: ${text.replace(/\s+/g, ' ').trim().slice(0, 110)}`)
  const { rows } = await client.query(
    `select (select count(*)::int4 from derive.token_scores where chain = $1 and valid_from = $2) as tokens,
       (select max(holders)::int4 from derive.holder_samples where chain = $1) as holders,
       (select count(*)::int4 from ledger.swaps where chain = $1) as swaps,
       (select count(*)::int4 from derive.token_trader_hours where chain = $1) as traders`,
    [chain, new Date(end)],
  )
  console.log('completeness:', JSON.stringify(rows[0]))
} finally {
  await client.end()
  await database.close()
}
