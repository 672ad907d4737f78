// Listens for commits. On a standby and through a pooler in transaction mode, where LISTEN is not possible, polls
// the positions. It also triggers a check every second, for logical replicas and lost connections.
import { Socket } from 'node:net'
import type pg from 'pg'
import { isPooled, openClient } from '../../net/postgres.ts'
import type { Log } from '../http/log.ts'
import { pollPositions } from './poll-positions.ts'

const CHANNEL = 'headwater'
const CHECK_EVERY_MS = 1000
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
  let isListening = true
  let closed = false

  const changeMode = (listens: boolean): void => {
    if (listens === isListening) return
    isListening = listens
    log.info(listens ? 'listens for commits' : 'the database is a standby: polls it for new blocks', {})
  }

  /**
   * Polls until the standby is promoted; through a pooler until the end. With several servers the pool may be connected to
   * a primary while LISTEN was refused by a standby: so it polls for a while before the next attempt.
   */
  const poll = async (): Promise<void> => {
    polling = new AbortController()
    const began = performance.now()
    const isOver = () => performance.now() - began >= LISTEN_AGAIN_MS
    const isDone = isPooled(databaseUrl) ? () => false : (isStandby: boolean) => !isStandby && isOver()
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
      if (!socket.destroyed) log.warn('lost the connection that listens for commits', { reason: message })
    })
    next.on('end', again)
    next.on('notification', ({ payload }) => {
      if (client !== next || socket.destroyed) return
      onCommit(payload?.split(' ')[0] ?? null)
      if (!isFlood()) return
      log.warn('a flood of notifications: polls every second for a while', { seconds: FLOOD_MS / 1000 })
      wait = FLOOD_MS
      socket.destroy()
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      changeMode(true)
      onCommit(null)
      if (closed) await next.end()
    } catch (error) {
      if ((error as { code?: string }).code === IN_RECOVERY) {
        client = null
        changeMode(false)
        void poll()
        return await next.end().catch(() => {})
      }
      log.warn('cannot listen for commits, polls every second', { reason: (error as Error).message })
      await next.end().catch(() => {})
      again()
    }
  }

  const check = setInterval(() => onCommit(null), CHECK_EVERY_MS)
  check.unref()
  void (isPooled(databaseUrl) ? poll() : listen())
  return {
    async close() {
      closed = true
      clearInterval(check)
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
