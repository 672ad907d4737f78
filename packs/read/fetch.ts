// Fills an empty database from a pack. Each range is one transaction, so a killed fetch goes on where it stopped. The
// chain gets its position in the last transaction: until then no program uses its rows.
import type pg from 'pg'
import { HeadwaterError, UserError } from '../../core/errors.ts'
import { Turns } from '../../core/turns.ts'
import { onConnection } from '../../indexer/store/connection.ts'
import { Lease } from '../../indexer/store/lease.ts'
import { ADD_CHAIN } from '../../indexer/store/sql.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { noPack, unfinished } from '../format/fault.ts'
import { lastState, MANIFEST, type Manifest, type PackRange, type PackState } from '../format/manifest.ts'
import { type ChainSettings, checkSettings, settingsJson } from '../format/settings.ts'
import { isOfRange, type PackTable, readPackTables } from '../format/sql.ts'
import { startsFromJson } from '../format/starts.ts'
import { PackCheck, type PackReport, unverifiedRows } from '../verify/pack-check.ts'
import { onFile, readRange } from './files.ts'
import { finishFetch, indexAndCount } from './finish.ts'
import { openManifest } from './manifest.ts'
import { RangeLoader } from './range-loader.ts'
import { BEGIN_FETCH, BUILD_BRIN_INDEXES, CLEAR_CHAIN, FETCH, FINISHED_FETCH, INDEXED, SETTINGS } from './sql.ts'
import { type AnyStoredReport, type FetchSummary, findingsOf } from './stored-report.ts'

export type { FetchSummary } from './stored-report.ts'

export interface FetchOptions {
  chain: string
  databaseUrl: string
  store: ObjectStore
  settings: ChainSettings
  /** Chain id that the pack must have; null when none is configured. */
  chainId?: string | null
  seedAbis?: ReadonlyMap<string, Uint8Array>
  /** How to verify; null: sizes and digests of the files alone. */
  verify: Verification | null
  /** Sessions that copy rows, and then build indexes, at once. Default: 2. */
  connections?: number
  /** Whether to remove what an unfinished fetch has loaded. */
  restart?: boolean
  signal: AbortSignal
  /** Called when a range is loaded. */
  onRange?: (range: { from: number; to: number }, last: number) => void
}

export interface Verification {
  /** Trusted block id or digest of a finalizer policy; or both, separated by a comma. */
  trust: string
  /**
   * Whether the rows of a range are computed again, by its place among the ranges; default: all. Links and finality are
   * checked in all of them.
   */
  isSampled?: (place: number, ranges: number) => boolean
}

/**
 * @param pack  what `openPack` has returned; without it, the manifest is read first
 * @throws UserError PACK_*, FETCH_NOT_EMPTY; FencedError; RetryableError; those of the store and the database
 */
export async function fetchPack(options: FetchOptions, pack?: Manifest): Promise<FetchSummary> {
  const { chain, databaseUrl } = options
  const manifest = pack ?? (await openPack(options))
  const connected = <T>(work: (client: pg.Client) => Promise<T>) =>
    onConnection({ databaseUrl, name: 'fetch', chain, session: SETTINGS }, work)
  // The lease has a connection of its own, so that it is renewed during long statements too.
  return connected((own) =>
    underLease(own, options, (lease, signal) =>
      connected((client) => fetchInto(client, lease, manifest, { ...options, signal })),
    ),
  )
}

/** What `openPack` compares with the manifest. */
export type PackOptions = Pick<FetchOptions, 'store' | 'chain' | 'chainId' | 'settings' | 'signal'>

/**
 * Reads the manifest and checks that it is of the wanted chain. Needs no database.
 *
 * @throws UserError PACK_*, those of the store
 */
export async function openPack({ store, chain, chainId, settings, signal }: PackOptions): Promise<Manifest> {
  const opened = await openManifest(store, signal)
  if (opened === null) throw noPack(store.address, MANIFEST)
  const { manifest } = opened
  const differs = typeof chainId === 'string' && manifest.chainId !== chainId
  if (manifest.chain !== chain || differs) {
    const found = differs
      ? `of ${manifest.chainId === null ? 'a chain without an id' : `chain ${manifest.chainId}`}, configured is ${chainId}`
      : `of ${manifest.chain}, not ${chain}`
    throw new UserError('PACK_OTHER_CHAIN', `${store.address} is ${found}`, {
      hint:
        manifest.chain === chain && manifest.chainId === null
          ? 'its publisher must run `headwater pack` again once the database knows the id of the chain'
          : 'name the chain of the pack with --chain, or another address',
      place: { chain },
    })
  }
  checkSettings(chain, manifest.settings, settingsJson(settings))
  return manifest
}

async function underLease<T>(
  client: pg.Client,
  { chain, signal }: FetchOptions,
  work: (lease: Lease, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = await Lease.take(client, chain)
  const lost = new AbortController()
  lease.keepRenewing(new Turns(), (error) => lost.abort(error))
  try {
    return await work(lease, AbortSignal.any([signal, lost.signal]))
  } finally {
    await lease.release()
  }
}

async function fetchInto(
  client: pg.Client,
  lease: Lease,
  manifest: Manifest,
  options: FetchOptions,
): Promise<FetchSummary> {
  const state = lastState(manifest)
  if (!state) throw unfinished(options.store.address)
  if (options.restart) await clearChain(options, lease)
  const finished = await finishedFetch(client, options.chain)
  if (finished) return finishIndexes(client, options, finished)
  const ranges = manifest.ranges.filter(({ to }) => to <= state.block)
  const tables = await readPackTables(client)
  await checkEmpty(client, options.chain)
  const loader = await RangeLoader.open(client, {
    ...options,
    lease,
    ranges,
    firstBlock: manifest.firstBlock,
    tables: ofRange(tables),
  })
  await begin(client, state, options)
  const load = { client, lease, manifest, state, ranges, tables, loader }
  try {
    const report = options.verify
      ? await loadVerified(load, options, options.verify)
      : await loadUnverified(load, options)
    const found = { rows: rowsOf(ranges), report, claims: claimsOf(manifest, options) }
    const { firstBlock } = manifest
    return { firstBlock, block: state.block, id: state.id, ...(await finishFetch({ ...load, ...options, found })) }
  } catch (error) {
    // Files that arrive damaged can be read again, and another policy can be trusted; what contradicts the chain can not.
    if (isRefuted(error)) await clearRefuted(options, lease, error)
    throw error
  } finally {
    await loader.close()
  }
}

function rowsOf(ranges: readonly PackRange[]): number {
  return ranges.flatMap(({ rows }) => Object.values(rows.rows)).reduce((sum, count) => sum + count, 0)
}

/** Facts that programs use later, and that neither blocks nor the configuration confirm. */
function claimsOf({ stateBlock, starts, chainId }: Manifest, options: FetchOptions): string[] {
  const { savanna, legacy } = startsFromJson(starts)
  const claims: string[] = []
  if (stateBlock !== null) claims.push(`indexing began with the whole state of block ${stateBlock}`)
  if (savanna) claims.push(`the chain switched to Savanna with block ${savanna.lineage.genesis}`)
  if (legacy)
    claims.push(`block roots and producer schedules before Savanna continue from block ${legacy.lineage.blockNum}`)
  if (chainId !== null && typeof options.chainId !== 'string') claims.push(`the id of the chain is ${chainId}`)
  return claims
}

function isRefuted(error: unknown): error is HeadwaterError {
  return error instanceof HeadwaterError && error.code === 'PACK_REFUTED'
}

/** @throws UserError FETCH_NOT_EMPTY */
async function checkEmpty(client: pg.Client, chain: string): Promise<void> {
  await client.query(ADD_CHAIN, [chain])
  const { rows: indexed } = await client.query(INDEXED, [chain])
  const { rows: fetches } = await client.query(FETCH, [chain])
  const isOpen = fetches[0]?.finished === false
  if (!indexed[0].indexed && (!indexed[0].filled || isOpen)) return
  throw new UserError('FETCH_NOT_EMPTY', `${chain} is in this database already`, {
    hint: 'fetch into another database; or continue with `headwater run`',
    place: { chain },
  })
}

async function begin(client: pg.Client, { block, id }: PackState, options: FetchOptions): Promise<void> {
  const { chain, store, verify } = options
  const values = [chain, store.address, modeOf(options), verify?.trust ?? null, block, id]
  await client.query(BEGIN_FETCH, values)
  await client.query(BUILD_BRIN_INDEXES, [chain])
}

function modeOf({ verify }: FetchOptions): 'none' | 'sample' | 'full' {
  return verify === null ? 'none' : verify.isSampled ? 'sample' : 'full'
}

/** A fetch that has stored its position, on which nothing was indexed since. */
interface FinishedFetch {
  firstBlock: string
  block: string
  id: string
  verify: string
  trusted: string | null
  unverified: AnyStoredReport
}

async function finishedFetch(client: pg.Client, chain: string): Promise<FinishedFetch | null> {
  const { rows } = await client.query<FinishedFetch>(FINISHED_FETCH, [chain])
  return rows[0] ?? null
}

/**
 * Takes the last steps of a fetch again: it may have been stopped before them, or before it printed what it found.
 *
 * @throws UserError FETCH_NOT_EMPTY when it was verified in another way than is wanted now
 */
async function finishIndexes(client: pg.Client, options: FetchOptions, fetched: FinishedFetch): Promise<FetchSummary> {
  const { firstBlock, block, id, verify, trusted, unverified } = fetched
  if (verify !== modeOf(options) || trusted !== (options.verify?.trust ?? null)) {
    const trust = trusted === null ? '' : ` --trust ${trusted}`
    throw new UserError(
      'FETCH_NOT_EMPTY',
      `${options.chain} is in this database already, by --verify ${verify}${trust}`,
      {
        hint: 'give the same options to finish that fetch, or fetch into another database',
        place: { chain: options.chain },
      },
    )
  }
  await indexAndCount(client, options)
  return { firstBlock: Number(firstBlock), block: Number(block), id, ...findingsOf(unverified, trusted) }
}

interface Load {
  manifest: Manifest
  state: PackState
  ranges: readonly PackRange[]
  loader: RangeLoader
}

/** Loads the ranges in any order, several at once. */
async function loadUnverified({ manifest, state, ranges, loader }: Load, options: FetchOptions): Promise<PackReport> {
  const { chain, store, connections = 2, signal, onRange } = options
  const pending = ranges.filter((range) => !loader.isLoaded(range))
  const turns = new Turns()
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  const work = async () => {
    for (let range = pending.shift(); range; range = pending.shift()) {
      either.throwIfAborted()
      const { catalog } = loader
      const load = () => loader.load(range, readRange(store, range, either, { chain, catalog, turns }))
      await onFile(store, range.rows, either, load)
      onRange?.(range, state.block)
    }
  }
  // The other sessions fail because they are aborted, each in its own way.
  const failures: unknown[] = []
  const sessions = Array.from({ length: connections }, () =>
    work().catch((error: unknown) => {
      failures.push(error)
      over.abort()
    }),
  )
  await Promise.all(sessions)
  if (failures.length > 0) throw failures[0]
  const unverified = unverifiedRows(manifest, state, null)
  return { confirmedBy: null, equal: {}, unverified, columns: {}, foreignAbis: [] }
}

/** Checks the ranges in the order of the chain, and loads each while the next is checked. */
async function loadVerified(
  { manifest, state, ranges, loader }: Load,
  options: FetchOptions,
  { trust, isSampled = () => true }: Verification,
): Promise<PackReport> {
  const { store, signal, onRange } = options
  const check = new PackCheck({
    ...options,
    manifest,
    trust,
    catalog: loader.catalog,
    starts: startsFromJson(manifest.starts),
  })
  let loading: Promise<void> = Promise.resolve()
  try {
    for (const [place, range] of ranges.entries()) {
      signal.throwIfAborted()
      const rows = await check.range(store, range, isSampled(place, ranges.length), signal)
      await loading
      loading = loader.isLoaded(range)
        ? Promise.resolve()
        : loader.load(range, rows).then(() => onRange?.(range, state.block))
      // A failure is thrown when it is waited for.
      loading.catch(() => {})
    }
  } finally {
    await loading.catch(() => {})
  }
  await loading
  return check.finish(store, state, signal)
}

function ofRange(tables: ReadonlyMap<string, PackTable>): Map<string, PackTable> {
  return new Map([...tables].filter(([id]) => isOfRange(id)))
}

/** Removes what was loaded. Needs the owner's rights. @throws FencedError when another process has the chain */
async function clearChain({ databaseUrl, chain }: FetchOptions, lease: Lease): Promise<void> {
  await onConnection({ databaseUrl, name: 'fetch', chain }, async (client) => {
    await client.query(`begin; ${lease.check}`)
    const { rows } = await client.query(INDEXED, [chain])
    if (!rows[0].indexed) await client.query(CLEAR_CHAIN, [chain])
    await client.query('commit')
  })
}

/** Removes what was loaded from a pack that was refuted. @throws UserError PACK_REFUTED when that fails */
async function clearRefuted(options: FetchOptions, lease: Lease, error: HeadwaterError): Promise<void> {
  try {
    await clearChain(options, lease)
  } catch (failure) {
    const message = `${error.message}; what was loaded could not be removed: ${(failure as Error).message}`
    throw new UserError('PACK_REFUTED', message, {
      hint: 'use nothing of it: run `headwater fetch --restart` with the address of another pack, as the owner of the schemas',
      place: error.place,
      cause: error,
    })
  }
}
