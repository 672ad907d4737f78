// Opens every connection to PostgreSQL that the program makes: one place for what each of them needs.
//
// A connection that is lost emits `error`, and ends the process when nobody listens. The statement under way fails as
// well, and so does the next one, so that the listener here has nothing to do.
import pg from 'pg'

/** No statement of the program runs long enough to gain from being compiled: a server of one's own may compile each. */
const SESSION = '-c jit=off'

const ignore = () => {}

function inSession<T extends pg.ClientConfig>(config: T): T {
  return { ...config, options: config.options === undefined ? SESSION : `${SESSION} ${config.options}` }
}

/** A connection that is not open yet. @param onLost  called when the server ends it, with nothing under way or something */
export function openClient(config: pg.ClientConfig, onLost: (error: Error) => void = ignore): pg.Client {
  const client = new pg.Client(inSession(config))
  client.on('error', onLost)
  return client
}

/** Connections that are opened when needed. @param onLost  called when the server ends one that has no work */
export function openPool(config: pg.PoolConfig, onLost: (error: Error) => void = ignore): pg.Pool {
  const pool = new pg.Pool(inSession(config))
  pool.on('error', onLost)
  // The pool itself listens to connections without work only.
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}
