// Reads what a worker has collected by minute (minute-rows.ts), some minutes at a time.
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Catalog } from '../store/catalog.ts'
import { COPY_STREAM, eachTuple, type Tuple } from '../store/copy/tuples.ts'
import type { StateRow } from '../store/rows.ts'
import { isJournaled, JournalCodec, type Journaled } from './price-journal.ts'
import { minutesName, stagedPieces, type ValuedTable } from './sql.ts'
import { tablesOf } from './staging.ts'

/** The rows of a minute. */
export interface StagedMinute {
  /** Of the price journal. */
  state: StateRow[]
  /** Rows of a table as bytes of binary COPY, in the order of the chain. */
  trades: { table: ValuedTable; bytes: Buffer }[]
}

const PIECE_FIELDS = 3

export class StagedMinutes {
  private readonly client: pg.Client
  private readonly catalog: Catalog
  private readonly setId: string
  private readonly isThere: boolean
  private readonly codecs = new Map<Journaled, JournalCodec>()

  private constructor(client: pg.Client, catalog: Catalog, setId: string, isThere: boolean) {
    this.client = client
    this.catalog = catalog
    this.setId = setId
    this.isThere = isThere
  }

  static async open(client: pg.Client, catalog: Catalog, setId: string): Promise<StagedMinutes> {
    return new StagedMinutes(client, catalog, setId, (await tablesOf(client, setId)).has(minutesName(setId)))
  }

  /**
   * @param from  first minute, Unix milliseconds
   * @param to    last minute
   * @returns minutes that have rows
   */
  async read(from: number, to: number): Promise<Map<number, StagedMinute>> {
    const minutes = new Map<number, StagedMinute>()
    if (!this.isThere) return minutes
    const chunks: Buffer[] = []
    for await (const chunk of this.client.query(copyTo(stagedPieces(this.setId, from, to)))) chunks.push(chunk)
    // Between the stream's head and its end, a field count of -1.
    const bytes = Buffer.concat(chunks).subarray(COPY_STREAM.head.length, -COPY_STREAM.end.length)
    const field = ({ at, length }: Tuple, index: number) => {
      const start = at[index] as number
      return bytes.subarray(start, start + (length[index] as number))
    }
    eachTuple(bytes, PIECE_FIELDS, (piece) => {
      const minute = Number(field(piece, 0).readBigInt64BE())
      const found = minutes.get(minute) ?? { state: [], trades: [] }
      minutes.set(minute, found)
      this.add(found, field(piece, 1).toString(), field(piece, 2))
    })
    return minutes
  }

  private add({ state, trades }: StagedMinute, source: string, bytes: Buffer): void {
    if (!isJournaled(source)) {
      trades.push({ table: source as ValuedTable, bytes })
      return
    }
    const codec = this.codecs.get(source) ?? new JournalCodec(this.catalog, source)
    this.codecs.set(source, codec)
    codec.read(bytes, state)
  }
}
