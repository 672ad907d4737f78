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
import { ADDRESS } from '../indexer/finality/random-ledger.ts'
import { Telos } from '../proofs/telos.ts'
import { seedFromEnvironment } from '../support/random.ts'
import { ownServer } from './own-server.ts'

const KILLS = process.env.HEADWATER_TEST_LONG ? 50 : 3
const PATHS = [
  '/api/v2/swap/pools',
  '/api/v2/tickers',
  '/api/v3/swaps/newest?limit=15',
  '/api/bridge/v1/pending',
  '/health/ready',
]
/** Path of a withdrawal's proof. */
const proofOf = (id: bigint) => `/api/bridge/v1/proofs/w%3A${id}`
/** Blocks of the ledger's chain between two withdrawals. */
const BETWEEN = 5
/** A busy machine indexes more slowly than blocks are made. */
const MAX_AHEAD = 50
/** The jobs of `headwater run` look for work every five seconds. */
const REFUSING_MS = 6000
t.setTimeout(1_800_000)

const seed = seedFromEnvironment()
t.test(`${KILLS} kills of PostgreSQL under the whole program (HEADWATER_SEED=${seed})`, async (t) => {
  const server = await ownServer(t)
  const exchange = new RandomExchange(seed)
  exchange.produce(40)
  const ledger = new Telos([{ domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n }])
  const withdraw = () => ledger.withdraw('USDC', 1_000_000n, 1, ADDRESS)
  const first = withdraw()
  let newest = withdraw()
  ledger.idle(2)
  const [ship, bridgeShip] = await Promise.all([startShip(exchange.chain), startShip(ledger.chain)])
  let blocks = 0
  /** Blocks that are not indexed yet, of the chain that has more. */
  let ahead = 0
  const live = setInterval(() => {
    if (ahead > MAX_AHEAD) return
    exchange.produce(1)
    if (++blocks % BETWEEN === 0) newest = withdraw()
    else ledger.idle(1)
  }, 100)
  t.teardown(async () => {
    clearInterval(live)
    await Promise.all([ship.stop(), bridgeShip.stop()])
  })
  const program = start(['run'], {
    DATABASE_URL: server.url,
    PORT: '0',
    HEADWATER_CHAINS: 'dev,telos',
    HEADWATER_DEV_SOURCE_KIND: 'ship',
    HEADWATER_DEV_SOURCE_URLS: ship.url,
    HEADWATER_TELOS_SOURCE_URLS: bridgeShip.url,
    HEADWATER_TELOS_SOURCE_HTTP: '',
    HEADWATER_LOG_LEVEL: 'info',
  })
  t.teardown(() => void program.child.kill('SIGKILL'))
  const api = await until('the API', () => /"url":"(http:[^"]+)"/.exec(program.output.stderr)?.[1])
  const isAlive = () => program.child.exitCode === null && program.child.signalCode === null
  const gone = () => `the program ended: ${program.output.stderr.slice(-3000)}`

  const over = new AbortController()
  t.teardown(() => over.abort())
  const load = [
    ...PATHS.map((path) => new Requests(api, path, () => path, isAnswer(path), over.signal)),
    // The newest withdrawal is not final yet.
    new Requests(
      api,
      'proofs',
      () => proofOf(newest - 1n),
      (status) => status === 200,
      over.signal,
    ),
  ]
  /** Waits until each path was answered some more times. */
  const answers = async (when: string) => {
    const before = load.map(({ answered }) => answered)
    const some = (one: Requests, i: number) => one.answered > (before[i] as number) + 3
    const missing = () => load.filter((one, i) => !some(one, i)).map(({ name, status }) => `${name} (${status})`)
    await until(
      () => `answers ${when} of ${missing()}`,
      () => !isAlive() || load.every(some),
    )
  }
  const proof = async () => {
    const answer = await fetch(api + proofOf(first)).catch(() => null)
    return answer?.status === 200 ? ((await answer.json()) as { hard: object }).hard : null
  }
  const proved = await until('the first proof', proof)
  const stream = new Listener(api, over.signal)
  const position = async () => (await positions(server.url)).dev ?? 0
  void (async () => {
    while (!over.signal.aborted) {
      const { dev, telos } = await positions(server.url)
      // Without an answer, what is known stays.
      if (dev && telos) ahead = Math.max(exchange.chain.head.num - dev, ledger.chain.head.num - telos)
      await delay(100)
    }
  })()
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
    await until(`blocks after kill ${kill}`, async () => !isAlive() || (await position()) > before + 3)
    await answers(`after kill ${kill}`)
    t.same(await until(`the proof after kill ${kill}`, proof), proved, `the same proof after kill ${kill}`)
    const { heard } = stream
    await until(`a message of the stream after kill ${kill}`, () => !isAlive() || stream.heard > heard)
  }
  t.ok(isAlive(), isAlive() ? 'the program is alive' : gone())

  const refused = () => /too many clients|remaining connection slots/.test(program.output.stderr)
  const release = await takeAllConnections(server.url, () => refused() || !isAlive())
  // Long enough for each recurring job to fail as well.
  await delay(REFUSING_MS)
  await release()
  const before = await position()
  await until('blocks after too many clients', async () => !isAlive() || (await position()) > before + 3)
  await answers('after too many clients')
  t.ok(refused() && isAlive(), isAlive() ? 'it was refused, and is alive' : gone())

  clearInterval(live)
  over.abort()
  await Promise.all([...load.map(({ ended }) => ended), stream.ended])
  const { head } = exchange.chain
  await until('the head', async () => (await position()) === head.num)
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  // The pool ends before its connections, which the server may still break.
  pool.on('error', () => {})
  t.teardown(() => pool.end())
  const { rows } = await pool.query(
    `select count(*)::int as blocks, count(distinct block_num)::int as numbers, max(block_num)::int as last from ledger.blocks where chain = 'dev'`,
  )
  t.match(rows, [{ blocks: head.num - 1, numbers: head.num - 1, last: head.num }], 'every block once')
  program.child.kill('SIGTERM')
  t.equal((await program.outcome).code, 0, 'it ends as asked')
})

/** Whether a status is an answer of a path. The simulated chains are behind the clock, so they are never ready. */
const isAnswer = (path: string) => (status: number) => status < 500 || (status === 503 && path === '/health/ready')

/** Asks a path again and again until the signal. */
class Requests {
  readonly name: string
  readonly ended: Promise<void>
  /** Number of answers whose status is accepted. */
  answered = 0
  /** Of the last answer; 0 when there was none. */
  status = 0

  constructor(
    api: string,
    name: string,
    path: () => string,
    accepts: (status: number) => boolean,
    signal: AbortSignal,
  ) {
    this.name = name
    this.ended = this.#run(api, path, accepts, signal)
  }

  async #run(
    api: string,
    path: () => string,
    accepts: (status: number) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const status = await fetch(api + path(), { signal: AbortSignal.timeout(10_000) }).then(
        (answer) => answer.arrayBuffer().then(() => answer.status),
        () => 0,
      )
      const isAccepted = status > 0 && accepts(status)
      this.status = status
      if (isAccepted) this.answered++
      await delay(isAccepted ? 5 : 50)
    }
  }
}

/** Last indexed block of each chain; nothing when the server does not answer. */
async function positions(url: string): Promise<{ [chain: string]: number }> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select chain, block_num::int as num from meta.position')
    return Object.fromEntries(rows.map(({ chain, num }) => [chain, num]))
  } catch {
    return {}
  } finally {
    await client.end().catch(() => {})
  }
}

const WAITING = `select from pg_stat_activity where application_name = 'headwater clean staging' and wait_event_type = 'Lock'`

/** Subscribes to the market stream until the signal, and reconnects after every loss. */
class Listener {
  /** Number of messages. */
  heard = 0
  readonly ended: Promise<void>

  constructor(api: string, signal: AbortSignal) {
    this.ended = this.#run(api, signal)
  }

  async #run(api: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const socket = new WebSocket(`${api.replace('http', 'ws')}/api/v3/market/stream`)
      const end = () => socket.terminate()
      signal.addEventListener('abort', end)
      socket.on('error', () => {})
      socket.on('open', () => socket.send(JSON.stringify({ op: 'subscribe', channel: 'pool', id: 0 })))
      socket.on('message', () => this.heard++)
      await once(socket, 'close').catch(() => {})
      signal.removeEventListener('abort', end)
      await delay(100)
    }
  }
}

async function until<T>(what: string | (() => string), look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (let tries = 0; tries < 6000; tries++) {
    const found = await Promise.resolve(look()).catch(() => undefined)
    if (found) return found
    await delay(40)
  }
  throw new Error(`not in time: ${typeof what === 'string' ? what : what()}`)
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
