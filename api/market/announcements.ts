// Hears of commits: LISTEN where it can be, and a look at the database every so often in any case, for replicas (which
// know no LISTEN) and lost connections.
import type pg from 'pg'
import { openClient } from '../../net/postgres.ts'
import type { Log } from '../http/log.ts'

const CHANNEL = 'headwater'
const LOOK_EVERY_MS = 1000
const LISTEN_AGAIN_MS = 2000

export interface Announcements {
  close(): Promise<void>
}

/**
 * @param onCommit  called with the name of a chain that has a new block, or null: any of them may have
 */
export function announcements(databaseUrl: string, onCommit: (chain: string | null) => void, log: Log): Announcements {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let closed = false

  const listen = async (): Promise<void> => {
    if (closed) return
    const next = openClient({ connectionString: databaseUrl, keepAlive: true, application_name: 'headwater api' })
    client = next
    const again = () => {
      if (closed || client !== next) return
      client = null
      timer = setTimeout(listen, LISTEN_AGAIN_MS)
      timer.unref()
    }
    next.on('error', (error) => log.warn('lost the connection that hears of commits', { reason: error.message }))
    next.on('end', again)
    next.on('notification', ({ payload }) => onCommit(payload?.split(' ')[0] ?? null))
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      onCommit(null)
    } catch (error) {
      log.warn('cannot listen to commits, looks every second', { reason: (error as Error).message })
      await next.end().catch(() => {})
      again()
    }
  }

  const look = setInterval(() => onCommit(null), LOOK_EVERY_MS)
  look.unref()
  void listen()
  return {
    async close() {
      closed = true
      clearInterval(look)
      if (timer) clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
