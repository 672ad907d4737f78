// Current rows that a worker keeps for the valuation of its range. Staged current rows have only their last version, but
// prices follow the pools minute by minute. The process that takes over the range computes the values.
import { BugError } from '../../core/errors.ts'
import type { Catalog, Column } from '../store/catalog.ts'
import type { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { compileRowDecoder, type RowDecoder } from '../store/copy/row-decoder.ts'
import { compileRowEncoder, type RowEncoder } from '../store/copy/row-encoder.ts'
import { eachTuple } from '../store/copy/tuples.ts'
import type { StateRow } from '../store/rows.ts'

/** Tables of `state` on which prices and values depend: the columns of each key, and the other columns that the valuation reads. */
const JOURNALED = {
  pools: {
    key: ['poolId'],
    read: [
      ...['active', 'contractA', 'symbolA', 'decimalsA', 'reserveA', 'contractB', 'symbolB', 'decimalsB', 'reserveB'],
      ...['sqrtPriceX64', 'liquidity', 'fee'],
    ],
  },
  markets: { key: ['marketId'], read: ['baseContract', 'baseSymbol', 'targetContract', 'targetSymbol'] },
  orders: { key: ['marketId', 'side', 'orderId'], read: ['bidAmount'] },
} as const
export type Journaled = keyof typeof JOURNALED

export function isJournaled(name: string): name is Journaled {
  return name in JOURNALED
}

const PRESENT: Column = { name: 'present', property: 'present', type: 'bool', nullable: false }
const PLACE = new Set(['present'])

/** Writes and reads the journaled rows of a table. */
export class JournalCodec {
  private readonly table: Journaled
  private readonly fields: number
  private readonly encode: RowEncoder
  private readonly decode: RowDecoder

  /** @throws BugError UNKNOWN_TABLE */
  constructor(catalog: Catalog, name: Journaled) {
    const table = catalog.get(`state.${name}`)
    if (!table) throw new BugError('UNKNOWN_TABLE', `no table state.${name}`)
    const key = new Set<string>(JOURNALED[name].key)
    const wanted = new Set<string>([...key, ...JOURNALED[name].read])
    const columns = table.columns
      .filter(({ property }) => wanted.has(property))
      // A removed row may have only its key.
      .map((column) => ({ ...column, nullable: !key.has(column.property) }))
    this.table = name
    this.fields = columns.length + 1
    this.encode = compileRowEncoder(table, [...columns, PRESENT], PLACE)
    this.decode = compileRowDecoder([...columns, PRESENT])
  }

  write({ row, present }: StateRow, buffer: CopyBuffer): void {
    this.encode(row, { present }, buffer)
  }

  /** @param bytes  rows of `write` @param into  the rows are added to it */
  read(bytes: Buffer, into: StateRow[]): void {
    eachTuple(bytes, this.fields, (tuple) => {
      const row = this.decode(bytes, tuple)
      into.push({ table: this.table, row, present: row.present === true })
    })
  }
}

/** Versions of a table's rows, by key. */
interface Versions {
  present: Map<unknown, StateRow>
  removed: Map<unknown, StateRow>
}

/** Keeps the last version of each row in a minute. A removal is kept in addition to the last version before it. */
export class PriceJournal {
  private readonly versions = new Map<Journaled, Versions>()

  note(state: readonly StateRow[]): void {
    for (const row of state) {
      if (!isJournaled(row.table)) continue
      const { present, removed } = this.versions.get(row.table) ?? this.open(row.table)
      const { key } = JOURNALED[row.table]
      const values = row.row as Record<string, unknown>
      const id = key.length === 1 ? values[key[0]] : key.map((member) => values[member]).join(' ')
      if (!row.present) removed.set(id, row)
      else {
        present.set(id, row)
        if (removed.size > 0) removed.delete(id)
      }
    }
  }

  /** Takes the rows of the minute, by table. */
  *take(): Generator<[Journaled, StateRow[]]> {
    for (const [table, { present, removed }] of this.versions) {
      if (present.size + removed.size > 0) yield [table, [...present.values(), ...removed.values()]]
      present.clear()
      removed.clear()
    }
  }

  private open(table: Journaled): Versions {
    const versions = { present: new Map(), removed: new Map() }
    this.versions.set(table, versions)
    return versions
  }
}
