// What a long run does to its database and reads from it.
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Demo } from './programs.ts'

const PROGRAM = new URL('../../bin/headwater.js', import.meta.url).pathname

export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Ends every session of the database, as a restart of the server does. */
export async function endSessions(url: string): Promise<void> {
  await connected(url, (client) =>
    client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    ),
  )
}

export async function vacuum(url: string): Promise<void> {
  await connected(url, (client) => client.query('vacuum analyze'))
}

export interface DatabaseFigures {
  rows: number
  bytes: number
  /** Row versions that wait for vacuum. */
  dead: number
  orphaned: number
}

export function databaseFigures(url: string): Promise<DatabaseFigures> {
  return connected(url, async (client) => {
    const { rows } = await client.query<Record<keyof DatabaseFigures, string>>(
      `select sum(n_live_tup) filter (where schemaname = 'ledger')::text as rows, sum(n_dead_tup)::text as dead,
         pg_database_size(current_database())::text as bytes, (select count(*) from head.orphaned_blocks)::text as orphaned
       from pg_stat_user_tables`,
    )
    const [found] = rows
    const number = (name: keyof DatabaseFigures) => Number(found?.[name] ?? 0)
    return { rows: number('rows'), bytes: number('bytes'), dead: number('dead'), orphaned: number('orphaned') }
  })
}

/** Transactions of the relayer by state. */
export function relayed(url: string): Promise<Record<string, number>> {
  return connected(url, async (client) => {
    const { rows } = await client.query<{ state: string; n: string }>(
      'select state, count(*)::text as n from relay.intents group by 1 order by 1',
    )
    return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]))
  })
}

/** Runs `headwater verify`, and looks for errors in the demo's log. */
export async function verified({ env }: Demo, folder: string): Promise<boolean> {
  const { stdout, code } = await promisify(execFile)(process.execPath, [PROGRAM, 'verify'], { env }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error) => ({ stdout: String(error.stdout), code: Number(error.code) }),
  )
  console.log(stdout.trimEnd())
  const errors = new Map<string, number>()
  for await (const line of createInterface(createReadStream(join(folder, 'demo.log')))) {
    const found = /"level":(?:50|60).*?"msg":"([^"]+)"/.exec(line)?.[1]
    if (found !== undefined) errors.set(found, (errors.get(found) ?? 0) + 1)
  }
  for (const [message, times] of errors) console.log(`  error in the log, ${times} times: ${message}`)
  console.log(`completeness: verify ended with ${code}; ${errors.size} kinds of errors in the log`)
  return code === 0
}
