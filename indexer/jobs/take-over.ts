// Takes over finished ranges of a backfill in order, each in one transaction of the chain's writer: readers see whole
// ranges only, without gaps between them. A range that does not fit goes back to the workers.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type PgBoss from 'pg-boss'
import { UserError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { openClient } from '../../net/postgres.ts'
import { AbiBook } from '../decode/abi-book.ts'
import { type ChainFollower, type FinalityOptions, openFollower } from '../finality/chain-follower.ts'
import { followedName } from '../finality/sql.ts'
import { followRange } from '../finality/staged.ts'
import { listRoles, type RoleAccounts } from '../project/role-accounts.ts'
import { databaseError } from '../store/errors.ts'
import type { Position } from '../store/position.ts'
import type { BlockHeader } from '../store/rows.ts'
import { ChainWriter, type WriterOptions } from '../store/writer.ts'
import type { ValuationOptions } from '../value/options.ts'
import { Valuer } from '../value/valuer.ts'
import { openRangeQueue } from './boss.ts'
import { EXPIRE_SECONDS, sendRanges } from './plan.ts'
import { differingAbi, type UsedAbis } from './recorded-abis.ts'
import { DROP_RANGE, isOfEarlierVersion, NEXT_RANGE, RANGE, REOPEN_RANGE, SETS_OF_RANGE } from './sql.ts'
import { adoptSet, countBlocks, dropSets, firstTime, StagingSet, tablesOf } from './staging.ts'
import { valueRange } from './value-range.ts'

export interface TakeOverOptions extends Pick<WriterOptions, 'chain' | 'databaseUrl' | 'chainId' | 'onPoint'> {
  boss: PgBoss
  /** Must equal the workers' setting. */
  accounts: RoleAccounts
  /** Must equal the workers' setting. */
  seedAbis?: ReadonlyMap<string, Uint8Array>
  /** How to value trades; without it they have no USD value. */
  valuation?: ValuationOptions
  /** How to follow finality, for proofs; workers must have it too. */
  finality?: FinalityOptions
  events?: Partial<TakeOverEvents>
  signal: AbortSignal
  /** Poll interval for the next range, ms. */
  pollMs?: number
  /** See PlanOptions. */
  expireSeconds?: number
}

export interface TakeOverEvents {
  /** Called when a range was taken over. */
  takenOver(firstBlock: number, lastBlock: number, seconds: number): void
  /** Called when a range goes back to the workers, with the reason. */
  reopened(firstBlock: number, reason: string): void
}

interface Range {
  firstBlock: number
  lastBlock: number
  startsChain: boolean
  stateBlock: number | null
  attempts: number
  setId: string | null
  prevId: string
  lastId: string
  lastTime: Date
  lib: number
  head: number
  usedAbis: UsedAbis
}

/** Maximum number of attempts at a range that does not fit, for example because of wrong ABIs. */
const MAX_ATTEMPTS = 5

/**
 * Runs until no planned range is left or the signal is aborted.
 *
 * @returns the chain's position at the end
 * @throws RetryableError DATABASE_UNAVAILABLE, WRITER_FENCED: call again; UserError RANGE_DOES_NOT_FIT,
 *   RANGE_WITHOUT_START; BugError
 */
export async function takeOverRanges(options: TakeOverOptions): Promise<Position | null> {
  const { chain, databaseUrl, valuation, finality, signal, pollMs = 500 } = options
  const writer = await ChainWriter.open({ ...options, accounts: listRoles(options.accounts), durable: false })
  let valuer: Valuer | undefined
  const client = openClient({ connectionString: databaseUrl, application_name: `headwater takeover ${chain}` })
  try {
    await client.connect()
    if (valuation) valuer = await Valuer.open(databaseUrl, chain, valuation, writer.position)
    const follower = finality && (await openFollower(databaseUrl, { chain, ...finality }, writer.position))
    const taker = new RangeTaker(options, writer, client, { valuer, follower })
    await taker.loadAbis()
    while (!signal.aborted) {
      const range = await taker.next()
      if (!range) break
      if (range.setId === null) await delay(pollMs, undefined, { signal }).catch(() => {})
      else await taker.takeOver(range, range.setId)
    }
    return writer.position
  } catch (error) {
    throw error instanceof Error && 'severity' in error ? databaseError(error, { chain }) : error
  } finally {
    await valuer?.close()
    await writer.setDurable(true).catch(() => {})
    await writer.close()
    await client.end().catch(() => {})
  }
}

/** State that continues from range to range. */
interface RunningState {
  valuer: Valuer | undefined
  follower: ChainFollower | undefined
}

class RangeTaker {
  private readonly options: TakeOverOptions
  private readonly writer: ChainWriter
  /** For statements outside the chain's transaction, with the role that may use the queue. */
  private readonly client: pg.Client
  private readonly running: RunningState
  private abis = new AbiBook()

  constructor(options: TakeOverOptions, writer: ChainWriter, client: pg.Client, running: RunningState) {
    this.options = options
    this.writer = writer
    this.client = client
    this.running = running
  }

  async loadAbis(): Promise<void> {
    this.abis = new AbiBook()
    const seeds = [...(this.options.seedAbis ?? [])].map(([account, abi]) => {
      return { account, blockNum: 0, globalSeq: 0n, abi }
    })
    const stored = [...seeds, ...(await this.writer.abis())]
    this.abis.load(stored.map((version) => ({ ...version, hash: toHex(sha256(version.abi)) })))
  }

  /** The next range in order, finished or not; null when none is left. */
  async next(): Promise<Range | null> {
    const { chain } = this.options
    for (;;) {
      const { rows } = await this.client.query(NEXT_RANGE, [chain])
      if (!rows[0]?.firstBlock) return null
      const range = await this.read(Number(rows[0].firstBlock))
      const position = this.writer.position
      if (!range || !position || range.lastBlock > position.num) return range
      // Taken over by a process that ended before it deleted the range.
      await this.drop(range)
    }
  }

  /** Takes over a range, or reopens it. @throws UserError RANGE_DOES_NOT_FIT, RANGE_WITHOUT_START */
  async takeOver(range: Range, setId: string): Promise<void> {
    const { chain, events } = this.options
    const started = performance.now()
    const reason = await this.misfit(range, setId)
    if (reason !== null) return this.reopen(range, reason)
    const header = (num: number): BlockHeader => {
      const { lastId, prevId, lastTime, lib, head } = range
      return { num, id: lastId, prevId, time: lastTime.getTime(), producer: '', lib, head }
    }
    const stateBlock = range.stateBlock ?? undefined
    const first = { ...header(range.firstBlock), stateBlock }
    const { valuer, follower } = this.running
    const { position } = this.writer
    const begin = valuer && position && (await firstTime(this.client, setId))
    if (begin && valuer.beginsHour(begin)) await valuer.scoreHour(begin, position)
    await this.writer.adopt(first, header(range.lastBlock), async (client, catalog) => {
      await valueRange({ writer: client, reader: this.client }, catalog, { chain, setId, stateBlock }, valuer)
      if (follower && (await isFollowed(client, setId))) {
        const set = StagingSet.resume(client, chain, setId)
        await followRange(client, catalog, setId, follower, (segment) => set.write(segment))
      }
      await adoptSet(client, catalog, chain, setId)
    })
    await this.drop(range)
    await this.loadAbis()
    events?.takenOver?.(range.firstBlock, range.lastBlock, (performance.now() - started) / 1000)
  }

  private async read(firstBlock: number): Promise<Range | null> {
    const { rows } = await this.client.query(RANGE, [this.options.chain, firstBlock])
    const row = rows[0]
    if (!row) return null
    const numbers = { lastBlock: Number(row.lastBlock), lib: Number(row.lib), head: Number(row.head) }
    const stateBlock = row.stateBlock === null ? null : Number(row.stateBlock)
    return { ...row, firstBlock, stateBlock, ...numbers }
  }

  /** The reason why a finished range cannot be taken over; null when it can. @throws UserError RANGE_WITHOUT_START */
  private async misfit(range: Range, setId: string): Promise<string | null> {
    const { position } = this.writer
    const { firstBlock, lastBlock, startsChain, prevId, usedAbis } = range
    if (!position && !startsChain)
      throw new UserError(
        'RANGE_WITHOUT_START',
        `${this.options.chain}: block ${firstBlock} is not where the chain starts`,
        {
          hint: 'the blocks before it are gone: plan the backfill again',
          place: { chain: this.options.chain, block: firstBlock },
        },
      )
    if (position && (firstBlock !== position.num + 1 || prevId !== position.id))
      return `block ${firstBlock} (parent ${prevId}) does not follow ${position.num} (${position.id})`
    const names = await tablesOf(this.client, setId)
    if ([...names].some((name) => isOfEarlierVersion(setId, name)))
      return 'it was read by a worker of an earlier version'
    const account = differingAbi(usedAbis, this.abis, firstBlock)
    if (account !== null) return `it was decoded by another ABI of ${account} than the one in force`
    const blocks = await countBlocks(this.client, setId)
    const wanted = lastBlock - firstBlock + 1
    return blocks === wanted ? null : `${blocks} of ${wanted} blocks are left: has the database server crashed?`
  }

  private async reopen(range: Range, reason: string): Promise<void> {
    const { chain, boss, events, expireSeconds = EXPIRE_SECONDS } = this.options
    const { firstBlock, lastBlock } = range
    if (range.attempts >= MAX_ATTEMPTS)
      throw new UserError('RANGE_DOES_NOT_FIT', `${chain}: blocks ${firstBlock} to ${lastBlock}: ${reason}`, {
        hint: 'do all workers read the same chain, with the same configuration as the indexer?',
        place: { chain, block: firstBlock },
      })
    const queue = await openRangeQueue(boss, chain)
    await this.client.query('begin')
    const { rows } = await this.client.query(SETS_OF_RANGE, [chain, firstBlock])
    await this.client.query(REOPEN_RANGE, [chain, firstBlock])
    await sendRanges(boss, queue, [{ chain, firstBlock, lastBlock }], this.client, expireSeconds)
    await this.client.query('commit')
    await dropSets(
      this.client,
      rows.map((row) => row.id),
    )
    events?.reopened?.(firstBlock, reason)
  }

  /** Removes the entry and the remaining tables of a range that was taken over. */
  private async drop({ firstBlock }: Range): Promise<void> {
    const { chain } = this.options
    const { rows } = await this.client.query(SETS_OF_RANGE, [chain, firstBlock])
    await this.client.query(DROP_RANGE, [chain, firstBlock])
    await dropSets(
      this.client,
      rows.map((row) => row.id),
    )
  }
}

/** Whether a range has staged blocks for following finality. */
async function isFollowed(client: pg.ClientBase, setId: string): Promise<boolean> {
  return (await tablesOf(client, setId)).has(followedName(setId))
}
