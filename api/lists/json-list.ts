// A sorted list of JSON as the bytes of one array. What has changed is put in its place, and only the pieces of the array
// around it are joined anew: to walk a list of thousands for every block is what takes the time, and to hold a copy of
// megabytes for every block what makes the collector run.

/** Where a row stands: compared member by member, ascending. Members of the same place have the same type. */
export type Rank = readonly (number | bigint | string)[]

interface Row {
  rank: Rank
  json: Buffer
}

/** Rows of a piece. */
const PIECE = 64
const [OPENING, COMMA, CLOSING] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')]

export class JsonList<Id> {
  private readonly byId = new Map<Id, Row>()
  /** By rank. */
  private readonly rows: Row[] = []
  /** Rows with what stands before each of them, as many as make a piece; null where one is another than before. */
  private readonly joined: (Buffer | null)[] = []

  ids(): Iterable<Id> {
    return this.byId.keys()
  }

  /** Puts a row where it belongs, in the stead of the one of the same id. Ranks of two rows must differ. */
  put(id: Id, rank: Rank, json: Buffer): void {
    const known = this.byId.get(id)
    const row = { rank, json }
    this.byId.set(id, row)
    if (known === undefined) {
      const place = this.placeOf(rank)
      this.rows.splice(place, 0, row)
      this.spoil(place, this.rows.length)
      return
    }
    const before = this.placeOf(known.rank)
    this.rows.splice(before, 1)
    const after = this.placeOf(rank)
    this.rows.splice(after, 0, row)
    this.spoil(Math.min(before, after), Math.max(before, after) + 1)
  }

  remove(id: Id): void {
    const row = this.byId.get(id)
    if (row === undefined) return
    this.byId.delete(id)
    const place = this.placeOf(row.rank)
    this.rows.splice(place, 1)
    this.spoil(place, this.rows.length + 1)
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

  /** Forgets the pieces of the rows from one place up to another. */
  private spoil(from: number, to: number): void {
    for (let piece = Math.floor(from / PIECE); piece * PIECE < to; piece++) this.joined[piece] = null
  }

  /** The first place whose row does not stand before a rank. */
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
