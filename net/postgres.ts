// Opens all PostgreSQL connections of the program, with common settings.
//
// A lost connection emits `error`, which ends the process when there is no listener. The current and the next statement
// fail as well, so the default listener does nothing.
import pg from 'pg'

/** No statement runs long enough to gain from compilation. An operator's server may have it on. */
const SESSION = '-c jit=off'

const ignore = () => {}

function inSession<T extends pg.ClientConfig>(config: T): T {
  return { ...config, options: config.options === undefined ? SESSION : `${SESSION} ${config.options}` }
}

/** A connection that is not open yet. @param onLost  called when the server ends it, idle or not */
export function openClient(config: pg.ClientConfig, onLost: (error: Error) => void = ignore): pg.Client {
  const client = new pg.Client(inSession(config))
  client.on('error', onLost)
  return client
}

/** Connections that are opened when needed. @param onLost  called when the server ends an idle one */
export function openPool(config: pg.PoolConfig, onLost: (error: Error) => void = ignore): pg.Pool {
  const pool = new pg.Pool(inSession(config))
  pool.on('error', onLost)
  // The pool itself listens only to idle connections.
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}
