// Ends sessions of readers that are above their limits (`meta.reader_limits`), whatever these sessions have set. Not a job of the
// queue: a reader can hold a lock that the queue waits for. Any number of processes may do it at once.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { openClient } from '../net/postgres.ts'
import { END_READER_SESSIONS, READER_SESSION } from './sql.ts'

export interface ReaderSession {
  pid: number
  login: string
  /** Which limit it is above. */
  reason: string
  /** False where the owner of the schema may not end it. */
  ended: boolean
}

export interface ReaderBounds {
  databaseUrl: string
  signal: AbortSignal
  /** Called once for each session that was ended, or that cannot be. */
  onSession(session: ReaderSession): void
  /** Called after a look that failed; the next one follows. */
  onError(error: Error): void
  /** Between looks, ms. Default 5000. */
  everyMs?: number
}

const EVERY_MS = 5000

/** Looks until the signal comes. Keeps its connection: readers may take all the others. */
export async function boundReaders(options: ReaderBounds): Promise<void> {
  const { databaseUrl, signal, onSession, onError, everyMs = EVERY_MS } = options
  let client: pg.Client | null = null
  let refused = new Set<number>()
  while (!signal.aborted) {
    try {
      client ??= await connect(databaseUrl)
      const { rows } = await client.query<ReaderSession>(END_READER_SESSIONS)
      for (const session of rows) if (session.ended || !refused.has(session.pid)) onSession(session)
      refused = new Set(rows.filter(({ ended }) => !ended).map(({ pid }) => pid))
    } catch (error) {
      await client?.end().catch(() => {})
      client = null
      onError(error as Error)
    }
    await delay(everyMs, undefined, { signal }).catch(() => {})
  }
  await client?.end().catch(() => {})
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = openClient({ connectionString, application_name: 'headwater readers', keepAlive: true })
  try {
    await client.connect()
    await client.query(READER_SESSION)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}
