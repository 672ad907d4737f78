// Appends what becomes irreversible to `final_log`, from where replicas have it by logical replication. Any number of
// processes may do it: one at a time works on a chain, and each block is appended once.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type HeadwaterError, RetryableError } from '../../core/errors.ts'
import { openClient } from '../../net/postgres.ts'
import { databaseError } from '../store/errors.ts'
import { APPEND, CHAINS, LISTEN, SESSION } from './sql.ts'

export interface PublishOptions {
  databaseUrl: string
  signal: AbortSignal
  /** Ends when there is nothing to append. */
  once?: boolean
  onAppended?: (chain: string, upTo: number) => void
  /** Told of a lost connection, before the next attempt. */
  onRetry?: (error: HeadwaterError) => void
}

/** Blocks of one transaction: few enough that a replica applies them in seconds. */
const PORTION = 5000
/** Looks for new blocks at least so often, should a notification get lost. */
const LOOK_EVERY_MS = 1000
/** Readers may notify as well: a flood of it is one look. */
const BETWEEN_LOOKS_MS = 50
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
  const woken = new Signal()
  let lost: Error | null = null
  client.on('notification', () => woken.give())
  client.on('error', (error) => {
    lost = error
    woken.give()
  })
  const wake = () => woken.give()
  signal.addEventListener('abort', wake)
  try {
    await client.connect()
    await client.query(SESSION)
    await client.query(LISTEN)
    while (!signal.aborted) {
      if (lost !== null) throw lost
      await appendAll(client, signal, onAppended)
      if (once) return
      await woken.taken(LOOK_EVERY_MS)
      await delay(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => {})
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

/** @returns the last block appended; null when there is nothing to do, or another process does it */
async function append(client: pg.Client, chain: string): Promise<number | null> {
  try {
    const { rows } = await client.query<{ upTo: number | null }>(APPEND, [chain, PORTION])
    return rows[0]?.upTo ?? null
  } catch (error) {
    if ((error as { code?: unknown }).code === SERIALIZATION_FAILURE) return null
    throw error
  }
}

/** Remembers that it was given until it is taken. */
class Signal {
  private isGiven = false
  private waiting: (() => void) | null = null

  give(): void {
    this.isGiven = true
    this.waiting?.()
  }

  async taken(patience: number): Promise<void> {
    if (!this.isGiven) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience)
        this.waiting = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.waiting = null
    }
    this.isGiven = false
  }
}
