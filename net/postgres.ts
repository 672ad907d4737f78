// Opens all PostgreSQL connections of the program, with common settings: to one server, to one of several, or through a
// pooler (docs/operate/standby.md).
//
// A lost connection emits `error`, and without a listener that ends the process. The default listener does nothing: the
// running statement, or the next one, fails with the same error.
import pg from 'pg'
import { UserError } from '../core/errors.ts'
import { type Address, parseAddress, type SessionAttributes } from './postgres/address.ts'
import { chosenHostOf, clientOf } from './postgres/client.ts'
import { keepToOneHost } from './postgres/one-host.ts'
import { repeatCancelled } from './postgres/repeat.ts'
import { chooseHost, isAbandoned } from './postgres/servers.ts'

/**
 * Purpose of a connection.
 *
 * - `write`: a session that writes. Of several servers it takes the one that accepts writes.
 * - `read`: a session that reads. Of several servers it takes one by `target_session_attrs`, by default any.
 * - `statements`: single transactions that need no session settings. Only these may go through a pooler in transaction
 *   mode.
 */
export type Use = 'write' | 'read' | 'statements'

interface Purpose {
  /** Default `write`. */
  use?: Use
}

/** Options of each session. JIT is off because no statement runs long enough to gain from it; a server may have it on. */
const SESSION = '-c jit=off'

const ignore = () => {}

/** Makes a client that is not connected yet. @param onLost  called when the connection is lost, idle or not */
export function openClient(config: pg.ClientConfig & Purpose, onLost: (error: Error) => void = ignore): pg.Client {
  const { Client, settings } = prepare(config)
  const client = new Client(settings)
  client.on('error', onLost)
  return client
}

/**
 * Makes a pool, which opens connections when they are needed. With `use: 'statements'`, a statement that a standby
 * cancels is repeated once.
 *
 * @param onLost  called when an idle connection is lost
 */
export function openPool(config: pg.PoolConfig & Purpose, onLost: (error: Error) => void = ignore): pg.Pool {
  const { Client, settings, isLeft } = prepare(config)
  const pool = new pg.Pool({ ...settings, Client })
  pool.on('error', onLost)
  // The pool itself listens only to idle connections.
  pool.on('connect', (client) => client.on('error', ignore))
  if (isLeft !== undefined) keepToOneHost(pool, isLeft)
  if (config.use === 'statements') repeatCancelled(pool)
  return pool
}

/** Whether an address names a pooler in transaction mode. @throws UserError DATABASE_ADDRESS */
export function isPooled(url: string): boolean {
  return parseAddress(url)?.isPooled ?? false
}

/**
 * The address of the server that accepts writes, for a library that opens its own connections.
 *
 * @throws UserError DATABASE_ADDRESS, POOLED_CONNECTION; RetryableError NO_SUITABLE_SERVER
 */
export async function writerUrl(url: string): Promise<string> {
  const address = parseAddress(url)
  if (address === null) return url
  refusePooler(address, 'write')
  return address.urlOf(await chooseHost(url, address, 'read-write'))
}

function prepare<T extends pg.ClientConfig & Purpose>({ use = 'write', ...config }: T) {
  const url = config.connectionString
  const address = url === undefined ? null : parseAddress(url)
  if (url === undefined || address === null)
    return { Client: pg.Client, settings: inSession(config), isLeft: undefined }
  refusePooler(address, use)
  const first = address.hosts[0]
  const settings = { ...config, connectionString: first === undefined ? url : address.urlOf(first) }
  const wanted = wantedOf(address, use)
  const isLeft = (client: pg.Client) => {
    const host = chosenHostOf(client)
    return host !== undefined && isAbandoned(url, wanted, host)
  }
  return {
    Client: clientOf(url, address, wanted),
    settings: address.isPooled ? withoutSession(settings) : inSession(settings),
    /** Whether a connection is to a host that readers have left. Undefined for writers. */
    isLeft: use === 'write' || address.hosts.length === 1 ? undefined : isLeft,
  }
}

function wantedOf({ attributes = 'any' }: Address, use: Use): SessionAttributes {
  return use === 'write' ? 'read-write' : attributes
}

/** @throws UserError POOLED_CONNECTION */
function refusePooler({ isPooled }: Address, use: Use): void {
  if (!isPooled || use === 'statements') return
  throw new UserError('POOLED_CONNECTION', 'this work needs a session of its own, and the address names a pooler', {
    hint: 'give this process the address of the server itself; only `headwater api`, `headwater compare` and `headwater status` may use PgBouncer in transaction mode (docs/operate/standby.md)',
  })
}

function inSession<T extends pg.ClientConfig>(config: T): T {
  return { ...config, options: config.options === undefined ? SESSION : `${SESSION} ${config.options}` }
}

/** A pooler refuses settings at the start of a connection: its sessions are shared. */
function withoutSession<T extends pg.ClientConfig>(config: T): T {
  const { options, statement_timeout, lock_timeout, idle_in_transaction_session_timeout, ...rest } = config
  return rest as T
}
