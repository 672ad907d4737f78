// Rows as Parquet: integers as they are, times in microseconds UTC, exact numbers as decimals of up to 38 digits or,
// where a column has no such bound, as text. Memory holds one row group.
import { closeSync, openSync, writeSync } from 'node:fs'
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, parquetWriteRows } from 'hyparquet-writer'
import type { ViewColumn } from './view.ts'

const ROW_GROUP = 20_000
/** Most digits of a Parquet decimal of 16 bytes. */
const MAX_DIGITS = 38
const DECIMAL_BYTES = 16
/** Token amounts: 64 bits of raw units with up to 18 decimals always fit. */
const QUANTITY = { precision: MAX_DIGITS, scale: 18 }

interface ParquetColumn {
  schema: SchemaElement
  /** SQL for the value as text, or null. */
  expression: string
  parse(text: string): unknown
}

/** What a column becomes in the file. */
export function parquetColumn(column: ViewColumn): ParquetColumn {
  const { name, type } = column
  const value = `v."${name}"`
  const base = { name, repetition_type: 'OPTIONAL' as const }
  switch (type) {
    case 'bool':
      return { schema: { ...base, type: 'BOOLEAN' }, expression: `${value}::text`, parse: (text) => text === 'true' }
    case 'int2':
    case 'int4':
      return { schema: { ...base, type: 'INT32' }, expression: `${value}::text`, parse: Number }
    case 'int8':
      return { schema: { ...base, type: 'INT64' }, expression: `${value}::text`, parse: BigInt }
    case 'timestamptz': {
      const schema: SchemaElement = { ...base, type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }
      return { schema, expression: `(extract(epoch from ${value}) * 1000000)::int8::text`, parse: BigInt }
    }
    case 'bytea':
      return {
        schema: { ...base, type: 'BYTE_ARRAY' },
        expression: `encode(${value}, 'hex')`,
        parse: (text) => new Uint8Array(Buffer.from(text, 'hex')),
      }
    case 'numeric':
      return numericColumn(column)
    default: {
      const text = type.startsWith('_') || type === 'jsonb' ? `to_json(${value})::text` : `${value}::text`
      return {
        schema: { ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8' },
        expression: text,
        parse: (found) => found,
      }
    }
  }
}

function numericColumn({ name, precision, scale }: ViewColumn): ParquetColumn {
  const base = { name, repetition_type: 'OPTIONAL' as const }
  const isQuantity = precision === null && name.startsWith('quantity')
  const digits = isQuantity ? QUANTITY : { precision: precision ?? Number.POSITIVE_INFINITY, scale: scale ?? 0 }
  if (digits.precision > MAX_DIGITS) {
    const schema: SchemaElement = { ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
    return { schema, expression: `trim_scale(v."${name}")::text`, parse: (text) => text }
  }
  const schema: SchemaElement = {
    ...base,
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: DECIMAL_BYTES,
    converted_type: 'DECIMAL',
    ...digits,
  }
  // The unscaled value: a whole number, exact.
  const expression = `trunc(v."${name}" * ('1e' || ${digits.scale})::numeric)::text`
  return { schema, expression, parse: BigInt }
}

/** Writes a whole file. */
export async function writeParquet(
  path: string,
  columns: ParquetColumn[],
  rows: AsyncIterable<(string | null)[]>,
): Promise<void> {
  const file = openSync(path, 'w')
  try {
    await parquetWriteRows({
      writer: writerTo(file),
      rows: objects(columns, rows),
      columns: columns.map(({ schema }) => ({ name: schema.name })),
      schema: [{ name: 'root', num_children: columns.length }, ...columns.map(({ schema }) => schema)],
      rowGroupSize: ROW_GROUP,
      createdBy: 'headwater',
    })
  } finally {
    closeSync(file)
  }
}

async function* objects(
  columns: ParquetColumn[],
  rows: AsyncIterable<(string | null)[]>,
): AsyncGenerator<Record<string, unknown>> {
  for await (const row of rows) {
    const members = columns.map(({ schema, parse }, index) => {
      const text = row[index] ?? null
      return [schema.name, text === null ? null : parse(text)]
    })
    yield Object.fromEntries(members)
  }
}

/** Writes what is gathered after each row group. */
function writerTo(file: number): ByteWriter {
  const writer = new ByteWriter()
  const flush = () => {
    writeSync(file, new Uint8Array(writer.buffer, 0, writer.index))
    writer.index = 0
  }
  return Object.assign(writer, { flush, finish: flush })
}
