// Failures of PostgreSQL under a running indexer: its session is terminated, the server is killed, an acknowledgement
// is lost, the disk is full. The referee checks after every commit; at the end the database has each block once.
import { readdirSync, readFileSync } from 'node:fs'
import type { Pool } from 'pg'
import t from 'tap'
import { COMMIT_POINTS } from '../../indexer/store/writer.ts'
import type { Place } from '../simulation/follower.ts'
import { forgetChain } from '../simulation/forget-chain.ts'
import { Observer } from '../simulation/snapshot.ts'
import { testDatabase } from '../support/database.ts'
import { startProxy } from '../support/proxy.ts'
import { ownServer } from './own-server.ts'
import { endure } from './scene.ts'

const CHAIN = 'endured'
const isLong = process.env.HEADWATER_TEST_LONG !== undefined
const ordinals = isLong ? [1, 2, 5] : [3]
t.setTimeout(1_800_000)

async function placeIn(url: string): Promise<Place> {
  return { url, chain: CHAIN, observer: await Observer.open(url, CHAIN) }
}

/** Terminates the indexer's session. */
async function terminate(pool: Pool): Promise<void> {
  const { rows } = await pool.query(
    `select pg_terminate_backend(pid) as done from pg_stat_activity where application_name = $1`,
    [`headwater index ${CHAIN}`],
  )
  if (rows.length !== 1) throw new Error(`${rows.length} sessions of the indexer were found`)
}

t.test('the indexer’s session is terminated at every step of a commit', async (t) => {
  const { url, pool } = await testDatabase(t)
  const place = await placeIn(url)
  for (const ordinal of ordinals) {
    for (const point of COMMIT_POINTS) {
      const complaints = await endure(place, { point, ordinal, strike: () => terminate(pool) })
      t.ok(complaints.has('DATABASE_UNAVAILABLE'), `${point}, ${ordinal}`)
      await forgetChain(pool, CHAIN)
    }
  }
  await place.observer.close()
})

t.test('the acknowledgement of a commit is lost', async (t) => {
  const { url, pool } = await testDatabase(t)
  const proxy = await startProxy(targetOf(url))
  const through = new URL(url)
  const name = through.pathname.slice(1)
  const place = { ...(await placeIn(url)), url: `postgresql://postgres@127.0.0.1:${proxy.port}/${name}` }
  const complaints = await endure(place, {
    point: 'ready',
    ordinal: 4,
    strike() {
      proxy.dropAnswers()
      afterwards(() => proxy.dropped > 0, proxy.cut)
    },
  })
  t.ok(complaints.has('DATABASE_UNAVAILABLE'))
  await forgetChain(pool, CHAIN)

  t.test('the connection is lost and stays half open', async (t) => {
    const complaints = await endure(place, {
      point: 'copied',
      ordinal: 5,
      strike() {
        proxy.halfOpen()
        afterwards(() => proxy.dropped > 0, proxy.cut)
      },
    })
    t.ok(complaints.has('DATABASE_UNAVAILABLE'))
  })
  t.teardown(() => proxy.stop())
  t.teardown(() => place.observer.close())
})

t.test('the server is killed', async (t) => {
  const server = await ownServer(t)
  const place = await placeIn(server.url)
  const postmaster = () => Number(readFileSync(`${server.directory}/postmaster.pid`, 'latin1').split('\n')[0])
  const points = isLong ? COMMIT_POINTS : (['moved', 'ready', 'committed'] as const)
  for (const point of points) {
    const killed: number[] = []
    const strike = () => {
      const pid = postmaster()
      // With its child processes, as in a power cut; an orphaned backend would run on for a while.
      for (const each of [pid, ...childrenOf(pid)]) process.kill(each, 'SIGKILL')
      killed.push(pid)
    }
    const complaints = await endure(place, { point, ordinal: 3, strike })
    t.equal(killed.length, 1, point)
    t.not(postmaster(), killed[0], 'another server runs')
    t.ok(complaints.has('DATABASE_UNAVAILABLE'), [...complaints.keys()].join(', '))
    await server.forget(CHAIN)
  }
  await place.observer.close()
})

t.test('the disk is full', async (t) => {
  const server = await ownServer(t)
  const disk = await server.tinyDisk()
  if (!disk) {
    t.pass('not run: a file system of a few megabytes can be mounted by root only', { skip: true })
    return
  }
  const place = await placeIn(disk.url)
  const complaints = await endure(place, {
    point: 'begun',
    ordinal: 3,
    strike(_, anomalies) {
      disk.fill()
      afterwards(() => anomalies.has('DISK_FULL'), disk.free)
    },
  })
  t.ok(complaints.has('DISK_FULL'), [...complaints.keys()].join(', '))
  await place.observer.close()
})

/** Ends a failure once it had its effect, while the indexer goes on. */
function afterwards(isDone: () => boolean, end: () => void): void {
  const timer = setInterval(() => {
    if (!isDone()) return
    clearInterval(timer)
    end()
  }, 20)
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')[1])
  } catch {
    return undefined // it has ended
  }
}

/** Address of a server: a Unix socket if the URL names one. */
function targetOf(url: string): { host?: string; port?: number; path?: string } {
  const { hostname, port, searchParams } = new URL(url)
  const directory = searchParams.get('host')
  return directory ? { path: `${directory}/.s.PGSQL.${port}` } : { host: hostname, port: Number(port) }
}
