// PostgreSQL is killed under the whole program, `headwater run`, with its indexer, API, stream, jobs and proofs busy, and
// then refuses new connections: the process keeps running, answers again, and no row is lost or duplicated.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import WebSocket from 'ws'
import { startShip } from '../../devnet/ship/server.ts'
import { startBoss } from '../../indexer/jobs/boss.ts'
import { start } from '../bin/program.ts'
import { RandomExchange } from '../indexer/bootstrap/random-exchange.ts'
import { seedFromEnvironment } from '../support/random.ts'
import { ownServer } from './own-server.ts'

const KILLS = process.env.HEADWATER_TEST_LONG ? 50 : 3
const PATHS = [
  '/api/v2/swap/pools',
  '/api/v2/tickers',
  '/api/v3/swaps/newest?limit=15',
  '/api/bridge/v1/pending',
  '/api/bridge/v1/proofs/w%3A1',
  '/health/ready',
]
/** The jobs of `headwater run` look for work every five seconds. */
const REFUSING_MS = 6000
t.setTimeout(1_800_000)

const seed = seedFromEnvironment()
t.test(`${KILLS} kills of PostgreSQL under the whole program (HEADWATER_SEED=${seed})`, async (t) => {
  const server = await ownServer(t)
  const exchange = new RandomExchange(seed)
  exchange.produce(40)
  const ship = await startShip(exchange.chain)
  const live = setInterval(() => exchange.produce(1), 100)
  t.teardown(async () => {
    clearInterval(live)
    await ship.stop()
  })
  const program = start(['run'], {
    DATABASE_URL: server.url,
    PORT: '0',
    HEADWATER_CHAINS: 'dev',
    HEADWATER_DEV_SOURCE_KIND: 'ship',
    HEADWATER_DEV_SOURCE_URLS: ship.url,
    HEADWATER_LOG_LEVEL: 'info',
  })
  t.teardown(() => void program.child.kill('SIGKILL'))
  const api = await until('the API', () => /"url":"(http:[^"]+)"/.exec(program.output.stderr)?.[1])
  const isAlive = () => program.child.exitCode === null && program.child.signalCode === null
  const gone = () => `the program ended: ${program.output.stderr.slice(-3000)}`

  let answered = 0
  const over = new AbortController()
  t.teardown(() => over.abort())
  const load = PATHS.map(async (path) => {
    while (!over.signal.aborted) {
      const ok = await fetch(api + path, { signal: AbortSignal.timeout(10_000) }).then(
        (answer) => answer.arrayBuffer().then(() => answer.status < 500),
        () => false,
      )
      if (ok) answered++
      await delay(ok ? 5 : 50)
    }
  })
  const listening = listen(api, over.signal)
  const position = async () => {
    const client = new pg.Client(server.url)
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query(`select block_num::int as num from meta.position where chain = 'dev'`)
      return (rows[0]?.num as number | undefined) ?? 0
    } catch {
      return 0
    } finally {
      await client.end().catch(() => {})
    }
  }
  await until('the first blocks', async () => (await position()) > 30)
  for (let kill = 1; kill <= KILLS && isAlive(); kill++) {
    // A run of a recurring job is in progress: the table that it reads is locked until the server is killed.
    const lock = new pg.Client(server.url)
    lock.on('error', () => {})
    await lock.connect()
    await lock.query('begin; lock table meta.staging_sets in access exclusive mode')
    const boss = await startBoss({ databaseUrl: server.url, onError: () => {} })
    // The run that the previous kill ended counts as active until it expires.
    await boss.getDb().executeSql(`delete from pgboss.job where name = 'clean_staging'`, [])
    await boss.send('clean_staging', {})
    await until('the job', async () => {
      const { rows } = await boss.getDb().executeSql(WAITING, [])
      return rows.length > 0
    })
    const before = await position()
    const pid = Number(readFileSync(`${server.directory}/postmaster.pid`, 'latin1').split('\n')[0])
    for (const each of [pid, ...childrenOf(pid)]) killIfThere(each)
    await Promise.allSettled([lock.end(), boss.stop({ graceful: false, timeout: 100 })])
    const answers = answered
    await until(`blocks after kill ${kill}`, async () => !isAlive() || (await position()) > before + 3)
    await until(`answers after kill ${kill}`, () => !isAlive() || answered > answers + 20)
  }
  t.ok(isAlive(), isAlive() ? 'the program is alive' : gone())

  const refused = () => /too many clients|remaining connection slots/.test(program.output.stderr)
  const release = await takeAllConnections(server.url, () => refused() || !isAlive())
  // Long enough for each recurring job to fail as well.
  await delay(REFUSING_MS)
  await release()
  const [before, answers] = [await position(), answered]
  await until('blocks after too many clients', async () => !isAlive() || (await position()) > before + 3)
  await until('answers after too many clients', () => !isAlive() || answered > answers + 20)
  t.ok(refused() && isAlive(), isAlive() ? 'it was refused, and is alive' : gone())

  clearInterval(live)
  over.abort()
  await Promise.all(load)
  t.ok((await listening) > KILLS, 'the stream went on')
  const { head } = exchange.chain
  await until('the head', async () => (await position()) === head.num)
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  // The pool ends before its connections, which the server may still break.
  pool.on('error', () => {})
  t.teardown(() => pool.end())
  const { rows } = await pool.query(
    `select count(*)::int as blocks, count(distinct block_num)::int as numbers, max(block_num)::int as last from ledger.blocks`,
  )
  t.match(rows, [{ blocks: head.num - 1, numbers: head.num - 1, last: head.num }], 'every block once')
  program.child.kill('SIGTERM')
  t.equal((await program.outcome).code, 0, 'it ends as asked')
})

const WAITING = `select from pg_stat_activity where application_name = 'headwater clean staging' and wait_event_type = 'Lock'`

/** Subscribes to the market stream and reconnects after every loss. @returns number of messages until the signal */
async function listen(api: string, signal: AbortSignal): Promise<number> {
  let heard = 0
  while (!signal.aborted) {
    const socket = new WebSocket(`${api.replace('http', 'ws')}/api/v3/market/stream`)
    const end = () => socket.terminate()
    signal.addEventListener('abort', end)
    socket.on('error', () => {})
    socket.on('open', () => socket.send(JSON.stringify({ op: 'subscribe', channel: 'pool', id: 0 })))
    socket.on('message', () => heard++)
    await once(socket, 'close').catch(() => {})
    signal.removeEventListener('abort', end)
    await delay(100)
  }
  return heard
}

async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (let tries = 0; tries < 6000; tries++) {
    const found = await Promise.resolve(look()).catch(() => undefined)
    if (found) return found
    await delay(40)
  }
  throw new Error(`not in time: ${what}`)
}

/** Ends the program's sessions and takes every connection of the server until a condition holds. @returns releases them */
async function takeAllConnections(url: string, isEnough: () => boolean): Promise<() => Promise<void>> {
  const taken: pg.Client[] = []
  const fill = async () => {
    for (;;) {
      const client = new pg.Client({ connectionString: url, application_name: 'too many' })
      client.on('error', () => {})
      try {
        await client.connect()
      } catch {
        return
      }
      taken.push(client)
    }
  }
  await fill()
  await until('a refused connection', async () => {
    await taken[0]!.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'headwater%'`,
    )
    await fill()
    return isEnough()
  })
  return async () => void (await Promise.all(taken.map((client) => client.end())))
}

/** Kills the process unless it has already ended. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')[1]) === parent
      } catch {
        return false // it has ended
      }
    })
}
