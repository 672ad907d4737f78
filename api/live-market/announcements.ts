// Hears of commits by LISTEN. On a standby and through a pooler in transaction mode, where LISTEN is not possible, polls
// the positions. It also triggers a check every second, for logical replicas and lost connections.
import { Socket } from 'node:net'
import type pg from 'pg'
import { isPooled, openClient } from '../../net/postgres.ts'
import type { Log } from '../http/log.ts'
import { pollPositions } from './poll-positions.ts'

const CHANNEL = 'headwater'
const LOOK_EVERY_MS = 1000
const LISTEN_AGAIN_MS = 2000
/** The indexer sends fewer. Any database user may notify, and receiving each notification costs this process time. */
const MAX_A_SECOND = 2000
const FLOOD_MS = 30_000

export interface Announcements {
  close(): Promise<void>
}

/** SQLSTATE of LISTEN on a standby. */
const IN_RECOVERY = '25006'

/**
 * @param pool      for polling
 * @param onCommit  called with the name of a chain that has a new block, or null: any chain may have one
 */
export function announcements(
  databaseUrl: string,
  pool: pg.Pool,
  onCommit: (chain: string | null) => void,
  log: Log,
): Announcements {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let polling: AbortController | null = null
  let closed = false

  /** Polls until the standby is promoted; through a pooler until the end. */
  const poll = async (): Promise<void> => {
    polling = new AbortController()
    const isDone = isPooled(databaseUrl) ? () => false : (isStandby: boolean) => !isStandby
    await pollPositions(pool, { onChange: onCommit, isDone, signal: polling.signal })
    if (!closed) void listen()
  }

  const listen = async (): Promise<void> => {
    if (closed) return
    const socket = new Socket()
    const settings = { connectionString: databaseUrl, keepAlive: true, application_name: 'headwater api' }
    const next = openClient({ ...settings, use: 'read', stream: () => socket })
    const isFlood = rateAbove(MAX_A_SECOND)
    let wait = LISTEN_AGAIN_MS
    client = next
    const again = () => {
      if (closed || client !== next) return
      client = null
      timer = setTimeout(listen, wait)
      timer.unref()
    }
    next.on('error', ({ message }) => {
      if (!socket.destroyed) log.warn('lost the connection that hears of commits', { reason: message })
    })
    next.on('end', again)
    next.on('notification', ({ payload }) => {
      if (client !== next || socket.destroyed) return
      onCommit(payload?.split(' ')[0] ?? null)
      if (!isFlood()) return
      log.warn('a flood of notifications: looks every second for a while', { seconds: FLOOD_MS / 1000 })
      wait = FLOOD_MS
      socket.destroy()
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      onCommit(null)
      if (closed) await next.end()
    } catch (error) {
      if ((error as { code?: string }).code === IN_RECOVERY) {
        client = null
        log.info('the database is a standby: polls it for new blocks', {})
        void poll()
        return await next.end().catch(() => {})
      }
      log.warn('cannot listen to commits, looks every second', { reason: (error as Error).message })
      await next.end().catch(() => {})
      again()
    }
  }

  const look = setInterval(() => onCommit(null), LOOK_EVERY_MS)
  look.unref()
  void (isPooled(databaseUrl) ? poll() : listen())
  return {
    async close() {
      closed = true
      clearInterval(look)
      if (timer) clearTimeout(timer)
      polling?.abort()
      await client?.end().catch(() => {})
    },
  }
}

/** @returns a function that counts its calls and returns whether there were more than `max` within a second */
function rateAbove(max: number): () => boolean {
  let began = Number.NEGATIVE_INFINITY
  let count = 0
  return () => {
    const now = performance.now()
    if (now - began > 1000) [began, count] = [now, 0]
    return ++count > max
  }
}
