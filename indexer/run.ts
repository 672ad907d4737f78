// Indexes one chain until the source ends or the signal is aborted. After a retryable error it continues from the
// position in the database, with back-off. User errors and bugs end it.
import { RetryableError, UserError } from '../core/errors.ts'
import { hasBridgeLogs } from '../core/finality/follower.ts'
import { toHex } from '../core/hex.ts'
import { sha256 } from '../core/sha256.ts'
import { FaultJudge } from './block-fault.ts'
import type { BootstrapOptions } from './bootstrap/bootstrap.ts'
import type { ChainStart } from './bootstrap/chain-start.ts'
import { FrameState } from './bootstrap/frame-state.ts'
import { OriginReader } from './bootstrap/origin-reader.ts'
import { SnapshotStart, type SnapshotStartOptions } from './bootstrap/snapshot-start.ts'
import { AbiBook, type AbiVersion } from './decode/abi-book.ts'
import { decodeBlock } from './decode/decode-block.ts'
import { wantsRow } from './decode/deltas.ts'
import { Watch } from './decode/watch.ts'
import { type FinalityOptions, openFollower } from './finality/chain-follower.ts'
import { importSnapshotStart, isLegacy } from './finality/import-start.ts'
import { Projector } from './project/projector.ts'
import { listRoles, type RoleAccounts } from './project/role-accounts.ts'
import { type IndexEvents, retrying, watched } from './retrying.ts'
import { Session } from './session.ts'
import type { SnapshotHead } from './source/snapshot/snapshot.ts'
import type { BlockSource } from './source/source.ts'
import type { Position } from './store/position.ts'
import type { ProjectedBlock } from './store/rows.ts'
import { ChainWriter, type CommitPoint, type StoredAbi } from './store/writer.ts'
import type { ValuationOptions } from './value/options.ts'
import { Valuer } from './value/valuer.ts'

export type { FinalityOptions } from './finality/chain-follower.ts'
export type { IndexEvents } from './retrying.ts'

export interface IndexOptions {
  chain: string
  databaseUrl: string
  source: BlockSource
  accounts: RoleAccounts
  /** The account whose `setabi` sets ABIs. */
  systemAccount: string
  tokenContracts: '*' | readonly string[]
  /** Null: use the source's chain id. */
  chainId: string | null
  startBlock: number
  endBlock?: number
  /** Reads the state from a node when nothing is indexed. Indexing then starts after its head, not at `startBlock`. */
  bootstrap?: Pick<BootstrapOptions, 'url' | 'events' | 'pageRows' | 'concurrency' | 'pollMs' | 'spoolFolder'>
  /** Starts from a node's snapshot when nothing is indexed. Indexing then starts after its block, not at `startBlock`. */
  snapshot?: Pick<SnapshotStartOptions, 'path' | 'events' | 'spoolFolder'>
  /** First block of the source's log, when its deltas hold the whole state. */
  fullStateBlock?: number
  /** Packed ABIs by account, for a start in the middle of a chain. */
  seedAbis?: ReadonlyMap<string, Uint8Array>
  /** How to value trades; without it they have no USD value. */
  valuation?: ValuationOptions
  /** How to store the data for proofs, on a chain with a bridge; when absent, none are stored. */
  finality?: FinalityOptions
  /** Whether to check the actions of a block against its commitments. Default true. */
  checksActions?: boolean
  events: IndexEvents
  signal: AbortSignal
  /** Called at every step of a commit. */
  onPoint?: (point: CommitPoint) => void | Promise<void>
}

/**
 * @returns the position when the source ended or the signal was aborted
 * @throws UserError, BugError
 */
export async function indexChain(options: IndexOptions): Promise<Position | null> {
  const faults = new FaultJudge(options.chain, options.source)
  const starts = openStarts(options)
  try {
    return await retrying(
      options,
      (progress) =>
        runOnce(options, starts, faults, progress).catch((error: unknown) => {
          throw faults.judge(error)
        }),
      (error) => {
        if (error.code === 'ORIGIN_UNLINKED') starts.tables?.close()
      },
    )
  } finally {
    starts.tables?.close()
    starts.snapshot?.close()
  }
}

/** Starts of an empty chain. They keep the rows that they have read between attempts. */
interface Starts {
  tables: OriginReader | null
  snapshot: SnapshotStart | null
}

function openStarts(options: IndexOptions): Starts {
  const { bootstrap, snapshot } = options
  return {
    tables: bootstrap ? new OriginReader({ ...options, events: undefined, ...bootstrap }) : null,
    snapshot: snapshot ? new SnapshotStart({ ...options, events: undefined, ...snapshot }) : null,
  }
}

async function runOnce(
  options: IndexOptions,
  starts: Starts,
  faults: FaultJudge,
  progress: () => void,
): Promise<Position | null> {
  const { chain, databaseUrl, accounts, tokenContracts, systemAccount, events } = options
  const { chainId, failure } = await chainIdOf(options, starts.snapshot)
  const { onPoint, valuation, finality, checksActions = true } = options
  const writer = await ChainWriter.open({ chain, databaseUrl, chainId, accounts: listRoles(accounts), onPoint })
  let valuer: Valuer | undefined
  try {
    // The first commit stores the chain id: it waits until a node has sent it.
    if (writer.position === null && failure) throw failure
    if (writer.position) starts.snapshot?.checkUsed(writer.position)
    if (writer.position?.chainId) options.source.expectChain?.(writer.position.chainId)
    if (valuation) valuer = await Valuer.open(databaseUrl, chain, valuation, writer.position)
    events.opened(writer.position)
    const projector = new Projector({ chain, accounts, tokenContracts, onRefused: events.refused })
    projector.stale.load(await writer.staleMarks())
    const watch = new Watch({ ...projector.wanted, system: systemAccount })
    options.source.keepRows?.(wantsRow(watch))
    const abis = new AbiBook()
    abis.load(seeds(options.seedAbis))
    abis.load((await writer.abis()).map(withHash))
    const start = writer.position === null ? await chainStart(options, starts, projector, watch) : null
    start?.load(abis)
    if (options.signal.aborted) return writer.position
    const follower = finality && (await openFollower(databaseUrl, { chain, ...finality }, writer.position))
    const session = new Session({
      ...options,
      startBlock: start?.firstBlock ?? options.startBlock,
      open: (block) => start?.join(block) ?? withFullState(block, options.fullStateBlock),
      writer,
      project: (block) => {
        const decoded = decodeBlock(block, watch, abis, { chain, checksActions })
        const made = projector.project(decoded)
        if (follower && finality) {
          for (const row of follower.follow(block, hasBridgeLogs(decoded, finality.bridge))) made.ledger.push(row)
        }
        // Further rows are decoded later.
        if (!decoded.more) options.source.release?.(block)
        return made
      },
      forget: (block) => {
        abis.rewind(block)
        follower?.rewind(block)
      },
      valuer,
      faults,
      events: watched(events, progress),
    })
    await session.run()
    return writer.position
  } finally {
    await valuer?.close()
    await writer.close()
  }
}

/** The state with which an empty chain starts; null when it starts at its start block without one. */
async function chainStart(
  options: IndexOptions,
  { tables, snapshot }: Starts,
  projector: Projector,
  watch: Watch,
): Promise<ChainStart | null> {
  if (tables) return tables.read(projector)
  if (!snapshot) return firstState(options, projector, watch)
  const origin = await snapshot.read(projector, watch)
  if (origin && options.finality) await importFinality(options, options.finality, await snapshot.head())
  return origin
}

/** Stores the snapshot's start of finality. */
async function importFinality(
  options: IndexOptions,
  { legacy = false, onUnfollowed }: FinalityOptions,
  { num, start }: SnapshotHead,
): Promise<void> {
  if (!start || (isLegacy(start) && !legacy)) return
  const reason = await importSnapshotStart({ ...options, start })
  if (reason !== null && !options.signal.aborted) onUnfollowed?.(num + 1, reason)
}

/**
 * The configured chain id, else the source's, else the snapshot's.
 *
 * @returns `failure` when an empty chain cannot start now: the source did not answer, or the snapshot cannot be read
 * @throws UserError OTHER_CHAIN
 */
async function chainIdOf(options: IndexOptions, snapshot: SnapshotStart | null) {
  const known = await sourceChainId(options)
  if (!snapshot) return known
  try {
    return { ...known, chainId: await snapshot.chainId(known.chainId) }
  } catch (failure) {
    if (!(failure instanceof UserError) || failure.code === 'OTHER_CHAIN') throw failure
    return { ...known, failure }
  }
}

async function sourceChainId({ chainId, source, signal }: IndexOptions) {
  if (chainId !== null || !source.chainId) return { chainId, failure: null }
  try {
    return { chainId: await source.chainId(signal), failure: null }
  } catch (error) {
    if (!(error instanceof RetryableError)) throw error
    return { chainId: null, failure: error }
  }
}

/** The source's first state, when the source does not have the start block. */
async function firstState(options: IndexOptions, projector: Projector, watch: Watch): Promise<FrameState | null> {
  const { chain, source, startBlock, fullStateBlock, signal } = options
  // `fullStateBlock` applies only when it is the start block.
  const said = startBlock === fullStateBlock ? fullStateBlock : undefined
  const frame = await source.firstState?.(startBlock, said, signal)
  return frame ? new FrameState({ chain, projector, watch, frame }) : null
}

function withFullState(first: ProjectedBlock, fullStateBlock: number | undefined): ProjectedBlock {
  return first.num === fullStateBlock ? { ...first, stateBlock: first.num } : first
}

function* seeds(abis: ReadonlyMap<string, Uint8Array> = new Map()): Iterable<AbiVersion> {
  for (const [account, abi] of abis) yield withHash({ account, blockNum: 0, globalSeq: 0n, abi })
}

function withHash(stored: StoredAbi): AbiVersion {
  return { ...stored, hash: toHex(sha256(stored.abi)) }
}
