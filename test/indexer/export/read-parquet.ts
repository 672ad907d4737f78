// Reads a Parquet file without the reader's conversions, which would turn decimals into doubles.
import { decompress } from 'fzstd'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

/** Values as text in the form of SQL: decimals without trailing zeros, times in microseconds, bytes in hexadecimal. */
export async function readParquet(path: string): Promise<Record<string, string | null>[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const kinds = new Map(metadata.schema.map((element) => [element.name, { ...element }]))
  for (const element of metadata.schema) {
    delete element.converted_type
    delete element.logical_type
  }
  const rows = await parquetReadObjects({
    file,
    metadata,
    utf8: false,
    // Without the room of a page, it moves a window of 2 MB for each.
    compressors: { ZSTD: (input, length) => decompress(input, new Uint8Array(length)) },
  })
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        if (value === null || value === undefined) return [name, null]
        const { converted_type, scale = 0 } = kinds.get(name) ?? {}
        if (converted_type === 'DECIMAL') return [name, decimal(value as Uint8Array, scale)]
        if (!(value instanceof Uint8Array)) return [name, String(value)]
        return [
          name,
          Buffer.from(value).toString(converted_type === 'UTF8' || converted_type === 'JSON' ? 'utf8' : 'hex'),
        ]
      }),
    ),
  )
}

function decimal(bytes: Uint8Array, scale: number): string {
  const value = BigInt.asIntN(128, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
  const digits = `${value < 0n ? -value : value}`.padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '')
  return value < 0n ? `-${text}` : text
}
