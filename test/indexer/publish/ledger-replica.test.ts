// The second method of docs/operate/replication.md: all tables of the chains on a second server, including rewinds.
import t from 'tap'
import { ReplaySource } from '../../../indexer/source/replay.ts'
import { until } from '../../support/until.ts'
import { indexRecording } from '../replay/index-recording.ts'
import { Server } from './server.ts'

const recording = new URL('../../fixtures/recordings/forks.ship.gz', import.meta.url).pathname

t.test('a replica of all tables follows forks and has all views', async (t) => {
  const [primary, replica] = [new Server(), new Server()]
  t.teardown(async () => {
    await Promise.all([primary.stop(), replica.stop()])
    primary.remove()
    replica.remove()
  })
  await Promise.all([primary.setUp(), replica.setUp()])
  const index = (endBlock?: number) => indexRecording(primary.url, 'wax', new ReplaySource(recording), endBlock)
  await index(60)

  await primary.ask(`do $$ declare name text; begin
    for name in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'undo' and c.relkind = 'r'
    loop execute format('alter table undo.%I replica identity full', name); end loop; end $$`)
  await primary.ask(`create publication headwater_all for tables in schema ledger, state, undo, derive, table meta.position, table meta.accounts
    with (publish_via_partition_root = true)`)
  await replica.ask(`select meta.add_chain('wax')`)
  await replica.ask(`create subscription headwater_all connection '${primary.conninfo}' publication headwater_all`)

  const { forks, position } = await index(200)
  t.ok(forks.length > 2)
  let state = ''
  const hasAll = async () => {
    const [found] = await replica.ask('select block_num::int4 as num from head.position')
    const [waiting] = await replica.ask(`select count(*)::int4 as n from pg_subscription_rel where srsubstate <> 'r'`)
    state = `it is at ${JSON.stringify(found)}, ${waiting?.n} tables are being copied`
    return found?.num === position.num && waiting?.n === 0
  }
  await until(() => `the replica has all rows; ${state}`, hasAll, 50)
  const views = await primary.ask(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('head', 'final') and c.relkind = 'v' order by 1`,
  )
  let rows = 0
  for (const { name } of views) {
    const digest = `select count(*)::int4 as rows, md5(string_agg(v::text, '|' order by v::text)) as digest from ${name} v`
    const [here] = await primary.ask(digest)
    const [there] = await replica.ask(digest)
    t.same(there, here, name)
    rows += there?.rows
  }
  t.ok(views.length > 130 && rows > 3000, `${rows} rows in ${views.length} views`)
})
