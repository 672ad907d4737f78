// The hours of a chain in memory. Those that are counted are irreversible: they are read once. Those behind them are made
// from their trades, once a block.
import { perObject } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import { type MarkRow, markOf } from '../exchange/snapshot.ts'
import type { Changes } from '../market/advance.ts'
import type { BlockMark, MarketState } from '../market/model.ts'
import { readTogether } from '../market/together.ts'
import type { Json } from './answer.ts'
import type { SettledPoints } from './chart-json.ts'
import {
  addHour,
  type Bucket,
  bucketOf,
  difference,
  HOUR,
  type Hour,
  type HourRange,
  hourOf,
  type LeftBy,
  NOTHING,
  type Sums,
  sumsOf,
  type Traded,
} from './hours.ts'
import { LatestRead, type Reading } from './latest-read.ts'
import { BOOK_FEE_ONE, POOL_FEE_ONE } from './shares.ts'
import { COUNTED, OPEN } from './sql.ts'

/** Before all hours. */
const NEVER = new Date(0)

const NO_TRADES = {
  ...{ swapVolume: 0n, swapFees: 0n, swapTrades: 0, swapsWithoutUsd: 0 },
  ...{ spotVolume: 0n, spotFees: 0n, spotTrades: 0, dealsWithoutUsd: 0 },
}
const LEFT_BY_HOUR = { swapLocked: null, spotLocked: null, locked: null, pools: null, markets: null, users: null }
const NOT_OVER = { over: false, ...LEFT_BY_HOUR }

type HourRow = { [Name in keyof Hour]: Hour[Name] extends bigint ? string : Hour[Name] }
type OpenRow = MarkRow & { counted: number | null; fees: string; continued: boolean } & {
  [Name in keyof HourRow]: HourRow[Name] | null
}

/** Hours that are counted, oldest first, and what follows from them. */
interface CountedHours {
  counted: readonly Hour[]
  whole: Map<string, Bucket>
  /** Sums of all of them before a place; one more than there are hours. */
  before: readonly Traded[]
  settled: Map<string, SettledPoints>
  /** Answers of hours that are over, by name: the same map as long as these are the same. */
  ended: Map<string, Json>
}

/** All hours as of a block, oldest first. */
export class HourHistory {
  readonly at: BlockMark
  /** End of the last counted hour; minus infinity before the first one. */
  readonly countedUntil: number
  /** Points of charts of counted hours alone, by window and length. */
  readonly settled: Map<string, SettledPoints>
  private readonly ended: Map<string, Json>
  /** Those that are counted, and those behind them. */
  private readonly counted: readonly Hour[]
  readonly open: readonly Hour[]
  /** Buckets of counted hours alone: they are the same for ever. */
  private readonly whole: Map<string, Bucket>
  /** Sums of all counted hours before a place. */
  private readonly before: readonly Traded[]

  private readonly kept: CountedHours

  constructor(at: BlockMark, kept: CountedHours, open: readonly Hour[]) {
    const { counted, whole, before, settled, ended } = kept
    this.at = at
    this.kept = kept
    const last = counted.at(-1)
    this.countedUntil = last === undefined ? Number.NEGATIVE_INFINITY : last.t + HOUR
    this.settled = settled
    this.ended = ended
    this.counted = counted
    this.open = open
    this.whole = whole
    this.before = before
  }

  /** The same with the trades of the hour in progress that came until a later block of it. */
  with(at: BlockMark, come: Hour | null): HourHistory {
    if (come === null) return new HourHistory(at, this.kept, this.open)
    const open = this.open.map((hour) => (hour.t === come.t ? { ...hour, ...added(hour, come) } : hour))
    return new HourHistory(at, this.kept, open.some(({ t }) => t === come.t) ? open : [...open, come])
  }

  /** Distinct accounts in a day, averaged over the days that end with each hour of a range that is over; 0 without one. */
  averageUsers({ from, before }: HourRange): number {
    return this.period({ from, before }).users
  }

  /** Sums of the hours of a range that are over. */
  period({ from, before }: HourRange): Sums {
    const first = this.placeOf(from)
    const end = Math.max(first, this.placeOf(before))
    const { length } = this.counted
    const counted = { first: Math.min(first, length), end: Math.min(end, length) }
    const open = this.between(Math.max(first, length), end).filter(({ over }) => over)
    const known = difference(this.before[counted.end] as Traded, this.before[counted.first] as Traded)
    const left = this.leftBy(first, end)
    return sumsOf(open.reduce(addHour, known), counted.end - counted.first + open.length, left)
  }

  /**
   * The buckets of a range that have an hour in them, oldest first.
   *
   * @param length   milliseconds
   * @param isWhole  whether hours count only when they are over
   */
  buckets(range: HourRange, length: number, isWhole: boolean): Bucket[] {
    const end = this.placeOf(range.before)
    const buckets: Bucket[] = []
    for (let place = this.placeOf(range.from); place < end; ) {
      const t = bucketOf(this.hour(place).t, length)
      const next = Math.min(end, this.placeBehind(place, t + length))
      const bucket = this.bucket(t, place, next, length, isWhole)
      if (bucket !== null) buckets.push(bucket)
      place = next
    }
    return buckets
  }

  /** What `make` says of hours that are over alone, made once as long as these are the same. */
  ofEnded(name: string, make: () => Json): Json {
    let json = this.ended.get(name)
    if (json === undefined) this.ended.set(name, (json = make()))
    return json
  }

  /** What was locked when a moment came; null when nobody knows. */
  lockedBefore(time: number): number | null {
    for (let place = this.placeOf(time) - 1; place >= 0; place--) {
      const { locked } = this.hour(place)
      if (locked !== null) return locked
    }
    return null
  }

  private bucket(t: number, place: number, next: number, length: number, isWhole: boolean): Bucket | null {
    // The first hour of a range may lie within its bucket.
    const isKept = next < this.counted.length && this.hour(next).t >= t + length
    const key = `${length} ${this.hour(place).t}`
    const known = isKept ? this.whole.get(key) : undefined
    if (known !== undefined) return known
    const hours = this.between(place, next).filter(({ over }) => over || !isWhole)
    if (hours.length === 0) return null
    const over = hours.filter((hour) => hour.over).length
    const bucket = { t, ...sumsOf(hours.reduce(addHour, NOTHING), over, this.leftBy(place, next)) }
    if (isKept) this.whole.set(key, bucket)
    return bucket
  }

  /** The last hour of some places that is over, and the last of those whose value is known. */
  private leftBy(first: number, end: number): LeftBy {
    let last: Hour | null = null
    for (let place = end - 1; place >= first; place--) {
      const hour = this.hour(place)
      if (!hour.over) continue
      last ??= hour
      if (hour.locked !== null) return { last, known: hour }
    }
    return { last, known: null }
  }

  /** The same as `placeOf`, from a place before it: hours seldom miss between the two. */
  private placeBehind(place: number, time: number): number {
    const likely = place + (time - this.hour(place).t) / HOUR
    return likely < this.length && this.hour(likely).t === time ? likely : this.placeOf(time)
  }

  private get length(): number {
    return this.counted.length + this.open.length
  }

  /** The hour of a place at which there is one. */
  private hour(place: number): Hour {
    const { counted, open } = this
    return (place < counted.length ? counted[place] : open[place - counted.length]) as Hour
  }

  /** Hours from one place up to another. */
  private between(first: number, end: number): Hour[] {
    const { length } = this.counted
    return [
      ...this.counted.slice(first, end),
      ...this.open.slice(Math.max(0, first - length), Math.max(0, end - length)),
    ]
  }

  /** Place of the first hour that does not begin before a moment. */
  private placeOf(time: number): number {
    let [low, high] = [0, this.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.hour(middle).t < time) low = middle + 1
      else high = middle
    }
    return low
  }
}

class Reader implements Reading<HourHistory> {
  private readonly context: ChainContext
  private counted: Hour[] = []
  private whole = new Map<string, Bucket>()
  private before: Traded[] = [NOTHING]
  private settled = new Map<string, SettledPoints>()
  /** Of the markets, when the last history was read. */
  private fees = ''
  private ended = { of: '', answers: new Map<string, Json>() }

  constructor(context: ChainContext) {
    this.context = context
  }

  /** @param latest  what was read last: the trades of its blocks are not read again */
  async read(latest: HourHistory | null): Promise<HourHistory | null> {
    const { pool, chain } = this.context
    const values = [chain, latest?.at.block ?? 0, latest?.at.id ?? '', this.fees]
    const { rows } = await pool.query<OpenRow>({ name: 'hours-open', text: OPEN, values })
    const [first] = rows
    if (first === undefined) return null
    await this.count(first.counted)
    this.fees = first.fees
    const found = rows.flatMap((row) => (row.t === null ? [] : [hourOfRow(row as HourRow)]))
    const last = first.counted ?? Number.NEGATIVE_INFINITY
    const open = first.continued && latest !== null ? continued(latest.open, found, last) : found
    const over = open.filter((hour) => hour.over)
    const of = [first.counted, ...over.flatMap((hour) => Object.values(hour))].join(' ')
    if (of !== this.ended.of) this.ended = { of, answers: new Map() }
    const { counted, whole, before, settled, ended } = this
    return new HourHistory(markOf(first), { counted, whole, before, settled, ended: ended.answers }, open)
  }

  /** Within an hour, trades alone can change anything. */
  follow(latest: HourHistory, { at, pools, books }: MarketState, { swaps, deals, terms }: Changes): HourHistory | null {
    const t = hourOf(at.time)
    if (terms || hourOf(latest.at.time) !== t) return null
    const come: Hour = { t, ...NOT_OVER, ...NO_TRADES }
    for (const { id, usd, trades, withoutUsd } of swaps) {
      const pool = pools.get(id)
      if (pool === undefined) return null
      come.swapVolume += BigInt(usd)
      come.swapFees += (BigInt(usd) * BigInt(pool.fee)) / POOL_FEE_ONE
      come.swapTrades += trades
      come.swapsWithoutUsd += withoutUsd
    }
    for (const { id, usd, trades, withoutUsd } of deals) {
      const book = books.get(id)
      if (book === undefined) return null
      come.spotVolume += BigInt(usd)
      come.spotFees += (BigInt(usd) * BigInt(book.fee)) / BOOK_FEE_ONE
      come.spotTrades += trades
      come.dealsWithoutUsd += withoutUsd
    }
    return swaps.length + deals.length === 0 ? latest.with(at, null) : latest.with(at, come)
  }

  /** Takes in the hours that have been counted since. When fewer are than were, somebody has begun anew. */
  private async count(last: number | null): Promise<void> {
    const known = this.counted.at(-1)?.t ?? null
    if (last === known) return
    if (last === null || (known !== null && last < known)) {
      this.counted = []
      this.whole = new Map()
      this.before = [NOTHING]
      this.settled = new Map()
    }
    if (last === null) return
    const { pool, chain } = this.context
    const from = this.counted.at(-1)?.t
    const values = [chain, from === undefined ? NEVER : new Date(from), new Date(last)]
    const { rows } = await pool.query<HourRow>({ name: 'hours-counted', text: COUNTED, values })
    // A history that is in use keeps the hours that it has.
    const more = rows.map(hourOfRow)
    this.counted = [...this.counted, ...more]
    const before = [...this.before]
    for (const hour of more) before.push(addHour(before.at(-1) as Traded, hour))
    this.before = before
  }
}

/**
 * Hours with the trades of the blocks behind those that are known.
 *
 * @param known  as of an earlier block
 * @param found  with the trades of the blocks since alone; all hours that are over are among them
 * @param last   the hour that is counted last; none of those up to it are open
 */
function continued(known: readonly Hour[], found: readonly Hour[], last: number): Hour[] {
  const hours = new Map<number, Hour>(
    known.filter(({ t }) => t > last).map((hour) => [hour.t, { ...hour, ...NOT_OVER }]),
  )
  for (const hour of found) {
    const before = hours.get(hour.t)
    hours.set(hour.t, before === undefined ? hour : { ...hour, ...added(before, hour) })
  }
  return [...hours.values()].sort((x, y) => x.t - y.t)
}

function added(one: Hour, other: Hour) {
  return {
    swapVolume: one.swapVolume + other.swapVolume,
    swapFees: one.swapFees + other.swapFees,
    swapTrades: one.swapTrades + other.swapTrades,
    swapsWithoutUsd: one.swapsWithoutUsd + other.swapsWithoutUsd,
    spotVolume: one.spotVolume + other.spotVolume,
    spotFees: one.spotFees + other.spotFees,
    spotTrades: one.spotTrades + other.spotTrades,
    dealsWithoutUsd: one.dealsWithoutUsd + other.dealsWithoutUsd,
  }
}

function hourOfRow(row: HourRow): Hour {
  const { t, over, swapTrades, spotTrades, swapLocked, spotLocked, locked, pools, markets, users } = row
  const { swapsWithoutUsd, dealsWithoutUsd } = row
  return {
    t,
    over,
    swapVolume: BigInt(row.swapVolume),
    swapFees: BigInt(row.swapFees),
    swapTrades,
    swapsWithoutUsd,
    spotVolume: BigInt(row.spotVolume),
    spotFees: BigInt(row.spotFees),
    spotTrades,
    dealsWithoutUsd,
    swapLocked,
    spotLocked,
    locked,
    pools,
    markets,
    users,
  }
}

const historiesOf = perObject(
  (context: ChainContext): LatestRead<HourHistory> => new LatestRead(context.market, new Reader(context)),
)

/** The hours of a chain with its market, of one block. @throws HttpError 503 when the two do not meet */
export async function historyOf(context: ChainContext): Promise<{ history: HourHistory; state: MarketState }> {
  const latest = historiesOf(context)
  const { read, state } = await readTogether(context, async () => {
    const at = context.market.state?.at
    return at === undefined ? null : latest.of(at)
  })
  return { history: read, state }
}
