// Ends readers' sessions that exceed their limits (`meta.reader_limits`), whatever settings the sessions have. Not a
// job of the queue: a reader can hold a lock that the queue waits for. Several processes may run it concurrently.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { openClient } from '../net/postgres.ts'
import { END_READER_SESSIONS, READER_SESSION } from './sql.ts'

export interface ReaderSession {
  pid: number
  login: string
  /** The exceeded limit. */
  reason: string
  /** False when the owner of the schema may not end it. */
  ended: boolean
}

export interface ReaderBounds {
  databaseUrl: string
  signal: AbortSignal
  /** Called once for each session that was ended or cannot be ended. */
  onSession(session: ReaderSession): void
  /** Called after a failed check; checks continue. */
  onError(error: Error): void
  /** Interval between checks, ms. Default 5000. */
  everyMs?: number
}

const EVERY_MS = 5000

/** Checks at an interval until the signal is aborted. Keeps its connection open: readers may take all the others. */
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
