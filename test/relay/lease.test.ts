// A lease decides which relayer uses a key. The owner of this server's database is no superuser, and a reader tries
// everything that it may to stop the relayer.
import pg from 'pg'
import t, { type Test } from 'tap'
import { migrate } from '../../migrations/migrate.ts'
import { Journal, type NewIntent } from '../../relay/state/journal.ts'
import { startTestCluster } from '../support/cluster.ts'
import { testPool } from '../support/database.ts'
import { until } from '../support/until.ts'

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
  return Object.assign(new URL(cluster.url), { pathname: '/relay', username: login, password: 'secret' }).href
}

await admin.query(`create role keeper login createrole password 'secret'`)
await admin.query('create database relay owner keeper')
await migrate(addressOf('keeper'))
await admin.query(`create role relayer login password 'secret' in role headwater_relayer`)
await admin.query(`create role spy login password 'secret' in role headwater_reader`)
const pool = testPool(t, addressOf('keeper'), { max: 2 })

const KEY = `0x${'a1'.repeat(20)}`
const ACCOUNT = 'relayer.svc'
const open = (signers: string[] = [KEY]) => Journal.open(addressOf('relayer'), signers)

const intentOf = (hash: string): NewIntent => ({
  ...{
    chain: 'mainnet',
    signer: KEY,
    leg: 'w:1',
    action: 'release',
    step: 'light',
    nonce: 0,
    hash,
    raw: new Uint8Array(),
  },
  ...{
    call: null,
    expiresAt: null,
    maxFee: 1n,
    maxTip: 1n,
    gasLimit: 1n,
    costUsd: 1,
    feeUsd: 1,
    valueUsd: 1,
    shares: [],
  },
})
const hashes = async () => (await pool.query('select hash from relay.intents order by id')).rows.map(({ hash }) => hash)
const sessionOf = async (signer: string): Promise<number> =>
  (await pool.query('select pid from relay.leases where signer = $1', [signer])).rows[0]?.pid

async function session(t: Test, login: string): Promise<pg.Client> {
  const client = new pg.Client(addressOf(login))
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  return client
}

t.test('a reader cannot keep a relayer from its key', async (t) => {
  const spy = await session(t, 'spy')
  await spy.query('set default_transaction_read_only = off')
  await spy.query(`select pg_advisory_lock(hashtext('headwater relay'), hashtext($1))`, [KEY])
  const journal = await open()
  const attempts = [
    'select from relay.leases',
    'begin; lock table relay.leases in access share mode',
    'select from relay.leases for key share',
    `update relay.leases set expires_at = 'infinity'`,
    'delete from relay.leases',
    `select relay.take_lease('${KEY}', gen_random_uuid(), 1000)`,
    `select relay.check_lease(array['${KEY}'], gen_random_uuid())`,
  ]
  for (const sql of attempts) {
    await t.rejects(spy.query(sql), { code: '42501' }, sql)
    await spy.query('rollback')
  }
  const relayer = await session(t, 'relayer')
  await relayer.query('set role headwater_relayer')
  const token = 'update relay.leases set token = gen_random_uuid()'
  await t.rejects(relayer.query(token), { code: '42501' }, 'it changes by a takeover alone')
  await journal.close()
  t.same((await pool.query('select from relay.leases')).rowCount, 0)
})

t.test('a second relayer is refused while the first one lives, and not after it died', async (t) => {
  const first = await open([KEY, ACCOUNT])
  const held = (signer: string) => ({
    code: 'RELAY_KEY_IN_USE',
    message: new RegExp(`${signer}: database session \\d+`),
  })
  await t.rejects(open(), held(KEY))
  await t.rejects(open(['other.svc', ACCOUNT]), held(ACCOUNT))
  t.equal(await sessionOf('other.svc'), undefined, 'a key that was free is not kept')
  const other = await open([`0x${'b2'.repeat(20)}`])
  await other.close()
  await admin.query('select pg_terminate_backend($1)', [await sessionOf(KEY)])
  await until('the first one knows', () => first.isLost)
  const second = await open([KEY, ACCOUNT])
  t.teardown(() => second.close())
  await t.rejects(first.intend(intentOf('0x01'), null), { code: 'RELAY_SESSION_LOST' })
  await first.close()
  t.ok(await sessionOf(KEY), 'its end does not end the lease of the second one')
  t.ok(await second.intend(intentOf('0x02'), null))
  t.same(await hashes(), ['0x02'])
})

t.test('a relayer that was taken over writes nothing', async (t) => {
  const hung = await open()
  t.teardown(() => hung.close())
  const intent = await hung.intend(intentOf('0x03'), null)
  await pool.query('update relay.leases set token = gen_random_uuid() where signer = $1', [KEY])
  await t.rejects(hung.sent(intent?.id ?? ''), { code: 'RELAY_SESSION_LOST' })
  t.ok(hung.isLost)
  await t.rejects(hung.intend(intentOf('0x04'), null), { code: 'RELAY_SESSION_LOST' })
  t.same(await hashes(), ['0x02', '0x03'])
  t.match((await pool.query(`select state from relay.intents where hash = '0x03'`)).rows, [{ state: 'intended' }])
  await pool.query('delete from relay.leases')
})

t.test('a relayer that has hung is ended when its time is up, and not while it records a transaction', async (t) => {
  const relayer = await session(t, 'relayer')
  const other = await session(t, 'relayer')
  for (const client of [relayer, other]) await client.query('set role headwater_relayer')
  const take = async (client: pg.Client, token: string, seconds: number) =>
    (await client.query('select relay.take_lease($1, $2, $3) as holder', [KEY, token, seconds])).rows[0].holder
  const [ours, theirs] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  t.equal(await take(relayer, ours, 60), null)
  t.match(await take(other, theirs, 0), /^database session \d+ of an unnamed program/, 'its time is not up')
  await relayer.query(`update relay.leases set expires_at = now() - interval '1 second' where token = $1`, [ours])
  await relayer.query('begin')
  await relayer.query('select relay.check_lease($1, $2)', [[KEY], ours])
  t.match(await take(other, theirs, 0), /^database session \d+/, 'in a transaction that has checked it')
  await relayer.query('commit')
  t.equal(await take(other, theirs, 0), null)
  await t.rejects(
    relayer.query('select relay.check_lease($1, $2)', [[KEY], ours]),
    /another process took over|terminat|not queryable/,
  )
  await pool.query('delete from relay.leases')
})

t.test('a lease is renewed while its relayer lives', async (t) => {
  const journal = await open()
  t.teardown(() => journal.close())
  const ends = async () => (await pool.query('select expires_at as at from relay.leases')).rows[0].at.getTime()
  const first = await ends()
  await until('a renewal', async () => (await ends()) > first)
  await pool.query('delete from relay.leases')
  await until('it sees that another one has it', () => journal.isLost)
})
