// Health, status and metrics over HTTP, from a real database.
import type { Pool } from 'pg'
import t from 'tap'
import { UserError } from '../../../core/errors.ts'
import { ChainReports } from '../../../indexer/operate/chain-reports.ts'
import { IndexerMetrics } from '../../../indexer/operate/metrics.ts'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { databaseClock } from '../../support/database-clock.ts'
import { evmChain } from '../bridge/scene.ts'

const ID = 'ab'.repeat(32)

/** A server for the chains wax and telos on a fresh database whose clock stands, not listening. */
async function setUp(t: Parameters<typeof testDatabase>[0], registries: IndexerMetrics['registry'][] = []) {
  const database = await testDatabase(t)
  const { advance } = await databaseClock(database)
  const { pool } = database
  const chains = [testChain('wax'), testChain('telos')]
  const { app, catchUp } = await testApi(t, database, { pool, chains, maxLagSeconds: 60, version: '1.2.3', registries })
  /** Sets a chain's position to block 100; `age` is the age of that block in seconds. */
  const position = async (chain: string, age: number, indexed = true) => {
    await pool.query(
      `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed, updated_at)
       values ($1, null, 2, 100, $2, clock_timestamp() - make_interval(secs => $3), 97, 104, gen_random_uuid(), $4, clock_timestamp())
       on conflict (chain) do update set block_time = excluded.block_time, indexed = excluded.indexed`,
      [chain, ID, age, indexed],
    )
    await catchUp()
  }
  const start = (chain: string, firstBlock: number, stateBlock: number | null) =>
    pool.query('update meta.position set first_block = $2, state_block = $3 where chain = $1', [
      chain,
      firstBlock,
      stateBlock,
    ])
  return { app, pool, position, start, advance }
}

t.test('live as soon as the process answers', async (t) => {
  const { app } = await setUp(t)
  const { statusCode, body } = await app.inject('/health/live')
  t.same([statusCode, JSON.parse(body)], [200, { live: true }])
})

t.test('ready when every chain is indexed up to now and loaded, else with the reason', async (t) => {
  const { app, pool, position } = await setUp(t)
  const ready = async () => {
    const answer = await app.inject('/health/ready')
    return [answer.statusCode, answer.json().reasons]
  }
  t.same(await ready(), [503, ['wax: nothing is indexed yet', 'telos: nothing is indexed yet']])
  await position('wax', 5)
  await position('telos', 5, false)
  t.same(await ready(), [503, ['telos: history is being indexed, at block 100 of 104']])
  await pool.query(`update meta.position set indexed = true where chain = 'telos'`)
  t.same(await ready(), [503, ['telos: the market is being loaded']])
  await position('telos', 300)
  t.same(await ready(), [503, ['telos: the last indexed block 100 is 300 s old']])
  await position('telos', 59)
  t.same(await ready(), [200, []])
})

t.test('rows that were read at a later block are not exact before it: not ready', async (t) => {
  const { app, pool, position, start } = await setUp(t)
  const ready = async () => {
    const answer = await app.inject('/health/ready')
    return [answer.statusCode, answer.json().reasons, answer.json().warnings]
  }
  await position('wax', 5)
  await pool.query(`select meta.add_chain('wax')`)
  await insertRoute(pool)
  await position('telos', 5)
  await start('wax', 90, 101)
  t.same(await ready(), [503, ['wax: current rows are exact from block 101 on, indexed is block 100'], []])
  await start('wax', 90, 100)
  t.same(await ready(), [200, [], []])
})

t.test('a start in the middle without state is a warning, and the service is ready', async (t) => {
  const { app, position, start } = await setUp(t)
  await position('wax', 5)
  await position('telos', 5)
  await start('wax', 90, null)
  const answer = await app.inject('/health/ready')
  const warnings = ['wax: indexing began at block 90; current rows that have not changed since may be missing']
  t.same([answer.statusCode, answer.json()], [200, { ready: true, reasons: [], warnings }])
  t.match((await app.inject('/status')).json(), {
    ready: true,
    warnings,
    chains: [{}, { chain: 'wax', stateBlock: null }],
  })
})

t.test('an empty state that counts as complete is reported', async (t) => {
  const { app, pool, position, start } = await setUp(t)
  await pool.query(`select meta.add_chain('wax')`)
  await position('wax', 5)
  await position('telos', 5)
  await start('wax', 90, 89)
  const warnings = async () => (await app.inject('/health/ready')).json().warnings
  t.match(await warnings(), [
    /^wax: indexing began at block 90 with the state of block 89, and there is no pool, market/,
  ])
  await insertRoute(pool)
  t.same(await warnings(), [])
})

/** Gives wax a current row. */
async function insertRoute(pool: Pool): Promise<void> {
  await pool.query(`insert into state.bridge_routes select (jsonb_populate_record(null::state.bridge_routes, $1)).*`, [
    JSON.stringify(await anyRow(pool, 'state.bridge_routes', { chain: 'wax' })),
  ])
}

/** Inserts a row with values in all required columns. */
async function anyRow(pool: Pool, table: string, values: object): Promise<object> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select attname as name, atttypid::regtype::text as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attnotnull`,
    [table],
  )
  const some = rows.map(({ name, type }) => [
    name,
    type === 'boolean' ? true : type.startsWith('timestamp') ? 'now' : '1',
  ])
  return { ...Object.fromEntries(some), ...values }
}

t.test('rows whose last change could not be decoded are counted and named', async (t) => {
  const { app, pool, position } = await setUp(t)
  await pool.query(`select meta.add_chain('wax')`)
  await position('wax', 5)
  await position('telos', 5)
  const stale = (pool_id: number) =>
    pool.query(
      `insert into state.stale_rows values ('wax', 'swap.svc', 'swap.svc', 'pools', $1::int8, 12, now(), false, 'pools', array[$1::int8::text],
        'TRUNCATED', 'too short')`,
      [pool_id],
    )
  await stale(7)
  const { warnings } = (await app.inject('/health/ready')).json()
  t.match(warnings, [/^wax: the last change of 1 current rows could not be decoded.*: pools 7 \(head\.stale_rows\)$/])
  for (let id = 8; id < 20; id++) await stale(id)
  const status = (await app.inject('/status')).json()
  t.match(status.warnings, [/of 13 current rows.*: pools 7, pools 8, pools 9, pools 10, pools 11 and others/])
  t.match(
    status.chains.find(({ chain }: { chain: string }) => chain === 'wax'),
    { staleRows: 13 },
  )
  t.match((await app.inject('/metrics')).body, /^headwater_stale_rows\{chain="wax"\} 13$/m)
})

t.test('an EVM chain of the bridge counts like every other chain', async (t) => {
  const database = await testDatabase(t)
  await databaseClock(database)
  const { pool } = database
  const { app } = await testApi(t, database, { pool, chains: [], evm: [evmChain()] })
  const ready = async () => {
    const answer = await app.inject('/health/ready')
    return [answer.statusCode, answer.json().reasons]
  }
  t.same(await ready(), [503, ['mainnet: nothing is indexed yet']])
  const position = (age: number) =>
    pool.query(
      `insert into meta.position (chain, chain_id, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
       values ('mainnet', 'eip155:1', 90, 1000, $2, clock_timestamp() - make_interval(secs => $1), 97, 1000, gen_random_uuid(), true)
       on conflict (chain) do update set block_time = excluded.block_time, updated_at = clock_timestamp()`,
      [age, ID],
    )
  await position(20)
  t.same(await ready(), [200, []], 'it has no market to load, and no state to miss')
  await position(95)
  t.same(await ready(), [503, ['mainnet: the last indexed block 1000 is 95 s old']])
})

t.test('an error that the indexer reports is named until blocks follow', async (t) => {
  const { app, pool, position, advance } = await setUp(t)
  const ready = async () => {
    const answer = await app.inject('/health/ready')
    return [answer.statusCode, answer.json().reasons]
  }
  /** Reports a minute after the last change; the ages of blocks stay. */
  const report = async (chain: string, code: string, message: string, end?: Error) => {
    await advance(60)
    await pool.query(`update meta.position set block_time = block_time + interval '1 minute'`)
    const reports = new ChainReports(pool.options.connectionString as string)
    reports.began(chain)
    if (end) reports.ended(chain, end)
    else reports.fault(chain, code, message)
    await reports.close()
  }
  await position('telos', 5)
  await report('wax', 'SHIP_CONNECTION', 'wax: ws://me:secret@node:8080/key: connect ECONNREFUSED 10.0.0.1:8080')
  const refused = 'the node refuses connections: ws://node:8080: connect ECONNREFUSED 10.0.0.1:8080'
  t.same(await ready(), [503, [`wax: nothing is indexed yet: ${refused}`]])
  await advance(1)
  await position('wax', 5)
  t.same(await ready(), [200, []], 'blocks have come since')
  await position('wax', 300)
  t.same(await ready(), [503, ['wax: the last indexed block 100 is 300 s old']])
  await report('wax', 'SHIP_CONNECTION', 'wax: ws://node:8080: connect ECONNREFUSED 10.0.0.1:8080')
  t.same(await ready(), [503, [`wax: the last indexed block 100 is 300 s old: ${refused}`]])
  await position('wax', 5)
  const other = new UserError('OTHER_CHAIN', 'ws://node:8080 serves chain ff, wax is aa', {
    hint: 'correct the address',
  })
  await report('wax', '', '', other)
  const why = 'this node has another chain id: ws://node:8080 serves chain ff, wax is aa; correct the address'
  t.same(await ready(), [503, [`wax: indexing has ended: ${why}`]])
})

t.test('a contradiction makes it not ready, for two minutes after blocks go on', async (t) => {
  const { app, pool, position } = await setUp(t)
  const ready = async () => {
    const answer = await app.inject('/health/ready')
    return [answer.statusCode, answer.json().reasons]
  }
  await position('wax', 5)
  await position('telos', 5)
  const what = 'http://node: it has another block in place of the final block 7'
  const contradicted = (age: number) =>
    pool.query(
      `insert into meta.chain_reports (chain, started_at, contradiction, contradiction_at)
       values ('telos', clock_timestamp(), $2, clock_timestamp() - make_interval(secs => $1))
       on conflict (chain) do update set contradiction_at = excluded.contradiction_at`,
      [age, what],
    )
  await contradicted(100)
  await position('telos', 5)
  t.same(await ready(), [503, [`telos: a node contradicts what is final here: ${what}`]])
  await contradicted(121)
  t.same(await ready(), [200, []])
  await pool.query(
    `update meta.position set updated_at = clock_timestamp() - interval '5 minutes' where chain = 'telos'`,
  )
  t.same(await ready(), [503, [`telos: a node contradicts what is final here: ${what}`]], 'nothing came since')
})

t.test('the lag in blocks grows with the clock while a node is silent', async (t) => {
  const { app, pool, position } = await setUp(t)
  await position('wax', 10)
  const lag = async () => /headwater_lag_blocks\{chain="wax"\} (\d+)/.exec((await app.inject('/metrics')).body)?.[1]
  const seen = (seconds: number) =>
    pool.query(`update meta.position set updated_at = clock_timestamp() - make_interval(secs => $1)`, [seconds])
  await seen(0)
  t.equal(await lag(), '4', 'the head that the node had')
  await seen(100.1)
  t.equal(await lag(), '204', 'two blocks a second')
  // The EVM chain's recent blocks are 12 s apart.
  await pool.query(
    `update meta.position set chain_id = 'eip155:1', block_num = 1000, head_num = 1004, block_time = clock_timestamp()`,
  )
  await pool.query('select meta.add_chain($1)', ['wax'])
  await pool.query(
    `insert into ledger.blocks (chain, block_num, block_id, prev_id, block_time, producer)
     values ('wax', 800, 'a', 'b', clock_timestamp() - interval '2400 seconds', 'p')`,
  )
  await seen(100.1)
  t.equal(await lag(), '12')
})

t.test('not ready, but alive, without the database', async (t) => {
  const { app, pool } = await setUp(t)
  pool.query = () => Promise.reject(new Error('connection refused'))
  const answer = await app.inject('/health/ready')
  t.equal(answer.statusCode, 503)
  t.match(answer.json().reasons, [/the database does not answer: connection refused/])
  t.equal((await app.inject('/health/live')).statusCode, 200)
  t.equal((await app.inject('/metrics')).statusCode, 200)
})

t.test('status gives the position of each chain', async (t) => {
  const { app, position } = await setUp(t)
  await position('wax', 10)
  const status = (await app.inject('/status')).json()
  t.match(status, { version: '1.2.3', ready: false, reasons: ['telos: nothing is indexed yet'] })
  t.match(status.chains, [
    { chain: 'wax', firstBlock: 2, block: 100, blockId: ID, lib: 97, head: 104, lagBlocks: 4, indexed: true },
  ])
  t.ok(status.chains[0].lagSeconds >= 10 && status.chains[0].lagSeconds < 300)
  t.match(status.chains[0].blockTime, /^\d{4}-\d\d-\d\dT.*Z$/)
})

t.test('status estimates the rows of every table, without reading them', async (t) => {
  const { app, pool, position } = await setUp(t)
  for (const chain of ['wax', 'wax2']) {
    await pool.query('select meta.add_chain($1)', [chain])
    await position(chain, 10)
  }
  await pool.query(
    `insert into ledger.orphaned_blocks (chain, block_num, block_id, prev_id, block_time, producer)
     select 'wax', n, sha256(int4send(n)), sha256('a'), now(), 'alice' from generate_series(1, 250) n`,
  )
  // PostgreSQL updates its statistics a moment after a commit; the test requests them immediately.
  await pool.query('analyze ledger.orphaned_blocks__wax')
  const [wax, wax2] = (await app.inject('/status')).json().chains
  t.equal(wax.estimatedRows['ledger.orphaned_blocks'], 250)
  t.equal(wax2.estimatedRows['ledger.orphaned_blocks'], 0)
  const { rows } = await pool.query(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'p' and n.nspname in ('ledger', 'state', 'derive') order by 1`,
  )
  t.same(
    Object.keys(wax2.estimatedRows),
    rows.map(({ name }) => name),
    'every table is there, empty ones too',
  )
})

t.test('metrics join the positions with the indexer’s counters', async (t) => {
  const metrics = new IndexerMetrics()
  const { app, pool, position } = await setUp(t, [metrics.registry])
  await position('wax', 10)
  metrics.watchSource('wax', { queueBytes: 77, waitSeconds: 1.5, reconnects: 2 })
  const rows = new Map([['ledger.swaps', 3]])
  metrics.committed('wax', 5, { rows, seconds: { copy: 0.5, state: 0, candles: 0, commit: 0.25 } }, 0.03)
  metrics.decoded('wax', 0.125)
  metrics.forked('wax', 12)
  metrics.anomaly('wax', 'SHIP_GAP')
  metrics.refused('wax', 'swap.svc', 'pools')
  metrics.jobs.ran('count_hours_wax', 2.5, true)
  metrics.jobs.ran('count_hours_wax', 0.5, false)
  metrics.watchDisk('/')
  const answer = await app.inject('/metrics')
  t.match(answer.headers['content-type'], /^text\/plain; version=0\.0\.4/)
  const lines = new Set(answer.body.split('\n'))
  const expected = [
    'headwater_head_block{chain="wax"} 104',
    'headwater_irreversible_block{chain="wax"} 97',
    'headwater_indexed_block{chain="wax"} 100',
    'headwater_lag_blocks{chain="wax"} 4',
    'headwater_backfilled{chain="wax"} 1',
    'headwater_blocks_total{chain="wax"} 5',
    'headwater_rows_total{chain="wax",table="ledger.swaps"} 3',
    'headwater_stage_seconds_total{chain="wax",stage="copy"} 0.5',
    'headwater_stage_seconds_total{chain="wax",stage="decode"} 0.125',
    'headwater_fork_depth_blocks_bucket{le="8",chain="wax"} 0',
    'headwater_fork_depth_blocks_bucket{le="16",chain="wax"} 1',
    'headwater_fork_depth_blocks_count{chain="wax"} 1',
    'headwater_anomalies_total{chain="wax",kind="SHIP_GAP"} 1',
    'headwater_undecoded_rows_total{chain="wax",contract="swap.svc",table="pools"} 1',
    'headwater_job_runs_total{task="count_hours_wax",outcome="done"} 1',
    'headwater_job_runs_total{task="count_hours_wax",outcome="failed"} 1',
    'headwater_job_seconds_total{task="count_hours_wax"} 3',
    'headwater_queue_bytes{chain="wax"} 77',
    'headwater_source_wait_seconds{chain="wax"} 1.5',
    'headwater_source_reconnects{chain="wax"} 2',
    'headwater_commit_seconds_bucket{le="0.02",chain="wax"} 0',
    'headwater_commit_seconds_bucket{le="0.05",chain="wax"} 1',
  ]
  for (const line of expected) t.ok(lines.has(line), line)
  const free = /^headwater_disk_free_bytes (\d+)$/m.exec(answer.body)?.[1]
  t.ok(Number(free) > 0)
  const size = await pool.query<{ bytes: string }>('select pg_database_size(current_database())::text as bytes')
  const bytes = Number(/^headwater_database_bytes (\d+)$/m.exec(answer.body)?.[1])
  t.ok(bytes > 1e6 && bytes <= Number(size.rows[0]?.bytes) * 1.1)
  t.match(answer.body, /^headwater_pool_connections\{state="idle"\} \d+$/m)
})

t.test('an unknown address is a JSON 404', async (t) => {
  const { app } = await setUp(t)
  const answer = await app.inject('/nothing')
  const message = 'GET /nothing is not here'
  t.same([answer.statusCode, answer.json()], [404, { statusCode: 404, error: 'Not Found', message }])
  const asBrowser = (url: string, method: 'GET' | 'POST' = 'GET') =>
    app.inject({ method, url, headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
  const page = await asBrowser('/nothing')
  t.match([page.statusCode, page.headers['content-type'], page.body], [404, /^text\/html/, /no page at this address/])
  t.match(page.headers, { 'content-security-policy': /default-src 'none'/, 'cache-control': 'no-store' })
  for (const answer of [await asBrowser('/api/nothing'), await asBrowser('/nothing', 'POST')])
    t.match([answer.statusCode, answer.json()], [404, { error: 'Not Found' }])
})
