// The API opens all of its connections at the start and does not close them, if the database allows that many.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { SILENT } from '../../api/http/log.ts'
import { fillPool, openPool } from '../../bin/api-pool.ts'
import { testDatabase } from '../support/database.ts'

const IDLE_MS = 50

t.test('connections of the API', async (t) => {
  const { url, pool } = await testDatabase(t)
  /** A pool of a login with a connection limit. */
  const filled = async (name: string, allowed: number) => {
    const role = `${name}_${process.pid}`
    await pool.query(`create role ${role} login password 'secret' connection limit ${allowed}`)
    const address = Object.assign(new URL(url), { username: role, password: 'secret' }).href
    const own = openPool(address, { max: 4, idleTimeoutMillis: IDLE_MS }, SILENT)
    t.teardown(async () => {
      await own.end()
      const admin = new pg.Client(url.replace(/\/[^/?]*(\?|$)/, '/postgres$1'))
      await admin.connect()
      await admin.query(`drop role ${role}`)
      await admin.end()
    })
    await fillPool(own)
    return { own, address }
  }

  t.test('all connections are open, and stay open when idle', async (t) => {
    const { own } = await filled('roomy', 8)
    t.same([own.totalCount, own.idleCount], [4, 4])
    await delay(10 * IDLE_MS)
    t.equal(own.totalCount, 4)
  })

  t.test('if the database allows fewer connections, idle ones are released for other clients', async (t) => {
    const { own, address } = await filled('narrow', 3)
    t.equal((await own.query('select 1 as one')).rows[0].one, 1)
    await delay(10 * IDLE_MS)
    const other = new pg.Client(address)
    await other.connect()
    t.equal((await other.query('select 1 as one')).rows[0].one, 1)
    await other.end()
  })

  t.test('a connection that opens slowly does not block the others', async (t) => {
    const { own } = await filled('slow', 8)
    const connect = own.connect.bind(own)
    let last = (_client: pg.PoolClient) => {}
    let count = 0
    Object.assign(own, {
      connect: () => (++count < 4 ? connect() : new Promise<pg.PoolClient>((resolve) => (last = resolve))),
    })
    const filling = fillPool(own)
    await delay(10 * IDLE_MS)
    t.ok(own.idleCount >= 3)
    last(await connect())
    await filling
  })
})
