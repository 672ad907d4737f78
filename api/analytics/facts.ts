// What the market in memory does not hold, of the block that the market is at.
import type { ChainContext } from '../chain-context.ts'
import { type MarkRow, markOf } from '../exchange/snapshot.ts'
import type { BlockMark, LiveBook, LivePool, MarketState } from '../market/model.ts'
import type { WindowName as RollingName, Volume } from '../market/rolling.ts'
import { readTogether } from '../market/together.ts'
import type { WindowName } from './chart.ts'
import { ALL_TIME, INCENTIVES, LOCKED, POOLS_OF_ACCOUNT } from './facts-sql.ts'
import type { IncentiveRow } from './incentives.ts'
import type { LockedRow } from './locked.ts'

/** What is read, as far as an answer needs it. */
export interface Wanted {
  window: WindowName
  incentives?: boolean
  locked?: boolean
  /** Pools in which this account holds a position. */
  account?: string
}

export interface Facts {
  at: BlockMark
  /** Volume of a pool or of a market in the window. */
  volume: (of: LivePool | LiveBook) => Volume
  /** By pool; empty unless wanted. */
  incentives: ReadonlyMap<number, IncentiveRow[]>
  locked: readonly LockedRow[]
  poolsOfAccount: ReadonlySet<number> | null
}

const ROLLING: Record<Exclude<WindowName, 'all'>, RollingName> = {
  '24h': 'day',
  '7d': 'week',
  '30d': 'month',
  '90d': 'quarter',
}
const NOTHING: Volume = { base: 0n, target: 0n, usd: 0n, trades: 0 }

interface AllTimeRow {
  kind: string
  id: number
  base: string
  target: string
  usd: string
  trades: number
}

/** @throws HttpError 503 when market and database do not meet */
export async function factsOf(context: ChainContext, wanted: Wanted): Promise<{ facts: Facts; state: MarketState }> {
  const { read, state } = await readTogether(context, async () => {
    const at = context.market.state?.at
    if (at === undefined) return null
    // Of several reads, each must be of the same block: the market's.
    const marks: BlockMark[] = [at]
    const read = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> => {
      const { rows } = await context.pool.query<Row & MarkRow & { [key: string]: unknown }>(text, [
        context.chain,
        ...values,
      ])
      if (rows[0] !== undefined) marks.push(markOf(rows[0]))
      return rows
    }
    const allTime = wanted.window === 'all' ? await readAllTime(context.market.state as MarketState, read) : null
    const incentives = wanted.incentives ? await read<IncentiveRow>(INCENTIVES, null) : []
    const locked = wanted.locked ? await read<LockedRow>(LOCKED, new Date(at.time)) : []
    const own = wanted.account === undefined ? null : await read<{ id: number }>(POOLS_OF_ACCOUNT, wanted.account)
    const facts: Facts = {
      // Reads of several blocks are of none: they are tried again.
      at: marks.every(({ id }) => id === at.id) ? at : { ...at, id: '' },
      volume: (of) => volumeIn(wanted.window, allTime, of),
      incentives: byPool(incentives),
      locked: locked.filter(({ pool }) => pool !== null),
      poolsOfAccount: own && new Set(own.map(({ id }) => id)),
    }
    return facts
  })
  return { facts: read, state }
}

type Read = <Row>(text: string, ...values: unknown[]) => Promise<Row[]>

async function readAllTime(state: MarketState, read: Read): Promise<Map<string, Volume>> {
  const pools = [...state.pools.keys()]
  const books = [...state.books.keys()]
  const kinds = [...pools.map(() => 'amm'), ...books.map(() => 'spot')]
  const rows = await read<AllTimeRow>(ALL_TIME, kinds, [...pools, ...books])
  return new Map(
    rows
      .filter(({ kind }) => kind !== null)
      .map(({ kind, id, base, target, usd, trades }) => [
        `${kind} ${id}`,
        { base: BigInt(base), target: BigInt(target), usd: BigInt(usd), trades },
      ]),
  )
}

function volumeIn(window: WindowName, allTime: Map<string, Volume> | null, of: LivePool | LiveBook): Volume {
  if (window !== 'all') return of.volumes[ROLLING[window]]
  return allTime?.get(`${'bids' in of ? 'spot' : 'amm'} ${of.id}`) ?? NOTHING
}

function byPool(rows: readonly IncentiveRow[]): Map<number, IncentiveRow[]> {
  const pools = new Map<number, IncentiveRow[]>()
  for (const row of rows) {
    if (row.pool === null) continue
    const known = pools.get(row.pool)
    if (known === undefined) pools.set(row.pool, [row])
    else known.push(row)
  }
  return pools
}
