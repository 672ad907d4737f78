// Rows of a table as columns: each with the differences of its numbers, the places of transaction ids, or its bytes.
// Reads and writes rows in binary COPY format without the chain's name (`tuples.ts`).
import type { Reader } from '../../core/antelope/reader.ts'
import { itemAt } from '../../core/required.ts'
import { eachTuple } from '../../indexer/store/copy/tuples.ts'
import type { Section } from './section.ts'
import { checkEnds, otherLayout, readSigned, readStreams, Streams, writeSigned } from './streams.ts'

/** Streams of a column: which rows have no value, lengths, values. One stream before them has the number of rows. */
const OF_COLUMN = 3
const TRX_ID = 'trx_id'
/** Types that are written as the difference from the row before. */
const COUNTING = new Set(['int8', 'timestamptz'])
/** Lengths of the values of other types that always have the same one. */
const FIXED: Readonly<Record<string, number>> = { bool: 1, int2: 2, int4: 4, float8: 8, float4: 4 }

type Kind = 'id' | 'counting' | 'fixed' | 'any'

function kindOf(name: string, type: string): Kind {
  if (name === TRX_ID && type === 'bytea') return 'id'
  return COUNTING.has(type) ? 'counting' : type in FIXED ? 'fixed' : 'any'
}

function lengthOf(kind: Kind, type: string): number {
  return kind === 'id' ? 32 : kind === 'counting' ? 8 : (FIXED[type] ?? -1)
}

/** Ids of the transactions of a file, each once, in the order in which rows refer to them first. */
export class TransactionIds {
  /** Places by id (latin1). */
  readonly places = new Map<string, number>()

  placeOf(id: string): number {
    const known = this.places.get(id)
    if (known !== undefined) return known
    this.places.set(id, this.places.size)
    return this.places.size - 1
  }
}

/**
 * @param content  rows
 * @param ids      gets the ids of transactions
 * @throws TupleError; DecodeError PACK_LAYOUT for a value that is not of its type
 */
export function packRows({ columns }: Section, content: Buffer, ids: TransactionIds): Buffer {
  const streams = new Streams(1 + OF_COLUMN * columns.length)
  const kinds = columns.map(([name, type]) => kindOf(name, type))
  const last = columns.map(() => 0n)
  const lastPlace = columns.map(() => -1)
  let rows = 0
  eachTuple(content, columns.length, ({ at, length }) => {
    rows++
    for (let i = 0; i < columns.length; i++) {
      const [kind, size, start] = [kinds[i] as Kind, length[i] as number, at[i] as number]
      const stream = 1 + OF_COLUMN * i
      streams.at(stream).u8(size < 0 ? 1 : 0)
      if (size < 0) continue
      const values = streams.at(stream + 2)
      if (kind === 'any') streams.at(stream + 1).varuint32(size)
      else if (size !== lengthOf(kind, itemAt(columns, i)[1])) throw otherLayout(`a value has ${size} bytes`)
      if (kind === 'counting') {
        const value = content.readBigInt64BE(start)
        writeSigned(values, value - (last[i] as bigint))
        last[i] = value
      } else if (kind === 'id') {
        const place = ids.placeOf(content.toString('latin1', start, start + size))
        writeSigned(values, BigInt(place - (lastPlace[i] as number) - 1))
        lastPlace[i] = place
      } else values.bytes(content.subarray(start, start + size))
    }
  })
  streams.at(0).varuint32(rows)
  return streams.take()
}

/** A column that is read. */
interface Column {
  kind: Kind
  length: number
  nulls: Reader
  lengths: Reader
  values: Reader
  last: bigint
  place: number
}

/** @throws DecodeError */
export function unpackRows({ columns }: Section, content: Uint8Array, ids: readonly Uint8Array[]): Buffer {
  const streams = readStreams(content, 1 + OF_COLUMN * columns.length)
  const read = columns.map(([name, type], i): Column => {
    const kind = kindOf(name, type)
    const [nulls, lengths, values] = [1, 2, 3].map((place) => itemAt(streams, OF_COLUMN * i + place))
    if (!nulls || !lengths || !values) throw otherLayout('a column has no streams')
    return { kind, length: lengthOf(kind, type), nulls, lengths, values, last: 0n, place: -1 }
  })
  const out = new Rows(2 * content.length)
  for (let left = itemAt(streams, 0).varuint32(); left > 0; left--) {
    out.int16(columns.length)
    for (const column of read) {
      if (column.nulls.flag()) out.int32(-1)
      else value(out, column, ids)
    }
  }
  checkEnds(streams)
  return out.bytes
}

function value(out: Rows, column: Column, ids: readonly Uint8Array[]): void {
  const { kind, values } = column
  if (kind === 'counting') {
    column.last = BigInt.asIntN(64, column.last + readSigned(values))
    out.int8(column.last)
  } else if (kind === 'id') {
    column.place += 1 + Number(readSigned(values))
    const id = ids[column.place]
    if (!id) throw otherLayout('a row has a transaction that is not there')
    out.field(id)
  } else out.field(values.bytes(kind === 'fixed' ? column.length : column.lengths.varuint32()))
}

/** A growing buffer of rows. */
class Rows {
  #buffer: Buffer
  #at = 0

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(Math.max(size, 1024))
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at)
  }

  int16(value: number): void {
    this.#at = this.#need(2).writeInt16BE(value, this.#at)
  }

  int32(value: number): void {
    this.#at = this.#need(4).writeInt32BE(value, this.#at)
  }

  int8(value: bigint): void {
    this.int32(8)
    this.#at = this.#need(8).writeBigInt64BE(value, this.#at)
  }

  field(bytes: Uint8Array): void {
    this.int32(bytes.length)
    this.#need(bytes.length).set(bytes, this.#at)
    this.#at += bytes.length
  }

  #need(size: number): Buffer {
    if (this.#at + size > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(2 * this.#buffer.length + size)
      this.#buffer.copy(larger, 0, 0, this.#at)
      this.#buffer = larger
    }
    return this.#buffer
  }
}
