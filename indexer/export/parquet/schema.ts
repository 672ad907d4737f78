// Maps the columns of a view to Parquet. A numeric without a fixed precision becomes two columns: the nearest double
// under the column's name, and the exact text.
import type { ViewColumn } from '../view.ts'
import { BytesColumn } from './bytes.ts'
import type { ColumnWriter } from './column.ts'
import { DecimalColumn } from './decimal-column.ts'
import { BooleanColumn, DoubleColumn, Int32Column, Int64Column, TimestampColumn } from './fixed.ts'
import type { Write } from './thrift.ts'

/** Parquet's physical types. */
const BOOLEAN = 0
const INT32 = 1
const INT64 = 2
const DOUBLE = 5
const BYTE_ARRAY = 6
const FIXED = 7

/** A column of the file. */
export interface FileColumn {
  name: string
  /** Type shown to users and in the manifest: `DECIMAL(38,18)`. */
  type: string
  physical: number
  /** Bytes of a fixed-size value. */
  size?: number
  /** Writes further fields of the schema element. */
  logical?: Write
  open(): ColumnWriter
}

/** A column of the view: SQL of its value in COPY's binary format, and its columns in the file. */
export interface SourceColumn {
  expression: string
  targets: FileColumn[]
}

/** Maximum number of digits of a 16-byte decimal. */
const MAX_DIGITS = 38
/** Precision and scale by column name, for numerics without them in SQL. */
const KNOWN_DIGITS: readonly (readonly [name: RegExp, precision: number, scale: number])[] = [
  // 64-bit raw units with up to 18 decimals always fit; sums over pools, and rates, may not.
  [/^quantity(?!_(pooled|offered|per_day)$)/, MAX_DIGITS, 18],
  // Trades and locked values have eight decimals.
  [/^(usd|volume_usd|(swap|spot)_(volume|locked))$/, MAX_DIGITS, 8],
  // Raw units; square-root prices, which the contract bounds below 2^97; 64-bit rewards, times 10^18, per second.
  [/^(amount_.*|reserve_.*|sqrt_price_x64|reward_rate_e18)$/, MAX_DIGITS, 0],
]

export function sourceColumn(column: ViewColumn): SourceColumn {
  const { name, type } = column
  const value = `v."${name}"`
  const one = (target: Omit<FileColumn, 'name'>, expression = value): SourceColumn => ({
    expression,
    targets: [{ name, ...target }],
  })
  switch (type) {
    case 'bool':
      return one({ type: 'BOOLEAN', physical: BOOLEAN, open: () => new BooleanColumn() })
    case 'int2':
      return one({ type: 'INT16', physical: INT32, logical: integer(16), open: () => new Int32Column() })
    case 'int4':
      return one({ type: 'INT32', physical: INT32, open: () => new Int32Column() })
    case 'int8':
      return one({ type: 'INT64', physical: INT64, open: () => new Int64Column() })
    case 'timestamptz':
      return one({
        type: 'TIMESTAMP_MICROS_UTC',
        physical: INT64,
        logical: timestamp,
        open: () => new TimestampColumn(name),
      })
    case 'bytea':
      return one({ type: 'BYTE_ARRAY', physical: BYTE_ARRAY, open: () => new BytesColumn() })
    case 'numeric':
      return numeric(column)
    default: {
      const isJson = type.startsWith('_') || type === 'jsonb'
      if (isJson)
        return one(
          { type: 'JSON', physical: BYTE_ARRAY, logical: json, open: () => new BytesColumn() },
          `to_json(${value})::text`,
        )
      return one(textColumn)
    }
  }
}

function numeric(column: ViewColumn): SourceColumn {
  const { name } = column
  const value = `v."${name}"`
  const [precision, scale] = digitsOf(column)
  if (precision > MAX_DIGITS)
    return {
      expression: `trim_scale(${value})::text`,
      targets: [
        { name, type: 'DOUBLE', physical: DOUBLE, open: () => new DoubleColumn() },
        { name: `${name}_exact`, ...textColumn },
      ],
    }
  const type = `DECIMAL(${precision},${scale})`
  const logical = decimal(precision, scale)
  const open = () => new DecimalColumn(name, precision, scale)
  return { expression: value, targets: [{ name, type, physical: FIXED, size: 16, logical, open }] }
}

function digitsOf({ name, precision, scale }: ViewColumn): [precision: number, scale: number] {
  const known = KNOWN_DIGITS.find(([pattern]) => pattern.test(name))
  if (precision !== null && precision <= MAX_DIGITS) return [precision, scale ?? 0]
  return known ? [known[1], known[2]] : [Number.POSITIVE_INFINITY, 0]
}

// Fields of a schema element: 6 converted (older) type, 7 scale, 8 precision, 10 logical type.
const timestamp: Write = (out) => {
  out.int32(6, 10)
  out.child(10, (logical) =>
    logical.child(8, (time) => {
      time.bool(1, true)
      time.child(2, (unit) => unit.child(2, () => {}))
    }),
  )
}

const text: Write = (out) => {
  out.int32(6, 0)
  out.child(10, (logical) => logical.child(1, () => {}))
}

const json: Write = (out) => {
  out.int32(6, 19)
  out.child(10, (logical) => logical.child(12, () => {}))
}

const textColumn = { type: 'STRING', physical: BYTE_ARRAY, logical: text, open: () => new BytesColumn() }

function integer(bits: 16): Write {
  return (out) => {
    out.int32(6, 16)
    out.child(10, (logical) =>
      logical.child(10, (type) => {
        type.int8(1, bits)
        type.bool(2, true)
      }),
    )
  }
}

function decimal(precision: number, scale: number): Write {
  return (out) => {
    out.int32(6, 5)
    out.int32(7, scale)
    out.int32(8, precision)
    out.child(10, (logical) =>
      logical.child(5, (type) => {
        type.int32(1, scale)
        type.int32(2, precision)
      }),
    )
  }
}
