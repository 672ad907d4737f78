// Rows as Parquet: integers as they are, times in microseconds UTC, exact numbers as decimals of up to 38 digits or,
// where a column has no such bound, as text. Memory holds one row group.
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { UserError } from '../../core/errors.ts'
import { CopyRows } from './copy-text.ts'
import type { Sink } from './sink.ts'
import type { ViewColumn } from './view.ts'

const ROW_GROUP = 20_000
/** Most digits of a Parquet decimal of 16 bytes. */
const MAX_DIGITS = 38
const DECIMAL_BYTES = 16

export interface ParquetColumn {
  schema: SchemaElement
  /** SQL for the value. */
  expression: string
  /** Of the text that COPY gives. */
  parse(text: string): unknown
  /** Without a dictionary where values hardly repeat. */
  isPlain?: boolean
}

/** What a column becomes in the file. */
export function parquetColumn(column: ViewColumn): ParquetColumn {
  const { name, type } = column
  const value = `v."${name}"`
  const base = { name, repetition_type: 'OPTIONAL' as const }
  switch (type) {
    case 'bool':
      return { schema: { ...base, type: 'BOOLEAN' }, expression: value, parse: (text) => text === 't' }
    case 'int2':
    case 'int4':
      return { schema: { ...base, type: 'INT32' }, expression: value, parse: Number }
    case 'int8':
      return {
        schema: { ...base, type: 'INT64' },
        expression: value,
        parse: remembered(BigInt),
        isPlain: hardlyRepeats(name),
      }
    case 'timestamptz': {
      const schema: SchemaElement = { ...base, type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }
      return { schema, expression: `(extract(epoch from ${value}) * 1000000)::int8`, parse: remembered(BigInt) }
    }
    case 'bytea':
      return {
        schema: { ...base, type: 'BYTE_ARRAY' },
        expression: value,
        parse: (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
      }
    case 'numeric':
      return numericColumn(column)
    default: {
      const isJson = type.startsWith('_') || type === 'jsonb'
      const schema: SchemaElement = { ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
      return {
        schema,
        expression: isJson ? `to_json(${value})::text` : value,
        parse: (text) => text,
        isPlain: name === 'trx_id',
      }
    }
  }
}

/** Names a column's type in the file. */
export function parquetType(column: ViewColumn): string {
  const { type, converted_type, precision, scale } = parquetColumn(column).schema
  const logical = converted_type === 'DECIMAL' ? `DECIMAL(${precision},${scale})` : converted_type
  return [type, logical].filter(Boolean).join(' ')
}

function hardlyRepeats(name: string): boolean {
  return name === 'global_seq' || name.startsWith('amount') || name.startsWith('reserve')
}

/** Rows of a block follow one another: most often the text is the one before. */
function remembered<T>(parse: (text: string) => T): (text: string) => T {
  let lastText = ''
  let last: T
  return (text) => {
    if (text === lastText) return last
    last = parse(text)
    lastText = text
    return last
  }
}

/** Digits of numerics that have none in SQL, by what they are. */
const KNOWN_DIGITS: readonly (readonly [name: RegExp, precision: number, scale: number])[] = [
  // 64 bits of raw units with up to 18 decimals always fit.
  [/^quantity/, MAX_DIGITS, 18],
  // Trades, and what the exchange holds, are valued with eight decimals.
  [/^(usd|volume_usd|(swap|spot)_(volume|locked))$/, MAX_DIGITS, 8],
]
/** At most the contract's greatest price, which is below 2^97. */
const SQRT_PRICE = 'sqrt_price_x64'

function numericColumn(column: ViewColumn): ParquetColumn {
  const { name } = column
  const base = { name, repetition_type: 'OPTIONAL' as const }
  const [precision, scale] = digitsOf(column)
  if (precision > MAX_DIGITS) {
    const schema: SchemaElement = { ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
    return { schema, expression: `trim_scale(v."${name}")`, parse: (text) => text }
  }
  const physical = { type: 'FIXED_LEN_BYTE_ARRAY' as const, type_length: DECIMAL_BYTES }
  const schema: SchemaElement = { ...base, ...physical, converted_type: 'DECIMAL', precision, scale }
  return {
    schema,
    expression: `v."${name}"`,
    parse: remembered(decimals(name, precision, scale)),
    isPlain: true,
  }
}

function digitsOf({ name, precision, scale }: ViewColumn): [precision: number, scale: number] {
  if (name === SQRT_PRICE) return [MAX_DIGITS, 0]
  if (precision !== null) return [precision, scale ?? 0]
  const known = KNOWN_DIGITS.find(([pattern]) => pattern.test(name))
  return known ? [known[1], known[2]] : [Number.POSITIVE_INFINITY, 0]
}

/**
 * Reads decimals into 16 bytes, big-endian, two's complement.
 *
 * @returns a function that throws UserError EXPORT_INEXACT when a value has more digits than the column can hold
 */
function decimals(name: string, precision: number, scale: number): (text: string) => Uint8Array {
  const limit = 10n ** BigInt(precision)
  const zeros = '0'.repeat(scale)
  // Many values share a buffer: one each would keep the collector of garbage busy.
  let view = new DataView(new ArrayBuffer(0))
  let at = 0
  return (text) => {
    const point = text.indexOf('.')
    const whole = point < 0 ? text : text.slice(0, point)
    const part = point < 0 ? '' : text.slice(point + 1)
    if (text === 'NaN' || text.endsWith('Infinity') || (part.length > scale && /[^0]/.test(part.slice(scale))))
      throw inexact(name, text)
    const unscaled = BigInt(whole + part.slice(0, scale) + zeros.slice(Math.min(part.length, scale)))
    if (unscaled >= limit || unscaled <= -limit) throw inexact(name, text)
    if (at === view.byteLength) {
      view = new DataView(new ArrayBuffer(DECIMAL_BYTES * 1024))
      at = 0
    }
    view.setBigInt64(at, unscaled >> 64n)
    // Takes the lowest 64 bits.
    view.setBigUint64(at + 8, unscaled)
    at += DECIMAL_BYTES
    return new Uint8Array(view.buffer, at - DECIMAL_BYTES, DECIMAL_BYTES)
  }
}

function inexact(name: string, text: string): UserError {
  return new UserError('EXPORT_INEXACT', `${name} = ${text} does not fit into the decimal of its Parquet column`, {
    hint: 'export this view as CSV, which has all digits',
  })
}

/** The file has whole row groups and, at its end, what describes them. */
export class ParquetSink implements Sink {
  rows = 0
  private readonly columns: readonly ParquetColumn[]
  private readonly parquet: ParquetWriter
  private readonly input = new CopyRows()
  private data: unknown[][]

  constructor(columns: readonly ParquetColumn[], write: (bytes: Uint8Array) => void) {
    this.columns = columns
    this.data = columns.map(() => [])
    // Decimals are handed over as bytes: while rows are written, their columns are plain bytes to the library.
    const schema = schemaOf(
      columns.map(({ schema }) => (schema.converted_type === 'DECIMAL' ? undeclared(schema) : schema)),
    )
    this.parquet = new ParquetWriter({ writer: writerTo(write), schema, createdBy: 'headwater' })
  }

  add(chunk: Buffer): void {
    this.input.add(chunk, (fields) => {
      for (let i = 0; i < this.columns.length; i++) {
        const text = fields[i] ?? null
        ;(this.data[i] as unknown[]).push(text === null ? null : (this.columns[i] as ParquetColumn).parse(text))
      }
      if (++this.rows % ROW_GROUP === 0) this.writeGroup()
    })
  }

  end(): void {
    if (this.data[0]?.length) this.writeGroup()
    this.parquet.schema = schemaOf(this.columns.map(({ schema }) => schema))
    this.parquet.finish()
  }

  private writeGroup(): void {
    const columnData = this.columns.map(({ schema, isPlain }, i) => ({
      name: schema.name,
      data: this.data[i] as unknown[],
      ...(isPlain && { encoding: 'PLAIN' as const }),
      // The library's bounds of bytes are not those of signed numbers.
      ...(schema.converted_type === 'DECIMAL' && { statistics: false }),
    }))
    this.parquet.write({ columnData, rowGroupSize: ROW_GROUP })
    this.data = this.columns.map(() => [])
  }
}

function undeclared({ name, repetition_type, type, type_length }: SchemaElement): SchemaElement {
  return { name, repetition_type, type, type_length }
}

function schemaOf(columns: SchemaElement[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns]
}

/** Hands on what is gathered after each row group. */
function writerTo(write: (bytes: Uint8Array) => void): ByteWriter {
  const writer = new ByteWriter()
  const flush = () => {
    write(new Uint8Array(writer.buffer, 0, writer.index))
    writer.index = 0
  }
  return Object.assign(writer, { flush, finish: flush })
}
