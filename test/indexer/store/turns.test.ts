// A connection of the indexer runs one statement at a time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { Turns } from '../../../core/turns.ts'
import { Lease } from '../../../indexer/store/lease.ts'
import { testDatabase } from '../../support/database.ts'

t.test('tasks run one after another, also after a failed task', async (t) => {
  const turns = new Turns()
  const order: string[] = []
  const work = async (name: string) => {
    order.push(`${name} begins`)
    await delay(5)
    order.push(`${name} ends`)
    if (name === 'bad') throw new Error('bad')
    return name
  }
  const bad = turns.take(() => work('bad'))
  const good = turns.take(() => work('good'))
  t.notOk(turns.unfinished === 0)
  await t.rejects(bad, { message: 'bad' })
  t.equal(await good, 'good')
  t.same(order, ['bad begins', 'bad ends', 'good begins', 'good ends'])
  t.ok(turns.unfinished === 0)
})

t.test('a lease is not renewed while its connection is in use, and is renewed after', async (t) => {
  const { url } = await testDatabase(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  const lease = await Lease.tryTake(client, 'wax', 'write', 0.5)
  if (!(lease instanceof Lease)) throw new Error('the lease is taken')
  const sent: string[] = []
  let running = 0
  let overlaps = 0
  const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>
  client.query = (async (...values: unknown[]) => {
    sent.push(String(values[0]))
    if (running++ > 0) overlaps++
    return query(...values).finally(() => {
      running--
    })
  }) as typeof client.query
  const turns = new Turns()
  lease.keepRenewing(turns, () => t.fail('the lease was lost'))
  await turns.take(() => client.query('select pg_sleep(0.6)'))
  t.same(sent, ['select pg_sleep(0.6)'], 'five renewals were left out')
  while (sent.length < 2) await delay(10)
  t.match(sent[1], /meta\.leases/)
  await Promise.all([turns.take(() => client.query('select pg_sleep(0.1)')), lease.release()])
  t.equal(overlaps, 0)
})

t.test('a test fails if a statement is queued while another one runs', async (t) => {
  const { url } = await testDatabase(t)
  const program = `import pg from 'pg'
    const client = new pg.Client({ connectionString: ${JSON.stringify(url)} })
    await client.connect()
    await Promise.all([1, 2, 3].map((n) => client.query('select ' + n)))
    await client.end()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  t.equal(code, 1)
})
