// A sorted list of JSON items as the bytes of one array. A changed item is put in its place, and only the pieces of the
// array around it are joined again. Walking a list of thousands for every block would take time, and copying megabytes
// for every block would trigger the garbage collector.

/** Sort key of a row: compared member by member, ascending. Members at the same position have the same type. */
export type Rank = readonly (number | bigint | string)[]

interface Row {
  rank: Rank
  json: Buffer
}

/** Rows in a piece. */
const PIECE = 64
const [OPENING, COMMA, CLOSING] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')]

export class JsonList<Id> {
  private readonly byId = new Map<Id, Row>()
  /** Sorted by rank. */
  private readonly rows: Row[] = []
  /** Pieces: `PIECE` rows joined with their leading separators; null where a row has changed. */
  private readonly joined: (Buffer | null)[] = []

  ids(): Iterable<Id> {
    return this.byId.keys()
  }

  /** Inserts a row at its rank, replacing the row with the same id. No two rows may have equal ranks. */
  put(id: Id, rank: Rank, json: Buffer): void {
    const known = this.byId.get(id)
    const row = { rank, json }
    this.byId.set(id, row)
    if (known === undefined) {
      const place = this.placeOf(rank)
      this.rows.splice(place, 0, row)
      this.invalidate(place, this.rows.length)
      return
    }
    const before = this.placeOf(known.rank)
    this.rows.splice(before, 1)
    const after = this.placeOf(rank)
    this.rows.splice(after, 0, row)
    this.invalidate(Math.min(before, after), Math.max(before, after) + 1)
  }

  remove(id: Id): void {
    const row = this.byId.get(id)
    if (row === undefined) return
    this.byId.delete(id)
    const place = this.placeOf(row.rank)
    this.rows.splice(place, 1)
    this.invalidate(place, this.rows.length + 1)
  }

  /** The JSON array of all rows, in pieces that are never changed. */
  pieces(): Buffer[] {
    const count = Math.ceil(this.rows.length / PIECE)
    if (count === 0) return [OPENING, CLOSING]
    const pieces = Array.from({ length: count }, (_, piece) => (this.joined[piece] ??= this.join(piece)))
    return [...pieces, CLOSING]
  }

  private join(piece: number): Buffer {
    const rows = this.rows.slice(piece * PIECE, (piece + 1) * PIECE)
    return Buffer.concat(rows.flatMap(({ json }, i) => [piece + i === 0 ? OPENING : COMMA, json]))
  }

  /** Drops the pieces of the rows in the range [from, to). */
  private invalidate(from: number, to: number): void {
    for (let piece = Math.floor(from / PIECE); piece * PIECE < to; piece++) this.joined[piece] = null
  }

  /** Index of the first row that does not sort before a rank. */
  private placeOf(rank: Rank): number {
    let [low, high] = [0, this.rows.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare((this.rows[middle] as Row).rank, rank) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

function compare(x: Rank, y: Rank): number {
  for (let i = 0; i < x.length; i++) {
    const [one, other] = [x[i] as number, y[i] as number]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}
