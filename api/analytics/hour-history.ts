// The hours of a chain in memory. Counted hours are irreversible and are read once. Later hours are computed from their
// trades, once for each block.
import { FEE_UNIT } from '../../core/amm/q64.ts'
import { SPOT_FEE_UNIT } from '../../core/book/fee.ts'
import { perObject } from '../../core/cache.ts'
import type { ChainContext } from '../chain-context.ts'
import { type MarkRow, markOf } from '../kit/snapshot.ts'
import type { Changes } from '../live-market/advance.ts'
import type { BlockMark, MarketState } from '../live-market/model.ts'
import { readTogether } from '../live-market/together.ts'
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
  type LastHours,
  NOTHING,
  type Sums,
  sumsOf,
  type Traded,
} from './hours.ts'
import { LatestRead, type Reading } from './latest-read.ts'
import { COUNTED, OPEN } from './sql.ts'

/** Earlier than all hours. */
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

/** The counted hours, oldest first, and data derived from them. */
interface CountedHours {
  counted: readonly Hour[]
  whole: Map<string, Bucket>
  /** Prefix sums: sums of all counted hours before an index, so one entry more than hours. */
  before: readonly Traded[]
  settled: Map<string, SettledPoints>
  /** Answers about ended hours, by name. The map is replaced when these hours change. */
  ended: Map<string, Json>
}

/** All hours as of a block, oldest first. */
export class HourHistory {
  readonly at: BlockMark
  /** End of the last counted hour; minus infinity without one. */
  readonly countedUntil: number
  /** Chart points of counted hours alone, by window and length. */
  readonly settled: Map<string, SettledPoints>
  private readonly ended: Map<string, Json>
  /** Counted hours, followed by the `open` ones. */
  private readonly counted: readonly Hour[]
  readonly open: readonly Hour[]
  /** Buckets of counted hours alone: they never change. */
  private readonly whole: Map<string, Bucket>
  /** Prefix sums of the counted hours. */
  private readonly before: readonly Traded[]

  private readonly countedHours: CountedHours

  constructor(at: BlockMark, countedHours: CountedHours, open: readonly Hour[]) {
    const { counted, whole, before, settled, ended } = countedHours
    this.at = at
    this.countedHours = countedHours
    const last = counted.at(-1)
    this.countedUntil = last === undefined ? Number.NEGATIVE_INFINITY : last.t + HOUR
    this.settled = settled
    this.ended = ended
    this.counted = counted
    this.open = open
    this.whole = whole
    this.before = before
  }

  /** This history at a later block of the same hour, with the trades that were added to the hour. */
  with(at: BlockMark, newTrades: Hour | null): HourHistory {
    if (newTrades === null) return new HourHistory(at, this.countedHours, this.open)
    const open = this.open.map((hour) => (hour.t === newTrades.t ? { ...hour, ...added(hour, newTrades) } : hour))
    return new HourHistory(at, this.countedHours, open.some(({ t }) => t === newTrades.t) ? open : [...open, newTrades])
  }

  /**
   * Distinct accounts per day, averaged over the days that end with each ended hour of a range; 0 without such an hour.
   */
  averageUsers({ from, before }: HourRange): number {
    return this.period({ from, before }).users
  }

  /** Sums of the ended hours of a range. */
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
   * The nonempty buckets of a range, oldest first.
   *
   * @param length   milliseconds
   * @param isWhole  whether only ended hours count
   */
  buckets(range: HourRange, length: number, isWhole: boolean): Bucket[] {
    const end = this.placeOf(range.before)
    const buckets: Bucket[] = []
    for (let place = this.placeOf(range.from); place < end; ) {
      const t = bucketOf(this.hour(place).t, length)
      const next = Math.min(end, this.placeAfter(place, t + length))
      const bucket = this.bucket(t, place, next, length, isWhole)
      if (bucket !== null) buckets.push(bucket)
      place = next
    }
    return buckets
  }

  /** The result of `make`, which may use ended hours alone; cached until these change. */
  ofEnded(name: string, make: () => Json): Json {
    let json = this.ended.get(name)
    if (json === undefined) this.ended.set(name, (json = make()))
    return json
  }

  /** Locked value at a moment; null if unknown. */
  lockedBefore(time: number): number | null {
    for (let place = this.placeOf(time) - 1; place >= 0; place--) {
      const { locked } = this.hour(place)
      if (locked !== null) return locked
    }
    return null
  }

  private bucket(t: number, place: number, next: number, length: number, isWhole: boolean): Bucket | null {
    // The first hour of a range may be inside its bucket, so the hour is part of the key.
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

  /** The last ended hour of the range [first, end), and the last ended one whose value is known. */
  private leftBy(first: number, end: number): LastHours {
    let last: Hour | null = null
    for (let place = end - 1; place >= first; place--) {
      const hour = this.hour(place)
      if (!hour.over) continue
      last ??= hour
      if (hour.locked !== null) return { last, known: hour }
    }
    return { last, known: null }
  }

  /** Like `placeOf`, but tries first the index that is right when no hour between is missing. */
  private placeAfter(place: number, time: number): number {
    const likely = place + (time - this.hour(place).t) / HOUR
    return likely < this.length && this.hour(likely).t === time ? likely : this.placeOf(time)
  }

  private get length(): number {
    return this.counted.length + this.open.length
  }

  /** The hour at an index, which must exist. */
  private hour(place: number): Hour {
    const { counted, open } = this
    return (place < counted.length ? counted[place] : open[place - counted.length]) as Hour
  }

  /** Hours of the index range [first, end). */
  private between(first: number, end: number): Hour[] {
    const { length } = this.counted
    return [
      ...this.counted.slice(first, end),
      ...this.open.slice(Math.max(0, first - length), Math.max(0, end - length)),
    ]
  }

  /** Index of the first hour that starts at or after a moment. */
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
  /** The markets' fees as of the last read. */
  private fees = ''
  private ended = { of: '', answers: new Map<string, Json>() }

  constructor(context: ChainContext) {
    this.context = context
  }

  /** @param latest  the last history: trades of its blocks are not read again */
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

  /** Within an hour, only trades change the history. */
  follow(latest: HourHistory, { at, pools, books }: MarketState, { swaps, deals, terms }: Changes): HourHistory | null {
    const t = hourOf(at.time)
    if (terms || hourOf(latest.at.time) !== t) return null
    const newTrades: Hour = { t, ...NOT_OVER, ...NO_TRADES }
    for (const { id, usd, trades, withoutUsd } of swaps) {
      const pool = pools.get(id)
      if (pool === undefined) return null
      newTrades.swapVolume += BigInt(usd)
      newTrades.swapFees += (BigInt(usd) * BigInt(pool.fee)) / FEE_UNIT
      newTrades.swapTrades += trades
      newTrades.swapsWithoutUsd += withoutUsd
    }
    for (const { id, usd, trades, withoutUsd } of deals) {
      const book = books.get(id)
      if (book === undefined) return null
      newTrades.spotVolume += BigInt(usd)
      newTrades.spotFees += (BigInt(usd) * BigInt(book.fee)) / SPOT_FEE_UNIT
      newTrades.spotTrades += trades
      newTrades.dealsWithoutUsd += withoutUsd
    }
    return swaps.length + deals.length === 0 ? latest.with(at, null) : latest.with(at, newTrades)
  }

  /** Adds newly counted hours. If there are fewer than before, counting has started over, and so does this. */
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
    // Copied, because histories in use keep their arrays.
    const more = rows.map(hourOfRow)
    this.counted = [...this.counted, ...more]
    const before = [...this.before]
    for (const hour of more) before.push(addHour(before.at(-1) as Traded, hour))
    this.before = before
  }
}

/**
 * Adds the trades of later blocks to the known hours.
 *
 * @param known  hours as of an earlier block
 * @param found  hours with only the trades of later blocks; includes all ended hours
 * @param last   start of the last counted hour; hours up to it are no longer open
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
  const { users: _, ...trades } = addHour({ ...one, users: 0 }, other)
  return trades
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

/** The hours and the market of a chain, at one block. @throws HttpError 503 when they never are at the same block */
export async function historyOf(context: ChainContext): Promise<{ history: HourHistory; state: MarketState }> {
  const latest = historiesOf(context)
  const { read, state } = await readTogether(context, async () => {
    const at = context.market.state?.at
    return at === undefined ? null : latest.of(at)
  })
  return { history: read, state }
}
