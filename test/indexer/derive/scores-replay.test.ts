// Scores and samples of holders of a chain that was followed live, with forks and stops, against a replay of it in one go:
// every hour that was scored, everything that scores are made of, and what trades are worth by them.
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import t from 'tap'
import { countHours } from '../../../indexer/derive/hours/count.ts'
import { refreshScores } from '../../../indexer/derive/scores/refresh.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import type { BlockSource } from '../../../indexer/source/source.ts'
import { testDatabase } from '../../support/database.ts'
import { VALUATION } from '../../support/valuation.ts'
import { LinearSource, PROFILE } from '../replay/index-recording.ts'
import type { ForksFile } from '../replay/node-tables.ts'
import { StretchedSource } from '../value/stretched.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const path = `${fixtures}forks.ship.gz`
const truth = JSON.parse(await readFile(`${fixtures}forks.json`, 'utf8')) as ForksFile
/** Minutes become days: forks lie across hours. */
const stretched = (source: BlockSource) => new StretchedSource(source, 900, Date.parse('2026-11-21T00:16:00Z'))
const canonical = () => stretched(new LinearSource(path, Object.values(truth.canonical)))
const accounts = { ...PROFILE, wrap: 'wrap.svc' }
const exchange = [PROFILE.amm, PROFILE.spot]
/** A few scores trust more tokens than the settings do. */
const valuation = { ...VALUATION, trust: { ...VALUATION.trust, minimumScore: 2 } }

async function index(databaseUrl: string, chain: string, source: BlockSource, endBlock?: number): Promise<number> {
  let forks = 0
  await indexChain({
    ...{ chain, databaseUrl, source, endBlock, valuation, chainId: null, startBlock: 2, accounts },
    ...{ systemAccount: 'eosio', tokenContracts: '*' as const, signal: new AbortController().signal },
    events: {
      opened() {},
      committed() {},
      decoded() {},
      forked: () => void forks++,
      retrying(error) {
        throw error
      },
    },
  })
  return forks
}

interface Stop {
  /** Last irreversible block. */
  lib: number
  /** From when scores hold that are made at the stop, Unix milliseconds. */
  validFrom: number
}

/** Two minutes behind the chain's last block: nothing has been valued by then. */
async function stopOf(pool: Pool, chain: string): Promise<Stop> {
  const { rows } = await pool.query(
    `select lib_num::int4 as lib, block_time as time from meta.position where chain = $1`,
    [chain],
  )
  return { lib: rows[0].lib, validFrom: Math.ceil(rows[0].time.getTime() / 60_000) * 60_000 + 120_000 }
}

/** What jobs do at a stop. */
async function work(databaseUrl: string, chain: string, { validFrom }: Stop): Promise<void> {
  const options = { chain, databaseUrl, valuation, exchange, tokenContracts: '*' as const, isUrgent: true }
  await refreshScores({ ...options, validFrom })
  await countHours({ chain, databaseUrl })
}

async function rowsOf(pool: Pool, table: string, chain: string, where = 'true'): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `select (to_jsonb(x) - 'chain' - 'refreshed_at')::text as row from ${table} x where chain = $1 and ${where} order by 1`,
    [chain],
  )
  return rows.map(({ row }) => row)
}

const SCORED = [
  'score_snapshots',
  'token_scores',
  'holder_samples',
  'token_hours',
  'token_trader_hours',
  'score_progress',
]
const WHOLE = ['hour_totals', 'hour_users']
const FACTS = ['ledger.swaps', 'ledger.deals', 'ledger.hour_snapshots', 'derive.candles']

t.test('scores of a chain followed live are those of a replay', async (t) => {
  const { url, pool } = await testDatabase(t)
  const head = Math.max(...Object.keys(truth.canonical).map(Number))
  /** Makes all blocks final, as the writer would. */
  const final = async (chain: string) => {
    await pool.query(`update meta.position set lib_num = block_num where chain = $1`, [chain])
    await pool.query(
      `select meta.forget_undo(array_agg(c.relname::text), $1, p.lib_num) from pg_class c, meta.position p
       where c.relnamespace = 'undo'::regnamespace and c.relkind = 'r' and p.chain = $1 group by p.lib_num`,
      [chain],
    )
  }
  let forks = 0
  for (let end = 30; end < head; end += 23) {
    forks += await index(url, 'live', stretched(new ReplaySource(path)), end)
    const stop = await stopOf(pool, 'live')
    await work(url, 'live', stop)
    // The branch that the stop is on may be given up later, what is irreversible there may not.
    await index(url, 'stopped', canonical(), stop.lib)
    await final('stopped')
    await work(url, 'stopped', stop)
  }
  forks += await index(url, 'live', stretched(new ReplaySource(path)))
  await index(url, 'stopped', canonical())
  const end = await stopOf(pool, 'live')
  for (const chain of ['live', 'stopped']) {
    await final(chain)
    await work(url, chain, end)
  }
  t.ok(forks > 5, `${forks} forks`)

  t.test('with forks and stops, or with stops alone', async (t) => {
    for (const table of [...[...SCORED, ...WHOLE].map((name) => `derive.${name}`), ...FACTS]) {
      const stopped = await rowsOf(pool, table, 'stopped')
      t.ok(stopped.length > 0, table)
      t.strictSame(await rowsOf(pool, table, 'live'), stopped, table)
    }
    const { rows } = await pool.query(
      `select count(distinct valid_from)::int4 as times from derive.score_snapshots where chain = 'live'`,
    )
    t.ok(rows[0].times > 8, `${rows[0].times} times scored`)
  })

  t.test('a replay in one go, with the scores of before', async (t) => {
    await pool.query(`select meta.add_chain('replayed')`)
    // Those that were in force; the last ones are to be made again.
    await pool.query(
      `insert into derive.score_snapshots (chain, valid_from, token_id, score)
       select 'replayed', valid_from, token_id, score from derive.score_snapshots where chain = 'live'
         and valid_from < (select max(valid_from) from derive.score_snapshots where chain = 'live')`,
    )
    await index(url, 'replayed', canonical())
    await final('replayed')
    await work(url, 'replayed', end)
    for (const table of [...FACTS, 'derive.score_snapshots', 'derive.token_hours', 'derive.token_trader_hours'])
      t.strictSame(await rowsOf(pool, table, 'replayed'), await rowsOf(pool, table, 'live'), table)
    for (const table of WHOLE.map((name) => `derive.${name}`))
      t.strictSame(await rowsOf(pool, table, 'replayed'), await rowsOf(pool, table, 'live'), table)
    const last = `valid_from = (select max(valid_from) from derive.score_snapshots where chain = 'live')`
    t.strictSame(
      await rowsOf(pool, 'derive.token_scores', 'replayed', last),
      await rowsOf(pool, 'derive.token_scores', 'live', last),
      'all that the last scores are made of',
    )
    const day = `hour >= (select max(hour) from derive.holder_samples where chain = 'live') - interval '24 hours'`
    const samples = await rowsOf(pool, 'derive.holder_samples', 'replayed', day)
    t.ok(samples.length > 24, `${samples.length} samples`)
    t.strictSame(samples, await rowsOf(pool, 'derive.holder_samples', 'live', day), 'holders of a day')
    const { rows } = await pool.query(
      `select count(*)::int4 as trusted from derive.score_snapshots where chain = 'live' and score >= 2
         and valid_from < (select block_time from meta.position where chain = 'live')`,
    )
    t.ok(rows[0].trusted > 0, 'scores decided on trust')
  })
})
