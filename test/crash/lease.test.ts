// A lease decides which process writes a chain. The owner of this server's database is no superuser, and a reader tries
// everything that it may to stop the indexer.
import pg from 'pg'
import t from 'tap'
import { countHours } from '../../indexer/derive/hours/count.ts'
import { rewindChain } from '../../indexer/rewind/rewind.ts'
import { LEASE_SECONDS } from '../../indexer/store/lease.ts'
import { ChainWriter } from '../../indexer/store/writer.ts'
import { migrate } from '../../migrations/migrate.ts'
import { Node } from '../simulation/node.ts'
import { startTestCluster } from '../support/cluster.ts'
import { testPool } from '../support/database.ts'
import { Random, seedFromEnvironment } from '../support/random.ts'
import { until } from '../support/until.ts'
import { Child } from './child.ts'
import { QUIET_PLAN } from './scene.ts'

const CHAIN = 'leased'

const cluster = await startTestCluster()
const admin = new pg.Client(cluster.url)
// The server may stop before this connection ends.
admin.on('error', () => {})
await admin.connect()
t.teardown(async () => {
  await admin.end()
  await cluster.stop()
})

function addressOf(login: string): string {
  return Object.assign(new URL(cluster.url), { pathname: '/leases', username: login, password: 'secret' }).href
}

await admin.query(`create role keeper login createrole password 'secret'`)
await admin.query('create database leases owner keeper')
const url = addressOf('keeper')
await migrate(url)
await admin.query(`create role spy login password 'secret' in role headwater_reader`)

const pool = testPool(t, url, { max: 2 })

const open = () => ChainWriter.open({ chain: CHAIN, databaseUrl: url, chainId: null })

t.test('a reader can neither take a lease nor delay another process that takes it', async (t) => {
  const spy = new pg.Client(addressOf('spy'))
  await spy.connect()
  t.teardown(() => spy.end())
  await spy.query('set default_transaction_read_only = off')
  const first = await open()
  await first.close()
  for (const key of ['headwater:', 'headwater plan ', 'headwater hours '])
    await spy.query('select pg_advisory_lock(hashtextextended($1, 0))', [`${key}${CHAIN}`])
  const attempts = [
    'select from meta.leases',
    'begin; lock table meta.leases in access share mode',
    'select from meta.leases for key share',
    `update meta.leases set expires_at = 'infinity'`,
    'delete from meta.leases',
    `select meta.take_lease('${CHAIN}', 'write', gen_random_uuid(), 1000)`,
    `select meta.check_lease('${CHAIN}', 'write', gen_random_uuid())`,
    'begin; lock table meta.position in access share mode',
  ]
  for (const sql of attempts) {
    await t.rejects(spy.query(sql), { code: '42501' }, sql)
    await spy.query('rollback')
  }
  const writer = await open()
  await writer.close()
  t.equal(await countHours({ chain: CHAIN, databaseUrl: url }), 0)
  for (const sql of ['create temp table mine (a int4)', 'create table public.mine (a int4)'])
    await t.rejects(spy.query(sql), { code: '42501' }, sql)
})

t.test('a program from before the leases is stopped at its next commit, and cannot take the chain again', async (t) => {
  const node = await Node.start(QUIET_PLAN, new Random(seedFromEnvironment()))
  t.teardown(() => node.server.stop())
  const child = new Child({ databaseUrl: url, shipUrl: node.server.url, chain: CHAIN, startBlock: node.tree.first })
  await until('something is indexed', () => child.committed.at(-1) === node.chain.head.id)
  await child.stop()
  const old = new pg.Client(url)
  await old.connect()
  t.teardown(() => old.end())
  await old.query('set role headwater_writer')
  const claim = 'update meta.position set writer = $2, chain_id = coalesce(chain_id, $3) where chain = $1'
  const values = [CHAIN, '00000000-0000-4000-8000-000000000000', null]
  await t.rejects(old.query(claim, values), { code: '42501' })
  const move = `select meta.move_position($1, $2, block_num + 1, '00', now(), lib_num, head_num, block_num, block_id)
    from meta.position where chain = $1`
  await t.rejects(old.query(move, values.slice(0, 2)), { code: 'HW004' })
})

t.test('one of two processes writes; after kill -9 the other one continues within seconds', async (t) => {
  const node = await Node.start(QUIET_PLAN, new Random(seedFromEnvironment()))
  await pool.query('select meta.clear_chain($1)', [CHAIN])
  const options = { databaseUrl: url, shipUrl: node.server.url, chain: CHAIN, startBlock: node.tree.first }
  const children = [new Child(options), new Child(options)]
  t.teardown(() => node.server.stop())
  t.teardown(() => Promise.all(children.map((child) => child.stop('SIGKILL'))))
  const isAtHead = (child: Child) => child.committed.at(-1) === node.chain.head.id
  await until('one is at the head', () => children.some(isAtHead))
  const [holder, waiting] = (isAtHead(children[0]!) ? children : children.toReversed()) as [Child, Child]
  await until('the other one is refused', () => waiting.codes.includes('WRITER_FENCED'))
  t.same(waiting.committed, [])
  await t.rejects(rewindChain({ url, chain: CHAIN, to: 1 }), { code: 'WRITER_FENCED' })

  // The waiting one may take the lease before the next look.
  const { rows: leases } = await pool.query('select pid from meta.leases where chain = $1', [CHAIN])
  await holder.stop('SIGKILL')
  const gone = async () => {
    const { rows } = await pool.query('select from pg_stat_activity where pid = $1', [leases[0].pid])
    return rows.length === 0
  }
  await until('its session is gone', gone)
  const started = performance.now()
  const writer = await open().catch((error: { code: string }) => error.code)
  if (writer instanceof ChainWriter) await writer.close()
  t.ok(
    writer instanceof ChainWriter || writer === 'WRITER_FENCED',
    'the next one starts at once, or the waiting one has',
  )
  t.ok(performance.now() - started < (LEASE_SECONDS * 1000) / 2, 'without waiting for the end of the lease')
  node.grow(1)
  await until('the waiting one goes on', () => isAtHead(waiting))
})

t.test('a suspended process loses the chain when its lease expires, and writes nothing when it resumes', async (t) => {
  const node = await Node.start(QUIET_PLAN, new Random(seedFromEnvironment()))
  await pool.query('select meta.clear_chain($1)', [CHAIN])
  const options = { databaseUrl: url, shipUrl: node.server.url, chain: CHAIN, startBlock: node.tree.first }
  const hung = new Child(options)
  t.teardown(() => node.server.stop())
  t.teardown(() => hung.stop('SIGKILL'))
  const isAtHead = (child: Child) => () => child.committed.at(-1) === node.chain.head.id
  await until('the first one is at the head', isAtHead(hung))
  const leaseEnd = async () =>
    (await pool.query(`select expires_at as at from meta.leases where purpose = 'write'`)).rows[0].at.getTime()
  const before = await leaseEnd()
  await until('it renews its lease without a block', async () => (await leaseEnd()) > before)

  hung.signal('SIGSTOP')
  const heir = new Child(options)
  t.teardown(() => heir.stop('SIGKILL'))
  await until('the second one has to wait', () => heir.codes.includes('WRITER_FENCED'))
  node.grow(2)
  await until('the second one takes over', isAtHead(heir))
  const committed = hung.committed.length
  hung.signal('SIGCONT')
  for (let i = 0; i < 4; i++) {
    node.grow(1)
    await until('the second one goes on', isAtHead(heir))
  }
  await until('the first one is refused', () => hung.codes.includes('WRITER_FENCED'))
  t.equal(hung.committed.length, committed, 'it has committed nothing since')
})

t.test('a process that lost its lease cannot commit, and no lease is taken during a transaction', async (t) => {
  const chain = 'brief'
  const holder = new pg.Client(url)
  await holder.connect()
  // The process that takes over terminates this connection.
  holder.on('error', () => {})
  t.teardown(() => holder.end())
  await holder.query('set role headwater_writer')
  const take = (client: pg.ClientBase, token: string) =>
    client
      .query(`select meta.take_lease('${chain}', 'write', $1, 0) as holder`, [token])
      .then(({ rows }) => rows[0].holder)
  const [ours, theirs] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  const check = `select meta.check_lease('${chain}', 'write', '${ours}')`
  t.equal(await take(holder, ours), null)
  await holder.query(`begin; ${check}`)
  const working = holder.query('select pg_sleep(1)')
  await until('it works', async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where query = 'select pg_sleep(1)' and state = 'active'`,
    )
    return rows.length === 1
  })
  t.match(await take(pool as unknown as pg.ClientBase, theirs), /^database session \d+ of an unnamed program/)
  await working
  await holder.query('commit')
  t.equal(await take(pool as unknown as pg.ClientBase, theirs), null, 'between two transactions, when the time is up')
  await t.rejects(holder.query(check), /HW004|terminat|not queryable/)
})
