// The programs of a long run, each in a process of its own: the demo, and an API on its database.
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, openSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const PROGRAM = new URL('../../bin/headwater.js', import.meta.url).pathname
/** The demo's own profiles. */
const CHAINS = ['wax', 'telos']
  .map((name) => new URL(`../../config/demo/${name}.json`, import.meta.url).pathname)
  .join()
const OPTIONS = ['--max-semi-space-size=64', '--v8-pool-size=1', PROGRAM]

export interface Demo {
  url: string
  databaseUrl: string
  /** Environment of commands that use the demo's database and chains. */
  env: NodeJS.ProcessEnv
  ready: Promise<void>
  /** Resident memory of its relayer, MB; 0 while it starts. */
  relayerMb(): number
  stop(): void
}

/** Starts the demo and waits for the addresses that it prints. Its log is in `demo.log` of the folder. */
export async function startDemo(folder: string, days: number): Promise<Demo> {
  const env = { ...process.env, HEADWATER_DATA: folder, PORT: '0' }
  const child = spawn(process.execPath, [...OPTIONS, 'demo', '--days', String(days)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(join(folder, 'demo.log'))
  child.stderr?.pipe(log)
  const text = await printed(child, /^\s*SQL\s+psql '([^']+)'/m)
  const url = /^\s*API\s+(\S+)/m.exec(text)?.[1] ?? ''
  const databaseUrl = /^\s*SQL\s+psql '([^']+)'/m.exec(text)?.[1] ?? ''
  return {
    url,
    databaseUrl,
    env: { ...env, DATABASE_URL: databaseUrl, HEADWATER_CHAINS: CHAINS },
    ready: untilReady(url),
    relayerMb: () => relayerMb(child.pid ?? 0),
    stop: () => child.kill('SIGTERM'),
  }
}

/** The relayer's metrics are at another port after each start, so its memory is read from the system. */
function relayerMb(parent: number): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isRelayer = /headwater\.js\0relay\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
      const status = isRelayer ? readFileSync(`/proc/${pid}/status`, 'latin1') : ''
      if (!new RegExp(`^PPid:\\s+${parent}$`, 'm').test(status)) continue
      return Math.round((Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / 1e6)
    } catch {
      // It has ended meanwhile.
    }
  }
  return 0
}

/** Resolves with what a child has printed once it matches. */
function printed(child: ChildProcess, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      if (wanted.test(text)) resolve(text)
    })
    child.once('exit', (code) => reject(new Error(`the demo ended with ${code}`)))
  })
}

export interface Api {
  readonly url: string
  ready(): Promise<void>
  /** Kills the process; it is started again on the same port. */
  kill(): void
  stop(): void
}

/** Starts an API on a free port. Its warnings are in `api.log` of the folder. */
export async function startApi({ env }: Demo, folder: string): Promise<Api> {
  const port = await freePort()
  const log = openSync(join(folder, 'api.log'), 'a')
  const url = `http://127.0.0.1:${port}`
  let isStopped = false
  let child: ChildProcess
  const start = () => {
    child = spawn(process.execPath, [...OPTIONS, 'api'], {
      env: { ...env, PORT: String(port), HEADWATER_LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'ignore', log],
    })
    child.once('exit', () => {
      // As a supervisor does, after a second.
      if (!isStopped) setTimeout(start, 1000)
    })
  }
  start()
  return {
    url,
    ready: () => untilReady(url),
    kill: () => void child.kill('SIGKILL'),
    stop() {
      isStopped = true
      child.kill('SIGTERM')
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/health/ready`).catch(() => null)
    if (answer?.ok) return
    await delay(500)
  }
}
