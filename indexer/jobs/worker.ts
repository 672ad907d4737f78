// A worker of a backfill: takes block ranges of one chain from the queue until the signal is aborted. It can run on any
// machine that reaches the database and a node. When a worker dies, its job expires and the range is queued again.
import { setTimeout as delay } from 'node:timers/promises'
import type PgBoss from 'pg-boss'
import { HeadwaterError, RetryableError } from '../../core/errors.ts'
import { openClient } from '../../net/postgres.ts'
import { Watch } from '../decode/watch.ts'
import { Projector, type RefusedRow } from '../project/projector.ts'
import type { RoleAccounts } from '../project/role-accounts.ts'
import { readCatalog } from '../store/catalog.ts'
import { databaseError } from '../store/errors.ts'
import { openRangeQueue, type RangeJob, startBoss } from './boss.ts'
import { indexRange, type RangeContext } from './index-range.ts'
import { RANGE } from './sql.ts'

export interface WorkerOptions
  extends Pick<RangeContext, 'source' | 'seedAbis' | 'presentAbi' | 'finality' | 'checksActions'> {
  chain: string
  databaseUrl: string
  accounts: RoleAccounts
  systemAccount: string
  tokenContracts: '*' | readonly string[]
  events?: Partial<WorkerEvents>
  signal: AbortSignal
  /** Poll interval of an empty queue, ms. */
  pollMs?: number
  /** See BossOptions. */
  maintenanceSeconds?: number
}

export interface WorkerEvents {
  /** Called when a range was taken from the queue. */
  started(job: RangeJob): void
  /** Called when the rows are staged, or another worker was first. */
  finished(job: RangeJob, isTaken: boolean, seconds: number): void
  /** Called when the range goes back to the queue. */
  failed(job: RangeJob, error: HeadwaterError): void
  /** Called when the queue cannot be reached, before a retry. */
  retrying(error: HeadwaterError): void
  /** Called when a contract's row cannot be decoded. */
  refused(row: RefusedRow): void
}

/** @throws UserError, BugError; after a retryable error the range goes back to the queue */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { chain, databaseUrl, signal, pollMs = 1000 } = options
  const boss = await startBoss({ databaseUrl, maintenanceSeconds: options.maintenanceSeconds })
  try {
    const queue = await openRangeQueue(boss, chain)
    while (!signal.aborted) {
      const found = await takeOne(boss, queue, options)
      if (!found) await delay(pollMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    await boss.stop({ graceful: false, wait: true })
  }
}

/** @returns whether there was a range; false also after a retryable error */
async function takeOne(boss: PgBoss, queue: string, options: WorkerOptions): Promise<boolean> {
  try {
    const [job] = await boss.fetch<RangeJob>(queue)
    if (job) await work(boss, queue, job, options)
    return job !== undefined
  } catch (error) {
    const known = coded(error, options.chain)
    if (!(known instanceof RetryableError)) throw known
    options.events?.retrying?.(known)
    return false
  }
}

async function work(boss: PgBoss, queue: string, { id, data }: PgBoss.Job<RangeJob>, options: WorkerOptions) {
  const { events } = options
  const started = performance.now()
  events?.started?.(data)
  try {
    const isTaken = await doRange(data, options)
    if (options.signal.aborted && !isTaken) await boss.fail(queue, id, { message: 'the worker was stopped' })
    else await boss.complete(queue, id)
    events?.finished?.(data, isTaken, (performance.now() - started) / 1000)
  } catch (error) {
    const known = coded(error, data.chain)
    await boss.fail(queue, id, { code: known.code, message: known.message })
    events?.failed?.(data, known)
    if (!(known instanceof RetryableError)) throw known
  }
}

/** Maps database errors to coded ones. Other errors without a code are bugs and are thrown. */
function coded(error: unknown, chain: string): HeadwaterError {
  if (error instanceof HeadwaterError) return error
  if (error instanceof Error && 'code' in error) return databaseError(error, { chain })
  throw error
}

async function doRange(job: RangeJob, options: WorkerOptions): Promise<boolean> {
  const { chain, databaseUrl, accounts, tokenContracts, systemAccount } = options
  const client = openClient({ connectionString: databaseUrl, application_name: `headwater worker ${chain}` })
  try {
    await client.connect()
    await client.query(`set timezone = 'UTC'; set synchronous_commit = off; set role headwater_writer`)
    const { rows } = await client.query(RANGE, [chain, job.firstBlock])
    if (!rows[0] || rows[0].setId !== null) return false
    const stateBlock = rows[0].stateBlock === null ? null : Number(rows[0].stateBlock)
    const projector = new Projector({ chain, accounts, tokenContracts, onRefused: options.events?.refused })
    const watch = new Watch({ ...projector.wanted, system: systemAccount })
    const catalog = await readCatalog(client)
    return await indexRange(job, { ...options, client, catalog, watch, projector, stateBlock })
  } finally {
    await client.end().catch(() => {})
  }
}
