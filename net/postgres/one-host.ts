// Keeps the readers of a process on one host: a pool closes its connections to a host that the readers have left.
import type pg from 'pg'
import { onMove } from './servers.ts'

/** @param isAbandoned  whether a connection is to a host that the readers have left */
export function keepToOneHost(pool: pg.Pool, isAbandoned: (client: pg.Client) => boolean): void {
  const idle = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('remove', (client) => idle.delete(client))
  pool.on('release', (error, client) => {
    if (error) return
    // The pool removes a connection that has been ended.
    if (isAbandoned(client)) client.end().catch(() => {})
    else idle.add(client)
  })
  onMove(() => {
    for (const client of [...idle].filter(isAbandoned)) {
      idle.delete(client)
      // The pool removes an idle connection with an error, and passes the error on.
      client.emit('error', new Error('the readers of this process use another server now'))
    }
    return !pool.ending
  })
}
