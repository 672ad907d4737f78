// pg-boss in the indexer's database: the queue of block ranges, and schedules.
import pg from 'pg'
import PgBoss from 'pg-boss'
import { CHAIN_NAME_RULE, isChainName } from '../../core/chain-name.ts'
import { RetryableError, UserError } from '../../core/errors.ts'
import { QUEUE_OWNER } from './sql.ts'

export interface BossOptions {
  databaseUrl: string
  /** Told of errors that pg-boss goes on after. */
  onError?: (error: Error) => void
  /** Seconds between looks for jobs whose worker has died. */
  maintenanceSeconds?: number
  /** Whether this process starts what is scheduled. */
  schedules?: boolean
  /** Seconds between looks for what is due. Default 30. */
  dueSeconds?: number
}

/** SQLSTATE. */
const DEADLOCK = '40P01'
const REFUSED = '42501'

/** A block range to be done. */
export interface RangeJob {
  chain: string
  firstBlock: number
  lastBlock: number
}

/**
 * Starts pg-boss; the first start in a database makes its schema `pgboss`.
 *
 * @throws RetryableError DATABASE_UNAVAILABLE, UserError QUEUE_PRIVILEGES
 */
export async function startBoss(options: BossOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: options.databaseUrl,
    application_name: 'headwater jobs',
    schema: 'pgboss',
    schedule: options.schedules ?? false,
    maintenanceIntervalSeconds: options.maintenanceSeconds ?? 10,
    cronMonitorIntervalSeconds: options.dueSeconds ?? 30,
    cronWorkerIntervalSeconds: Math.min(options.dueSeconds ?? 5, 5),
    max: 3,
  })
  boss.on('error', (error) => options.onError?.(error))
  try {
    return await boss.start()
  } catch (error) {
    const refused = isState(error, REFUSED) ? await refusal(boss, error) : undefined
    if (refused) throw refused
    throw new RetryableError('DATABASE_UNAVAILABLE', `the queue cannot be opened: ${(error as Error).message}`, {
      hint: 'is PostgreSQL running?',
      cause: error,
    })
  }
}

/** What the login lacks to use the queue. */
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

function isState(error: unknown, state: string): boolean {
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

/** Makes the queue of a chain's ranges unless it is there. */
export async function openRangeQueue(boss: PgBoss, chain: string): Promise<string> {
  const name = rangeQueue(chain)
  await openQueue(boss, name, 'standard')
  return name
}

/** Makes a queue unless it is there. Processes that do so at once deadlock: one comes through, and then all. */
export async function openQueue(boss: PgBoss, name: string, policy: 'standard' | 'singleton'): Promise<void> {
  for (;;) {
    try {
      await boss.createQueue(name, { name, policy })
      return
    } catch (error) {
      if (isState(error, REFUSED)) throw await refusal(boss, error)
      if (!isState(error, DEADLOCK)) throw error
    }
  }
}
