// Appends irreversible rows to `final_log`, from which replicas get them by logical replication. Several processes may
// run it: one at a time works on a chain, and each block is appended once.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type HeadwaterError, RetryableError } from '../../core/errors.ts'
import { openClient } from '../../net/postgres.ts'
import { databaseError } from '../store/errors.ts'
import { APPEND, CHAINS, LISTEN, SESSION } from './sql.ts'

export interface PublishOptions {
  databaseUrl: string
  signal: AbortSignal
  /** Whether to return when there is nothing to append. */
  once?: boolean
  onAppended?: (chain: string, upTo: number) => void
  /** Called after a lost connection, before the next attempt. */
  onRetry?: (error: HeadwaterError) => void
}

/** Blocks of one transaction: few enough that a replica applies them in seconds. */
const BATCH_BLOCKS = 5000
/** Poll interval, in case a notification is lost. */
const POLL_MS = 1000
/** Minimum time between polls, because any reader may send notifications. */
const MIN_POLL_MS = 50
const RETRY_MS = 1000
const SERIALIZATION_FAILURE = '40001'

/** @throws UserError, BugError; with `once` RetryableError too */
export async function publishFinal(options: PublishOptions): Promise<void> {
  const { signal, once = false, onRetry } = options
  while (!signal.aborted) {
    try {
      return await follow(options)
    } catch (cause) {
      const error = databaseError(cause, { chain: 'publish' })
      if (once || !(error instanceof RetryableError)) throw error
      onRetry?.(error)
      await delay(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
}

async function follow({ databaseUrl, signal, once = false, onAppended }: PublishOptions): Promise<void> {
  const client = openClient({ connectionString: databaseUrl, application_name: 'headwater publish' })
  const wakeUp = new Signal()
  let lost: Error | null = null
  client.on('notification', () => wakeUp.set())
  client.on('error', (error) => {
    lost = error
    wakeUp.set()
  })
  const wake = () => wakeUp.set()
  signal.addEventListener('abort', wake)
  try {
    await client.connect()
    await client.query(SESSION)
    await client.query(LISTEN)
    while (!signal.aborted) {
      if (lost !== null) throw lost
      await appendAll(client, signal, onAppended)
      if (once) return
      await wakeUp.wait(POLL_MS)
      await delay(MIN_POLL_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    signal.removeEventListener('abort', wake)
    await client.end().catch(() => {})
  }
}

async function appendAll(
  client: pg.Client,
  signal: AbortSignal,
  onAppended: PublishOptions['onAppended'],
): Promise<void> {
  const { rows: chains } = await client.query<{ chain: string }>(CHAINS)
  for (const { chain } of chains) {
    while (!signal.aborted) {
      const upTo = await append(client, chain)
      if (upTo === null) break
      onAppended?.(chain, upTo)
    }
  }
}

/** @returns the last block appended; null when there is nothing to append, or another process is appending */
async function append(client: pg.Client, chain: string): Promise<number | null> {
  try {
    const { rows } = await client.query<{ upTo: number | null }>(APPEND, [chain, BATCH_BLOCKS])
    return rows[0]?.upTo ?? null
  } catch (error) {
    if ((error as { code?: unknown }).code === SERIALIZATION_FAILURE) return null
    throw error
  }
}

/** A signal that stays set until it is taken. */
class Signal {
  private isSet = false
  private waiting: (() => void) | null = null

  set(): void {
    this.isSet = true
    this.waiting?.()
  }

  async wait(timeoutMs: number): Promise<void> {
    if (!this.isSet) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs)
        this.waiting = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.waiting = null
    }
    this.isSet = false
  }
}
