// The end of a fetch: current rows, candles, the checks of what no block commits to, the position, and the indexes.
import type pg from 'pg'
import { keepLegacyStart } from '../../finality-store/legacy.ts'
import { keepStart } from '../../finality-store/savanna.ts'
import { countHours } from '../../indexer/derive/hours/count.ts'
import { listRoles } from '../../indexer/project/role-accounts.ts'
import { buildEachIndex } from '../../indexer/store/build-indexes.ts'
import type { Lease } from '../../indexer/store/lease.ts'
import { BUILD_INDEXES, KEEP_ACCOUNTS } from '../../indexer/store/sql.ts'
import { checkUnfinished } from '../../indexer/verify/verify.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { refuted } from '../format/fault.ts'
import type { Manifest, PackState } from '../format/manifest.ts'
import type { ChainSettings } from '../format/settings.ts'
import { isOfState, type PackTable, QUOTES } from '../format/sql.ts'
import { startsFromJson } from '../format/starts.ts'
import { onFile, readRows } from './files.ts'
import { checkCounts, loadRows } from './load-rows.ts'
import {
  FINISH_FETCH,
  FORGET_RANGES,
  INSERT_POSITION,
  MERGE_QUOTES,
  REFRESH_CANDLES,
  STAGE_QUOTES,
  TRADED_MINUTES,
} from './sql.ts'
import { type Findings, storedReport } from './stored-report.ts'

export interface IndexOptions {
  chain: string
  databaseUrl: string
  /** Sessions that build indexes at once. Default: 2. */
  connections?: number
}

export interface FinishOptions extends IndexOptions {
  client: pg.Client
  lease: Lease
  store: ObjectStore
  settings: ChainSettings
  manifest: Manifest
  state: PackState
  tables: ReadonlyMap<string, PackTable>
  verify: object | null
  found: Omit<Findings, 'doubts'>
  signal: AbortSignal
}

/** @returns what was found, with the comparisons that fail and may fail for right rows @throws UserError PACK_DAMAGED, PACK_REFUTED */
export async function finishFetch(options: FinishOptions): Promise<Findings> {
  const { client, verify } = options
  const { store, state, signal } = options
  await onFile(store, state.rows, signal, () => inTransaction(options, () => loadState(options)))
  const doubts = verify ? await checkConsistency(options) : []
  const found = { ...options.found, doubts }
  await inTransaction(options, () => insertPosition(options, found))
  await indexAndCount(client, options)
  return found
}

/** The steps after the chain has its position; each can be repeated. Hours are counted from the ledger. */
export async function indexAndCount(client: pg.Client, options: IndexOptions): Promise<void> {
  const { chain, databaseUrl, connections } = options
  await buildEachIndex({ chain, databaseUrl, sessions: connections })
  // Marks the chain as indexed.
  await client.query(BUILD_INDEXES, [chain])
  await countHours(options)
}

async function inTransaction({ client, lease }: FinishOptions, work: () => Promise<void>): Promise<void> {
  await client.query(`begin; ${lease.check}`)
  try {
    await work()
    const renewal = lease.renewal()
    await client.query(renewal === null ? 'commit' : `${renewal}; commit`)
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function loadState({ client, chain, store, state, tables, signal }: FinishOptions): Promise<void> {
  const ofState = new Map([...tables].filter(([id]) => isOfState(id)))
  // An earlier attempt may have got this far.
  for (const id of [...ofState.keys(), 'derive.candles']) {
    if (id !== QUOTES) await client.query(`delete from ${id} where chain = $1`, [chain])
  }
  await client.query(STAGE_QUOTES)
  const counts = await loadRows(client, readRows(store, state.rows, signal), {
    ...{ chain, tables: ofState, file: state.rows.name },
    blocks: { from: 0, to: state.block },
    into: (table) => (table === QUOTES ? 'fetched_quotes' : table),
  })
  checkCounts(counts, state.rows)
  const { rows } = await client.query(TRADED_MINUTES, [chain])
  for (const { kinds, ids, minutes } of rows) await client.query(REFRESH_CANDLES, [chain, kinds, ids, minutes])
}

/** Compares current rows with each other and with the ledger. @returns the notes of the checks */
async function checkConsistency({ databaseUrl, chain, manifest, state }: FinishOptions): Promise<string[]> {
  const end = { firstBlock: manifest.firstBlock, block: state.block, id: state.id, lib: state.block }
  const checks = await checkUnfinished(databaseUrl, chain, end)
  const failed = checks.find(({ differing }) => differing > 0)
  const [first] = failed?.differences ?? []
  if (!failed || !first) return checks.flatMap(({ notes }) => notes)
  const more = failed.differing > 1 ? `, and ${failed.differing - 1} more` : ''
  const what = `${first.what}: ${first.found} instead of ${first.expected}${more}`
  throw refuted(state.rows.name, `the rows contradict each other (${failed.name}): ${what}`, { block: state.block })
}

async function insertPosition(options: FinishOptions, found: Findings): Promise<void> {
  const { client, chain, lease, manifest, state, settings } = options
  const { savanna, legacy } = startsFromJson(manifest.starts)
  if (savanna) await keepStart(client, chain, savanna)
  if (legacy) await keepLegacyStart(client, chain, legacy)
  const roles = listRoles(settings.accounts)
  const columns = [roles.map((x) => x.role), roles.map((x) => x.account), roles.map((x) => x.domain)]
  await client.query(KEEP_ACCOUNTS, [chain, ...columns])
  const { chainId, firstBlock, stateBlock } = manifest
  const values = [chain, lease.token, state.block, chainId, firstBlock, stateBlock]
  const { rowCount } = await client.query(INSERT_POSITION, values)
  if (rowCount !== 1) throw refuted(state.rows.name, `there is no block ${state.block}`, { block: state.block })
  await client.query(MERGE_QUOTES)
  await client.query(FORGET_RANGES, [chain])
  await client.query(FINISH_FETCH, [chain, JSON.stringify(storedReport(found))])
}
