// pg-boss in the indexer's database: queues of block ranges, and schedules.
import pg from 'pg'
import PgBoss from 'pg-boss'
import { CHAIN_NAME_RULE, isChainName } from '../../core/chain-name.ts'
import { RetryableError, UserError } from '../../core/errors.ts'
import { openPool } from '../../net/postgres.ts'
import { QUEUE_OWNER } from './sql.ts'

export interface BossOptions {
  databaseUrl: string
  /** Called with errors that pg-boss recovers from. */
  onError?: (error: Error) => void
  /** Interval of the check for jobs of dead workers, seconds. Default 10. */
  maintenanceSeconds?: number
  /** Whether this process starts scheduled jobs. */
  schedules?: boolean
  /** Interval of the check for due jobs, seconds. Default 30. */
  dueSeconds?: number
}

/** SQLSTATE of a deadlock. */
const DEADLOCK = '40P01'
/** SQLSTATE of a missing privilege. */
export const INSUFFICIENT_PRIVILEGE = '42501'

/** A block range to index. */
export interface RangeJob {
  chain: string
  firstBlock: number
  lastBlock: number
}

/**
 * Starts pg-boss. The first start in a database creates its schema `pgboss`.
 *
 * @throws RetryableError DATABASE_UNAVAILABLE, UserError QUEUE_PRIVILEGES
 */
export async function startBoss(options: BossOptions): Promise<PgBoss> {
  const settings = { connectionString: options.databaseUrl, application_name: 'headwater jobs', max: 3 }
  const pool = openPool(settings, (error) => options.onError?.(error))
  const boss = new PgBoss({
    // A pool of our own instead of the one of pg-boss: its new connections find the server that accepts writes.
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: 'pgboss',
    schedule: options.schedules ?? false,
    maintenanceIntervalSeconds: options.maintenanceSeconds ?? 10,
    cronMonitorIntervalSeconds: options.dueSeconds ?? 30,
    cronWorkerIntervalSeconds: Math.min(options.dueSeconds ?? 5, 5),
  })
  boss.on('error', (error) => options.onError?.(error))
  boss.on('stopped', () => void pool.end())
  try {
    return await boss.start()
  } catch (error) {
    const refused = hasSqlState(error, INSUFFICIENT_PRIVILEGE) ? await refusal(boss, error) : undefined
    await pool.end()
    if (refused) throw refused
    if (error instanceof UserError) throw error
    throw new RetryableError('DATABASE_UNAVAILABLE', `the queue cannot be opened: ${(error as Error).message}`, {
      hint: 'check that PostgreSQL runs and accepts connections',
      cause: error,
    })
  }
}

/** Error that names the privilege missing for the queue. */
async function refusal(boss: PgBoss, cause: unknown): Promise<UserError> {
  const { rows } = await boss.getDb().executeSql(QUEUE_OWNER, [])
  const { login, database, owner } = rows[0] as { login: string; database: string; owner: string | null }
  const [to, on] = [login, database].map(pg.escapeIdentifier)
  const grant = owner === null ? `create on database ${on}` : pg.escapeIdentifier(owner)
  return new UserError(
    'QUEUE_PRIVILEGES',
    `the login ${login} may not use the job queue, schema pgboss of ${database}`,
    {
      hint: `let an administrator run: grant ${grant} to ${to};`,
      cause,
    },
  )
}

function hasSqlState(error: unknown, state: string): boolean {
  return (error as { code?: unknown } | null)?.code === state
}

/** Name of the queue of a chain's ranges. @throws UserError INVALID_CHAIN_NAME */
export function rangeQueue(chain: string): string {
  if (!isChainName(chain))
    throw new UserError('INVALID_CHAIN_NAME', `not a chain name: ${JSON.stringify(chain)}`, {
      hint: `take ${CHAIN_NAME_RULE}: docs/operate/configuration.md, "Names of chains"`,
    })
  return `backfill_${chain}`
}

/** Creates the queue of a chain's ranges if missing. */
export async function openRangeQueue(boss: PgBoss, chain: string): Promise<string> {
  const name = rangeQueue(chain)
  await openQueue(boss, name, 'standard')
  return name
}

/** Creates a queue if missing. Concurrent creations deadlock; all but one fail and are retried. */
export async function openQueue(boss: PgBoss, name: string, policy: 'standard' | 'singleton'): Promise<void> {
  for (;;) {
    try {
      await boss.createQueue(name, { name, policy })
      return
    } catch (error) {
      if (hasSqlState(error, INSUFFICIENT_PRIVILEGE)) throw await refusal(boss, error)
      if (!hasSqlState(error, DEADLOCK)) throw error
    }
  }
}
