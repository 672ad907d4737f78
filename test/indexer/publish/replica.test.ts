// Final rows on a second server by logical replication equal those of the first server. A block that a fork replaced
// never appears there, also after the replica was offline.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { exportView } from '../../../indexer/export/export.ts'
import { BOARDS } from '../../../indexer/jobs/refresh-boards.ts'
import { LakeFiles } from '../../../indexer/lake/files.ts'
import { writeLake } from '../../../indexer/lake/lake.ts'
import { publishFinal } from '../../../indexer/publish/publish.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { FolderStore } from '../../../net/objects/folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { indexRecording } from '../replay/index-recording.ts'
import { makeUpRows } from './made-up-rows.ts'
import { Server } from './server.ts'

const recording = new URL('../../fixtures/recordings/forks.ship.gz', import.meta.url).pathname
/** Views of final that need more than the replicated facts, and raise an error. */
const REFUSED = [
  ...[
    'account_days',
    'amm_balances',
    'balance_hours',
    'balances',
    'bridge_days',
    'candles',
    'claims',
    'cosign_switches',
  ],
  ...['cosign_totals', 'cosigned_transactions'],
  ...[
    'holder_counts',
    'holders',
    'incentives',
    'locks',
    'orders',
    'pools',
    'positions',
    'score_progress',
    'stakes',
    'stale_rows',
    'ticks',
  ],
  ...[
    'token_days',
    'token_hours',
    'token_prices',
    'token_scores',
    'token_traders',
    'tokens',
    'traded_tokens',
    'usd_quotes',
  ],
]

t.test('a replica of final data', async (t) => {
  const [primary, replica] = [new Server(), new Server()]
  t.teardown(async () => {
    await Promise.all([primary.stop(), replica.stop()])
    primary.remove()
    replica.remove()
  })
  await Promise.all([primary.setUp(), replica.setUp()])
  await replica.ask('select meta.follow_final_log()')
  await replica.ask(
    `create subscription headwater connection '${primary.conninfo}' publication headwater_final with (streaming = off)`,
  )

  const index = (endBlock?: number) => indexRecording(primary.url, 'wax', new ReplaySource(recording), endBlock)

  /** Waits until the replica has all irreversible rows. @returns the delay after the last appended row */
  const caughtUp = async (): Promise<number> => {
    const [position] = await primary.ask('select lib_num from meta.position')
    const client = new pg.Client(replica.url)
    await client.connect()
    try {
      let at: { block_num: string; lag: number } | undefined
      const isThere = async () => {
        const { rows } = await client.query(
          `select p.block_num, extract(epoch from clock_timestamp() - l.appended_at)::float8 as lag
           from final.position p join final_log.progress l using (chain, block_num)`,
        )
        at = rows[0]
        return at?.block_num === position?.lib_num
      }
      await until(() => `the replica is at ${position?.lib_num}; it is at ${JSON.stringify(at)}`, isThere, 10)
      return at?.lag ?? Number.NaN
    } finally {
      await client.end()
    }
  }
  /** Compares every view except `position`, which depends on the server. */
  const sameRows = async (t: Test) => {
    const views = await primary.ask(
      `select c.relname as name from pg_class c where c.relnamespace = 'final'::regnamespace and c.relkind = 'v' order by 1`,
    )
    t.ok(views.length > 75)
    const [rows, empty, refused] = [{ all: 0 }, [] as string[], [] as string[]]
    for (const { name } of views) {
      const columns =
        name === 'position' ? 'chain, first_block, block_num, block_id, block_time, lib_num, state_block' : '*'
      const digest = `select count(*)::int4 as rows, md5(string_agg(v::text, '|' order by v::text)) as digest
        from (select ${columns} from final.${name}) v`
      const [here] = await primary.ask(digest)
      if (here?.rows === 0) empty.push(name)
      try {
        const [there] = await replica.ask(digest)
        t.same(there, here, name)
        rows.all += there?.rows
      } catch (error) {
        t.match(error, { code: 'HW050', message: /is not replicated/, hint: /first server/ }, name)
        refused.push(name)
      }
    }
    t.same(refused, REFUSED, 'these refuse, and no others')
    t.same(
      empty.filter((name) => !refused.includes(name)),
      [],
      'each view that answers has rows to compare',
    )
    return rows.all
  }

  await index(150)
  const [{ lib }] = (await primary.ask('select lib_num::int4 as lib from meta.position')) as [{ lib: number }]
  await makeUpRows(primary.ask.bind(primary), 'wax', lib)
  // One hour is counted; the next one is not, and has trades of a contract and of users.
  await primary.ask('update ledger.hour_snapshots set block_num = 20')
  await primary.ask(
    `insert into ledger.hour_snapshots select chain, hour + interval '1 hour', $1, block_time, 1, 1, 1, 0, 2, 2 from ledger.hour_snapshots`,
    lib,
  )
  await primary.ask(
    `update ledger.swaps set sender = 'swap.svc', usd = 5 where global_seq = (select max(global_seq) from ledger.swaps where block_num <= $1)`,
    lib,
  )
  await primary.ask(`insert into meta.accounts (chain, role, account) values ('wax', 'hop', 'old.hop')`)
  const stop = new AbortController()
  const publishing = publishFinal({ databaseUrl: primary.url, signal: stop.signal })
  t.teardown(async () => {
    stop.abort()
    await publishing
  })

  t.test('the replica has the final rows of a chain with forks, soon after they are final', async (t) => {
    const lag = await caughtUp()
    t.comment(`seen ${Math.round(lag * 1000)} ms after they were appended`)
    t.ok(lag < 5)
    t.ok((await sameRows(t)) > 500)
  })

  t.test('after a restart the replica continues', async (t) => {
    await replica.stop()
    // Versions: a changed row, a removed row, a new row, and an account that the next start does not name.
    for (const change of [
      `update state.bridge_routes set min = min + 1, token = 'new.token'`,
      `delete from state.wdraws where id = (select min(id) from state.wdraws)`,
      `update state.wdraws set owner = 'other' where id = (select max(id) from state.wdraws)`,
      `insert into state.bans (chain, source, row_id, accounts) values ('wax', 'other', 7, '{a,b}')`,
    ])
      await primary.ask(change)
    const { position } = await index()
    t.ok(position.num > 200)
    await replica.start()
    t.ok((await caughtUp()) < 60)
    // The primary may still add final blocks.
    const ends = async () => [
      await replica.ask('select block_num as num from final.position'),
      await primary.ask('select max(block_num) as num from final_log.progress'),
    ]
    for (let tries = 0; tries < 200 && new Set((await ends()).map((end) => JSON.stringify(end))).size > 1; tries++)
      await sleep(300)
    const [there, here] = await ends()
    t.same(there, here)
    t.ok((await sameRows(t)) > 1000)
  })

  t.test('the replica never received a row of an orphaned block', async (t) => {
    const orphans = await primary.ask(
      `select encode(o.block_id, 'hex') as id from ledger.orphaned_blocks o
       where not exists (select from ledger.blocks b where b.chain = o.chain and b.block_id = o.block_id)`,
    )
    t.ok(orphans.length > 10, `${orphans.length} blocks were replaced`)
    // The replica never removes rows, so a received row would still be there.
    const came = await replica.ask("select encode(block_id, 'hex') as id from final_log.blocks")
    t.same(
      came.filter(({ id }) => orphans.some((orphan) => orphan.id === id)),
      [],
    )
    t.same(
      await replica.ask('select block_num from final_log.blocks group by 1 having count(*) > 1'),
      [],
      'one block of each number',
    )
    const [published] = await primary.ask(
      `select pubinsert, pubupdate, pubdelete, pubtruncate from pg_publication where pubname = 'headwater_final'`,
    )
    t.same(published, { pubinsert: true, pubupdate: false, pubdelete: false, pubtruncate: false })
  })

  t.test('the replica’s reader sees the views, and an indexed database cannot become a replica', async (t) => {
    const client = new pg.Client(replica.url)
    await client.connect()
    await client.query('set role headwater_reader')
    const { rows } = await client.query('select count(*)::int4 as swaps from final.swaps')
    t.ok(rows[0].swaps > 0)
    await t.rejects(client.query('select from final_log.swaps'), { code: '42501' })
    await client.end()
    await t.rejects(primary.ask('select meta.follow_final_log()'), { code: 'HW005' })
  })

  t.test(
    'of current rows only the constant columns are replicated; other columns and all head views refuse',
    async (t) => {
      const fixed = 'select pool_id, token_a, decimals_b, fee from final.pools order by 1'
      t.same(await replica.ask(fixed), await primary.ask(fixed))
      await t.rejects(replica.ask('select reserve_a from final.pools'), {
        code: 'HW050',
        message: /pools\.reserve_a is not replicated/,
      })
      const heads = await replica.ask(
        `select c.relname as name from pg_class c where c.relnamespace = 'head'::regnamespace and c.relkind = 'v'
       and c.relname not in ('position', 'chain_domains')`,
      )
      t.ok(heads.length > 75)
      for (const { name } of heads)
        await t.rejects(replica.ask(`select count(*) from head.${name}`), { code: 'HW050' }, name)
      await t.rejects(exportView({ url: replica.url, view: 'final.positions', format: 'csv', out: '/dev/null' }), {
        code: 'NOT_REPLICATED',
      })
    },
  )

  t.test('a lake of the replica has its facts, and of current rows the views that are not refused', async (t) => {
    const folder = temporaryFolder(t)
    const { signal } = new AbortController()
    const skipped: string[] = []
    const [summary] = await writeLake({
      ...{ url: replica.url, views: ['swaps'], current: true, signal },
      target: new LakeFiles(new FolderStore(folder), { withOpen: true, signal }),
      onSkip: (views) => skipped.push(...views),
    })
    const [swaps] = await replica.ask('select count(*)::int4 as rows from final.swaps')
    t.ok(swaps?.rows > 0)
    t.equal(summary?.rows, swaps?.rows)
    const current = [
      ...['holder_counts', 'incentives', 'orders', 'pools', 'positions', 'ticks', 'token_prices', 'tokens'],
      'traded_tokens',
    ]
    t.same(skipped, [
      ...current.map((name) => `final.${name}`),
      ...['account_days', 'bridge_days', 'leaders', 'pool_days', 'token_days', 'trader_months'].map(
        (name) => `board.${name}`,
      ),
    ])
    t.same(
      (await readdir(join(folder, 'current'))).sort(),
      [
        ...['chain_domains', 'contracts', 'day_totals', 'deposits', 'hops', 'hour_totals', 'markets', 'position'],
        'withdrawals',
      ].map((name) => `${name}.parquet`),
    )
  })

  t.test('while a table is still being copied, no view answers', async (t) => {
    const client = new pg.Client(replica.url)
    await client.connect()
    t.teardown(() => client.end())
    // Left uncommitted, because the server would begin to copy the table.
    await client.query(
      `begin; update pg_subscription_rel set srsubstate = 'd' where srrelid = 'final_log.swaps'::regclass`,
    )
    await t.rejects(client.query('select count(*) from final.transfers'), { code: 'HW051', message: /first copy/ })
    await client.query('rollback')
    await replica.ask('select count(*) from final.transfers')
  })

  t.test('making a replica again, as every migration does, changes nothing', async (t) => {
    await replica.ask('select meta.end_migration()')
    await sameRows(t)
    // Nothing refreshes boards there.
    for (const board of [...BOARDS, 'freshness'])
      await t.rejects(replica.ask(`select * from board.${board}`), { code: 'HW050' }, board)
  })

  t.test('versions are published with their block, not earlier', async (t) => {
    stop.abort()
    await publishing
    const [{ lib }] = (await primary.ask('select lib_num as lib from meta.position')) as [{ lib: number }]
    await primary.ask(`update meta.position set lib_num = lib_num + 20, block_num = block_num + 20`)
    await primary.ask(`update state.bridge_routes set min = min + 1`)
    const client = new pg.Client(primary.url)
    await client.connect()
    await client.query('begin transaction isolation level repeatable read')
    await client.query(`select meta.append_final('wax', 5)`)
    await client.query('commit')
    await client.end()
    const [route] = await replica.ask('select max(min) as min from final.bridge_routes')
    await publishFinal({ databaseUrl: primary.url, signal: new AbortController().signal, once: true })
    await caughtUp()
    t.same(await replica.ask('select max(min) - 1 as min from final.bridge_routes'), [route])
    const parts = await replica.ask(
      `select block_num, complete from final_log.progress where block_num > $1 order by 1`,
      lib,
    )
    t.equal(parts.at(-1)?.complete, true)
    t.ok((await sameRows(t)) > 1000)
    t.ok(
      parts.every(({ complete }, index) => complete === (index === parts.length - 1)),
      JSON.stringify(parts),
    )
  })

  t.test('two concurrent publishers append each block once', async (t) => {
    await primary.ask(`update meta.position set lib_num = lib_num + 1, block_num = block_num + 1`)
    const clients = await Promise.all(
      [1, 2].map(async () => {
        const client = new pg.Client(primary.url)
        await client.connect()
        await client.query('begin transaction isolation level repeatable read')
        // Both have their snapshot.
        await client.query('select from meta.position')
        return client
      }),
    )
    const [one, two] = clients as [pg.Client, pg.Client]
    await one.query(`select meta.append_final('wax', 5)`)
    const { rows } = await two.query(`select meta.append_final('wax', 5) as "upTo"`)
    t.equal(rows[0].upTo, null, 'the other one holds the lock')
    await one.query('commit')
    await t.rejects(two.query(`select meta.append_final('wax', 5)`), { code: '40001' })
    for (const client of clients) await client.end()
    await t.rejects(primary.ask(`select meta.append_final('wax', 5)`), { code: 'HW052' })
  })
})
