// Maps the database's errors to coded errors.
import { CHAIN_NAME_RULE } from '../../core/chain-name.ts'
import { BugError, type ErrorPlace, HeadwaterError, RetryableError, UserError } from '../../core/errors.ts'

/** Another process writes this chain. */
export class FencedError extends RetryableError {
  constructor(chain: string, detail: string) {
    super('WRITER_FENCED', `${chain}: ${detail}`, {
      hint: 'one process may write a chain: stop the other one, or let it work',
      place: { chain },
    })
  }
}

/** Retryable classes of SQLSTATE: connection, resources, operator, system, transaction rollback. */
const TRANSIENT = new Set(['08', '53', '57', '58', '40'])

/** Converts an error of the driver or the server to a coded error with a hint. */
export function databaseError(error: unknown, place: ErrorPlace): HeadwaterError {
  if (error instanceof HeadwaterError) return error
  const message = error instanceof Error ? error.message : String(error)
  const state = sqlState(error)
  const options = { place, cause: error }
  const where = prefixOf(place)
  if (state === '53100')
    return new RetryableError('DISK_FULL', `${where}: the database has no disk space left; nothing was written`, {
      ...options,
      hint: 'free space on the database server; the indexer continues automatically',
    })
  if (state === 'HW001') return new UserError('INVALID_CHAIN_NAME', message, { ...options, hint: CHAIN_NAME_RULE })
  if (state === 'HW002')
    return new UserError('FORK_BELOW_LIB', message, {
      ...options,
      hint: 'the node follows another chain than the one indexed so far, or it lied about irreversibility',
    })
  if (state === 'HW050')
    return new UserError('NOT_REPLICATED', message, {
      ...options,
      hint: 'ask the first server, or replicate everything: docs/operate/replication.md',
    })
  if (state === 'HW051')
    return new RetryableError('REPLICA_INCOMPLETE', message, {
      ...options,
      hint: 'wait until the first copy is complete',
    })
  if (state === 'HW004') return new FencedError(place.chain ?? '', message)
  if (state === 'HW003') return new UserError('REWIND_BEFORE_HISTORY', message, options)
  if (state === '25006')
    return new RetryableError('DATABASE_READ_ONLY', `${where}: the database accepts no writes: ${message}`, {
      ...options,
      hint: 'it is a standby, or its login reads only: name the primary, or all servers, in DATABASE_URL (docs/operate/standby.md)',
    })
  if (state === undefined ? isConnectionError(error) : TRANSIENT.has(state.slice(0, 2)))
    return new RetryableError('DATABASE_UNAVAILABLE', `${where}: ${message}`, {
      ...options,
      hint: 'is PostgreSQL running and reachable?',
    })
  if (state === undefined) return new BugError('WRITE_FAILED', `${where}: ${message}`, options)
  return new BugError('DATABASE_REFUSED', `${where}: ${message} (SQLSTATE ${state})`, options)
}

/** What a message begins with. */
function prefixOf({ chain, block }: ErrorPlace): string {
  if (chain === undefined) return 'PostgreSQL'
  return block === undefined ? chain : `${chain}, block ${block}`
}

/** Messages of driver errors that mean a lost connection but have no code. */
const LOST = /connection terminated|connection ended|not queryable|client was closed|timeout|premature close/i

/** Whether an error without SQLSTATE comes from the connection, not from this program. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as NodeJS.ErrnoException).code
  return (code !== undefined && /^(E[A-Z]+|ERR_STREAM_[A-Z_]+)$/.test(code)) || LOST.test(error.message)
}

/** SQLSTATE (five characters), or undefined for an error of the connection. */
function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E') ? code : undefined
}
