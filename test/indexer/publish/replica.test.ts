// Final rows on a second server by logical replication: the same as on the first one, never one of a block that a fork
// replaced, also when the replica was away.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { publishFinal } from '../../../indexer/publish/publish.ts'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { indexRecording } from '../replay/index-recording.ts'
import { Server } from './server.ts'

t.setTimeout(120_000)

const recording = new URL('../../fixtures/recordings/forks.ship.gz', import.meta.url).pathname
/** Views of final that need nothing but facts. */
const VIEWS = [
  'blocks',
  'swaps',
  'transfers',
  'pool_creations',
  'position_events',
  'deals',
  'order_events',
  'withdrawal_events',
  'deposit_events',
  'certificates',
  'finality',
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

  const stop = new AbortController()
  const publishing = publishFinal({ databaseUrl: primary.url, signal: stop.signal })
  t.teardown(async () => {
    stop.abort()
    await publishing
  })
  const index = (endBlock?: number) => indexRecording(primary.url, 'wax', new ReplaySource(recording), endBlock)

  /** Waits until the replica has what is irreversible; tells how long after the last row was appended it was seen. */
  const caughtUp = async (): Promise<number> => {
    const [position] = await primary.ask('select lib_num from meta.position')
    const client = new pg.Client(replica.url)
    await client.connect()
    try {
      for (let tries = 0; ; tries++) {
        const { rows } = await client.query(
          `select p.block_num, extract(epoch from clock_timestamp() - l.appended_at)::float8 as lag
           from final.position p join final_log.progress l using (chain, block_num)`,
        )
        if (rows[0]?.block_num === position?.lib_num) return rows[0]?.lag
        if (tries > 1500) throw new Error(`the replica is at ${JSON.stringify(rows)}, not at ${position?.lib_num}`)
        await sleep(10)
      }
    } finally {
      await client.end()
    }
  }
  const digest = (view: string) =>
    `select count(*)::int4 as rows, md5(string_agg(v::text, '|' order by v::text)) as digest from ${view} v`
  const sameRows = async (t: Test) => {
    let rows = 0
    for (const view of VIEWS) {
      const [here] = await primary.ask(digest(`final.${view}`))
      const [there] = await replica.ask(digest(`final.${view}`))
      t.same(there, here, view)
      rows += there?.rows
    }
    return rows
  }

  t.test('it has the final rows of a chain with forks, soon after they are final', async (t) => {
    const { forks } = await index(150)
    const lag = await caughtUp()
    t.comment(`${forks.length} forks, seen ${Math.round(lag * 1000)} ms after they were appended`)
    t.ok(lag < 5)
    t.ok((await sameRows(t)) > 500)
  })

  t.test('restarted, it goes on where it was', async (t) => {
    await replica.stop()
    const { position } = await index()
    t.ok(position.num > 200)
    await sleep(300)
    const before = await primary.ask('select max(block_num) as num from final_log.progress')
    await replica.start()
    t.ok((await caughtUp()) < 60)
    t.same(await replica.ask('select block_num as num from final.position'), before)
    t.ok((await sameRows(t)) > 1000)
  })

  t.test('no row of a block that a fork replaced has ever come', async (t) => {
    const orphans = await primary.ask(
      `select encode(o.block_id, 'hex') as id from ledger.orphaned_blocks o
       where not exists (select from ledger.blocks b where b.chain = o.chain and b.block_id = o.block_id)`,
    )
    t.ok(orphans.length > 10, `${orphans.length} blocks were replaced`)
    // Nothing is ever removed there: what had come would still be there.
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

  t.test('its reader sees the views, and a database that is indexed itself is no replica', async (t) => {
    const client = new pg.Client(replica.url)
    await client.connect()
    await client.query('set role headwater_reader')
    const { rows } = await client.query('select count(*)::int4 as swaps from final.swaps')
    t.ok(rows[0].swaps > 0)
    await t.rejects(client.query('select from final_log.swaps'), { code: '42501' })
    await client.end()
    await t.rejects(primary.ask('select meta.follow_final_log()'), { code: 'HW005' })
  })
})
