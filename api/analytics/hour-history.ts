// The hours of a chain in memory. Those that are counted are irreversible: they are read once. Those behind them are made
// from their trades, once a block.
import type { ChainContext } from '../chain-context.ts'
import { type MarkRow, markOf } from '../exchange/snapshot.ts'
import type { BlockMark, MarketState } from '../market/model.ts'
import { readTogether } from '../market/together.ts'
import type { Json } from './answer.ts'
import type { SettledPoints } from './chart-json.ts'
import { type Bucket, bucketOf, HOUR, type Hour, type HourRange, type Sums, sumHours } from './hours.ts'
import { LatestRead } from './latest-read.ts'
import { COUNTED, OPEN } from './sql.ts'

/** Before all hours. */
const NEVER = new Date(0)

type HourRow = { [Name in keyof Hour]: Hour[Name] extends bigint ? string : Hour[Name] }
type OpenRow = MarkRow & { counted: number | null; fees: string; continued: boolean } & {
  [Name in keyof HourRow]: HourRow[Name] | null
}

/** Hours that are counted, oldest first, and what follows from them. */
interface CountedHours {
  counted: readonly Hour[]
  whole: Map<string, Bucket>
  usersBefore: readonly number[]
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
  private readonly hours: readonly Hour[]
  /** How many of the hours are counted. */
  private readonly counted: number
  /** Buckets of counted hours alone: they are the same for ever. */
  private readonly whole: Map<string, Bucket>
  /** Users of all counted hours before a place. */
  private readonly usersBefore: readonly number[]

  constructor(at: BlockMark, { counted, whole, usersBefore, settled, ended }: CountedHours, open: readonly Hour[]) {
    this.at = at
    const last = counted.at(-1)
    this.countedUntil = last === undefined ? Number.NEGATIVE_INFINITY : last.t + HOUR
    this.settled = settled
    this.ended = ended
    this.hours = [...counted, ...open]
    this.counted = counted.length
    this.whole = whole
    this.usersBefore = usersBefore
  }

  /** Those that are not counted. */
  get open(): readonly Hour[] {
    return this.hours.slice(this.counted)
  }

  /** Distinct accounts in a day, averaged over the days that end with each hour of a range that is over; 0 without one. */
  averageUsers({ from, before }: HourRange): number {
    const [first, end] = [this.placeOf(from), this.placeOf(before)]
    const [firstOpen, lastCounted] = [Math.max(first, this.counted), Math.min(end, this.counted)]
    const open = this.hours.slice(firstOpen, end).filter(({ over }) => over)
    const counted = Math.max(0, lastCounted - first)
    const sum = counted === 0 ? 0 : (this.usersBefore[lastCounted] ?? 0) - (this.usersBefore[first] ?? 0)
    const hours = counted + open.length
    return hours === 0 ? 0 : (sum + open.reduce((total, { users }) => total + (users ?? 0), 0)) / hours
  }

  /** Sums of the hours of a range that are over. */
  period(range: HourRange): Sums {
    return sumHours(this.between(range).filter(({ over }) => over))
  }

  /**
   * The buckets of a range that have an hour in them, oldest first.
   *
   * @param length   milliseconds
   * @param isWhole  whether hours count only when they are over
   */
  buckets(range: HourRange, length: number, isWhole: boolean): Bucket[] {
    const { hours } = this
    const end = this.placeOf(range.before)
    const buckets: Bucket[] = []
    for (let place = this.placeOf(range.from); place < end; ) {
      const t = bucketOf((hours[place] as Hour).t, length)
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
      const { locked } = this.hours[place] as Hour
      if (locked !== null) return locked
    }
    return null
  }

  private bucket(t: number, place: number, next: number, length: number, isWhole: boolean): Bucket | null {
    // The first hour of a range may lie within its bucket.
    const isKept = next < this.counted && (this.hours[next] as Hour).t >= t + length
    const key = `${length} ${(this.hours[place] as Hour).t}`
    const known = isKept ? this.whole.get(key) : undefined
    if (known !== undefined) return known
    const hours = this.hours.slice(place, next).filter(({ over }) => over || !isWhole)
    if (hours.length === 0) return null
    const bucket = { t, ...sumHours(hours) }
    if (isKept) this.whole.set(key, bucket)
    return bucket
  }

  private between({ from, before }: HourRange): Hour[] {
    return this.hours.slice(this.placeOf(from), this.placeOf(before))
  }

  /** The same as `placeOf`, from a place before it: hours seldom miss between the two. */
  private placeBehind(place: number, time: number): number {
    const likely = place + (time - (this.hours[place] as Hour).t) / HOUR
    return this.hours[likely]?.t === time ? likely : this.placeOf(time)
  }

  /** Place of the first hour that does not begin before a moment. */
  private placeOf(time: number): number {
    let [low, high] = [0, this.hours.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.hours[middle] as Hour).t < time) low = middle + 1
      else high = middle
    }
    return low
  }
}

class Reader {
  private readonly context: ChainContext
  private counted: Hour[] = []
  private whole = new Map<string, Bucket>()
  private usersBefore: number[] = [0]
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
    const { counted, whole, usersBefore, settled, ended } = this
    return new HourHistory(markOf(first), { counted, whole, usersBefore, settled, ended: ended.answers }, open)
  }

  /** Takes in the hours that have been counted since. When fewer are than were, somebody has begun anew. */
  private async count(last: number | null): Promise<void> {
    const known = this.counted.at(-1)?.t ?? null
    if (last === known) return
    if (last === null || (known !== null && last < known)) {
      this.counted = []
      this.whole = new Map()
      this.usersBefore = [0]
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
    const before = [...this.usersBefore]
    for (const { users } of more) before.push((before.at(-1) as number) + (users ?? 0))
    this.usersBefore = before
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
  const nothing = {
    over: false,
    swapLocked: null,
    spotLocked: null,
    locked: null,
    pools: null,
    markets: null,
    users: null,
  }
  const hours = new Map<number, Hour>(
    known.filter(({ t }) => t > last).map((hour) => [hour.t, { ...hour, ...nothing }]),
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
    spotVolume: one.spotVolume + other.spotVolume,
    spotFees: one.spotFees + other.spotFees,
    spotTrades: one.spotTrades + other.spotTrades,
  }
}

function hourOfRow(row: HourRow): Hour {
  const { t, over, swapTrades, spotTrades, swapLocked, spotLocked, locked, pools, markets, users } = row
  return {
    ...{ t, over, swapTrades, spotTrades, swapLocked, spotLocked, locked, pools, markets, users },
    swapVolume: BigInt(row.swapVolume),
    swapFees: BigInt(row.swapFees),
    spotVolume: BigInt(row.spotVolume),
    spotFees: BigInt(row.spotFees),
  }
}

const chains = new WeakMap<ChainContext, LatestRead<HourHistory>>()

/** The hours of a chain with its market, of one block. @throws HttpError 503 when the two do not meet */
export async function historyOf(context: ChainContext): Promise<{ history: HourHistory; state: MarketState }> {
  let latest = chains.get(context)
  if (latest === undefined) {
    const reader = new Reader(context)
    chains.set(context, (latest = new LatestRead((before) => reader.read(before))))
  }
  const { read, state } = await readTogether(context, async () => {
    const at = context.market.state?.at
    return at === undefined ? null : (latest as LatestRead<HourHistory>).of(at)
  })
  return { history: read, state }
}
