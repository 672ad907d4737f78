// Data that is not in the market in memory: farms as of the market's block, locked liquidity as of the minute.
import { perObject } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import { marketOf } from '../kit/parameters.ts'
import { type MarkRow, markOf, readPage } from '../kit/snapshot.ts'
import type { BlockMark, LiveBook, LivePool, MarketState } from '../live-market/model.ts'
import type { WindowName as RollingName, Volume } from '../live-market/rolling.ts'
import { readTogether } from '../live-market/together.ts'
import type { WindowName } from './chart.ts'
import { INCENTIVES, LOCKED, POOLS_OF_ACCOUNT } from './facts-sql.ts'
import type { IncentiveRow } from './incentives.ts'
import { LatestRead, MinuteRead } from './latest-read.ts'
import { type Locked, type LockedRow, lockedByToken } from './locked.ts'

/** The data that an answer needs. */
export interface Wanted {
  window: WindowName
  incentives?: boolean
  locked?: boolean
  /** Account whose pools are read. */
  account?: string
}

export interface Facts {
  /** Volume of a pool or market in the window. */
  volume: (of: LivePool | LiveBook) => Volume
  /** By pool; empty unless requested. */
  incentives: ReadonlyMap<number, IncentiveRow[]>
  /** By token, as of the minute; empty unless requested. */
  locked: ReadonlyMap<string, Locked>
  poolsOfAccount: ReadonlySet<LivePool> | null
}

/** The facts that need no read. */
export const NO_FACTS: Pick<Facts, 'incentives'> = { incentives: new Map() }

/** The market's names of the windows of the analytics. */
export const ROLLING: Record<WindowName, RollingName> = {
  '24h': 'day',
  '7d': 'week',
  '30d': 'month',
  '90d': 'quarter',
  all: 'all',
}

/** Farms as of a block. */
interface Farms {
  at: BlockMark
  digest: string
  /** Replaced only when a farm changes or ends. */
  byPool: ReadonlyMap<number, IncentiveRow[]>
  /** End of the next farm to end, Unix seconds. */
  nextEnd: number
}

const NO_FARMS: Farms['byPool'] = new Map()

/** Data shared by all answers of a chain. */
class Shared {
  readonly farms: LatestRead<Farms>
  readonly locked: MinuteRead<Map<string, Locked>>

  constructor(context: ChainContext) {
    const { chain, pool } = context
    const locked = { name: 'analytics-locked', text: LOCKED, values: [chain] }
    this.farms = new LatestRead(context.market, {
      read: (latest) => readFarms(context, latest),
      follow: (latest, { at }, changes) =>
        changes.farms || at.time / 1000 > latest.nextEnd ? null : { ...latest, at },
    })
    this.locked = new MinuteRead(async () => {
      const page = await readPage<LockedRow>(pool, locked, 'pool')
      return lockedByToken(marketOf(context), page?.rows ?? [])
    })
  }
}

const sharedOf = perObject((context: ChainContext) => new Shared(context))

/** @throws HttpError 503 when market and database never are at the same block */
export async function factsOf(
  context: ChainContext,
  wanted: Wanted,
): Promise<{ facts: Facts; state: MarketState; at: BlockMark }> {
  const { chain, pool, market } = context
  const shared = sharedOf(context)
  const { locked } = shared
  const lockedNow = wanted.locked ? await locked.of(marketOf(context).at.time) : new Map<string, Locked>()
  const { read, state } = await readTogether(context, async () => {
    const at = market.state?.at
    if (at === undefined) return null
    const own = { name: 'analytics-pools-of-account', text: POOLS_OF_ACCOUNT, values: [chain, wanted.account] }
    const [farms, pools] = await Promise.all([
      wanted.incentives ? shared.farms.of(at) : null,
      wanted.account === undefined ? null : readPage<{ id: number }>(pool, own, 'id'),
    ])
    return { at: commonBlock(at, [farms, pools]), farms, pools }
  })
  const { farms, pools } = read
  const facts: Facts = {
    volume: ({ volumes }) => volumes[ROLLING[wanted.window]],
    incentives: farms?.byPool ?? NO_FARMS,
    locked: lockedNow,
    poolsOfAccount: pools && new Set(pools.rows.flatMap(({ id }) => state.pools.get(id) ?? [])),
  }
  return { facts, state, at: state.at }
}

/** The common block of all reads; the market's block when nothing was read. If reads differ, it is no real block. */
function commonBlock(at: BlockMark, reads: ({ at: BlockMark } | null)[]): BlockMark {
  const marks = reads.flatMap((read) => (read === null ? [] : [read.at]))
  const first = marks[0] ?? at
  return marks.every(({ id }) => id === first.id) ? first : { ...first, id: '' }
}

async function readFarms({ chain, pool }: ChainContext, latest: Farms | null): Promise<Farms | null> {
  const statement = { name: 'analytics-incentives', text: INCENTIVES, values: [chain, latest?.digest ?? ''] }
  const { rows } = await pool.query<IncentiveRow & MarkRow & { digest: string }>(statement)
  const [first] = rows
  if (first === undefined) return null
  const at = markOf(first)
  const { digest } = first
  const isSame = digest === latest?.digest
  const now = at.time / 1000
  if (isSame && now >= latest.at.time / 1000 && now <= latest.nextEnd) return { ...latest, at }
  const farms = isSame ? [...latest.byPool.values()].flat() : rows.filter(({ id }) => id !== null)
  const ends = farms.map(({ periodFinish }) => periodFinish).filter((end) => end >= now)
  return { at, digest, byPool: groupByPool(farms), nextEnd: Math.min(...ends, Number.POSITIVE_INFINITY) }
}

function groupByPool(rows: readonly IncentiveRow[]): Map<number, IncentiveRow[]> {
  const pools = new Map<number, IncentiveRow[]>()
  for (const row of rows) {
    const known = pools.get(row.pool)
    if (known === undefined) pools.set(row.pool, [row])
    else known.push(row)
  }
  return pools
}
