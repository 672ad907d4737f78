// ClickHouse for tests, from its own package file: the real engine behind a small HTTP server, in a child process.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLines, installedPackage } from '../test-package.ts'

/** ClickHouse is not installed, and cannot be. */
export interface Missing {
  missing: string
}

const FOLDER = import.meta.dirname
/** Set by the test runner when the installation failed, so that no test tries again. */
export const MISSING_VARIABLE = 'HEADWATER_TEST_CLICKHOUSE_MISSING'
/** When set to `required`, a missing ClickHouse is a failure. */
export const REQUIRED_VARIABLE = 'HEADWATER_TEST_CLICKHOUSE'

/** Never throws: returns the reason. */
export async function installClickHouse(): Promise<Missing | null> {
  const known = process.env[MISSING_VARIABLE]
  if (known !== undefined) return { missing: known }
  try {
    await installedPackage(FOLDER, 'chdb')
    return null
  } catch (error) {
    return { missing: firstLines(error) }
  }
}

/** The used part of a tap test. */
interface Test {
  teardown(work: () => Promise<unknown>): unknown
}

/** A server with its tables in a folder, which it finds again after it was killed. */
export class ClickHouseServer {
  readonly #tables = mkdtempSync(join(tmpdir(), 'headwater-clickhouse-'))
  readonly #bodies = mkdtempSync(join(tmpdir(), 'headwater-clickhouse-bodies-'))
  #child: ChildProcess | null = null
  #port = 0

  /** Process id of the engine; 0 before the start. */
  get pid(): number {
    return this.#child?.pid ?? 0
  }

  constructor(t: Test) {
    t.teardown(async () => {
      await this.stop()
      for (const folder of [this.#tables, this.#bodies]) rmSync(folder, { recursive: true, force: true })
    })
  }

  /** Whether the process has ended. */
  get isDead(): boolean {
    return this.#child === null || this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  url(database: string): string {
    return `http://127.0.0.1:${this.#port}/${database}`
  }

  /** @param kill  `before 3`: SIGKILL before the third insert is executed; `after 3`: before it is answered */
  async start(kill = ''): Promise<void> {
    const env = { ...process.env, KILL: kill }
    const child = fork(join(FOLDER, 'engine.js'), [this.#tables, this.#bodies], { env, execArgv: [] })
    this.#child = child
    const [port] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`the engine ends with ${code}`))),
    ])
    this.#port = port as number
  }

  async stop(): Promise<void> {
    if (this.isDead) return
    this.#child?.kill('SIGKILL')
    await once(this.#child as ChildProcess, 'exit')
  }
}
