// Reads a span of candles as of one block and converts it to JSON.
import type { BlockMark } from '../../live-market/model.ts'
import { markOf, type Queryable, type Statement } from '../snapshot.ts'
import { type CandleRange, maxBuckets } from './span.ts'
import { type SpanRow, type StoredBar, StoredBars } from './stored.ts'

/** From this number of buckets on, two connections read one part each in parallel. */
const PARTED_FROM = 1000
/** The older part is smaller: its JSON is made while the newer part is still being read. */
const OLDER = [0, 0.3] as const
const NEWER = [0.3, 1] as const
const WHOLE = [0, 1] as const

export interface CandleSource<Row extends SpanRow> {
  /** The statement that reads a part of the span; its ends are fractions from 0 to 1. */
  statement(part: readonly [from: number, to: number]): Statement
  /** Start of the candles; null if the pool or market does not exist. */
  begin(row: Row): SpanRow | null
  /** JSON of candles, separated by commas. */
  json(row: Row, source: Uint8Array, bars: Iterable<StoredBar>): Buffer
}

/** @returns null if the chain, the pool or the market does not exist */
export async function readCandles<Row extends SpanRow>(
  database: Queryable,
  range: CandleRange,
  source: CandleSource<Row>,
): Promise<{ at: BlockMark; json: Buffer } | null> {
  const read = async (part: typeof OLDER | typeof NEWER | typeof WHOLE) =>
    (await database.query<Row>(source.statement(part))).rows[0] ?? null
  return (maxBuckets(range) >= PARTED_FROM && (await inParts(range, source, read))) || whole(range, source, read)
}

async function inParts<Row extends SpanRow>(
  { resolution }: CandleRange,
  { begin, json }: CandleSource<Row>,
  read: (part: typeof OLDER | typeof NEWER) => Promise<Row | null>,
): Promise<{ at: BlockMark; json: Buffer } | null> {
  const reading = read(NEWER)
  // The error is thrown by `await reading`. Without this, it would be unhandled if the older part failed first.
  reading.catch(() => {})
  const older = await read(OLDER)
  const span = older && begin(older)
  if (older === null || span === null) return null
  const bars = new StoredBars(span, resolution)
  const head = json(older, bars.source, bars.traded())
  const newer = await reading
  // A block arrived between the two reads.
  if (newer === null || newer.atId !== older.atId) return null
  const rest = new StoredBars({ ...newer, ...bars.rest() }, resolution)
  return { at: markOf(newer), json: array(head, json(newer, rest.source, rest.all())) }
}

async function whole<Row extends SpanRow>(
  { resolution }: CandleRange,
  { begin, json }: CandleSource<Row>,
  read: (part: typeof WHOLE) => Promise<Row | null>,
): Promise<{ at: BlockMark; json: Buffer } | null> {
  const row = await read(WHOLE)
  const span = row && begin(row)
  if (row === null || span === null) return null
  const bars = new StoredBars(span, resolution)
  return { at: markOf(row), json: array(json(row, bars.source, bars.all())) }
}

/** Joins lists of items into one array. */
function array(...lists: Buffer[]): Buffer {
  const filled = lists.filter(({ length }) => length > 0)
  return Buffer.concat([
    Buffer.from('['),
    ...filled.flatMap((list, i) => (i === 0 ? [list] : [COMMA, list])),
    Buffer.from(']'),
  ])
}

const COMMA = Buffer.from(',')
