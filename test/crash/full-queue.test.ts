// A reader keeps the server's notification queue full: the indexer continues, and readers find its blocks.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { indexExchange } from '../indexer/replay/index-recording.ts'
import { until } from '../support/until.ts'
import { ownServer } from './own-server.ts'

const recording = new URL('../fixtures/recordings/small.ship.gz', import.meta.url).pathname

t.test(
  'a full queue of notifications does not fail a commit; after the session that filled it ends, notifications arrive again',
  async (t) => {
    const { url, directory } = await ownServer(t)
    const admin = async (sql: string) => {
      const client = new pg.Client(url)
      await client.connect()
      return await client.query(sql).finally(() => client.end())
    }
    await admin(`create role spy login password 'secret' in role headwater_reader`)
    // The smallest allowed queue, half a megabyte; the default is eight gigabytes.
    await admin('alter system set max_notify_queue_pages = 64')
    process.kill(Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGINT')
    const isSmall = () => admin(`select from pg_settings where name = 'max_notify_queue_pages' and setting = '64'`)
    await until('the server is back', async () => (await isSmall().catch(() => null))?.rowCount === 1, 50)

    const spy = async () => {
      const client = new pg.Client(Object.assign(new URL(url), { username: 'spy', password: 'secret' }).href)
      client.on('error', () => {})
      await client.connect()
      t.teardown(() => client.end().catch(() => {}))
      await client.query('set idle_in_transaction_session_timeout = 0; set default_transaction_read_only = off')
      return client
    }
    const holder = await spy()
    await holder.query('listen mine')
    await holder.query('begin; select')
    const flood = await spy()
    const fill = () => flood.query(`select pg_notify('mine', repeat('x', 7000) || n) from generate_series(1, 10) n`)
    const fillUp = async () => {
      for (let i = 0; i < 100; i++) await fill()
    }
    await t.rejects(fillUp(), { code: '54000' }, 'the queue is full')

    const ear = new pg.Client(url)
    const heard: string[] = []
    ear.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await ear.connect()
    t.teardown(() => ear.end())
    await ear.query('listen headwater')
    await indexExchange(url, 'wax', new ReplaySource(recording), 40)
    const indexed = async () => (await admin(`select block_num::int4 as num from meta.position`)).rows[0]?.num
    t.equal(await indexed(), 40)
    t.same(heard, [])

    await admin(`update meta.reader_limits set idle_transaction = '100ms'`)
    await delay(200)
    const { rows } = await admin('select login, reason, ended from meta.end_reader_sessions()')
    t.same(rows, [{ login: 'spy', reason: 'idle transaction', ended: true }])
    const hasRoom = async () => {
      await admin('select from meta.end_reader_sessions()')
      return await fill().then(
        () => true,
        () => false,
      )
    }
    await until('the queue has room', hasRoom, 50)
    await indexExchange(url, 'wax', new ReplaySource(recording), 45)
    t.equal(await indexed(), 45)
    await until('the announcement', () => heard.includes('wax 45'))
    t.equal(heard.at(-1), 'wax 45')
  },
)
