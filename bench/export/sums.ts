// Sums of exported swaps, read back from the files.
import { open } from 'node:fs/promises'
import { decompress } from 'fzstd'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

export type Sums = Record<'rows' | 'a' | 'b' | 'usd' | 'prices', string>

class Adder {
  private rows = 0
  private a = 0n
  private b = 0n
  private usd = 0n
  private prices = 0n

  /** Amounts are raw units. The quantity has six decimals, the value eight. */
  add(a: bigint, b: bigint, usd: bigint, price: bigint): void {
    this.rows++
    this.a += a
    this.b += b
    this.usd += usd
    this.prices += price
  }

  sums(): Sums {
    const { rows, a, b, usd, prices } = this
    return { rows: `${rows}`, a: `${a}`, b: decimal(b, 6), usd: decimal(usd, 8), prices: `${prices}` }
  }
}

export async function sumsOfCsv(path: string): Promise<Sums> {
  const adder = new Adder()
  const file = await open(path)
  let column: (name: string) => number = () => 0
  for await (const line of file.readLines()) {
    const fields = line.split(',')
    if (fields[0] === 'chain') {
      column = (name) => fields.indexOf(name)
      continue
    }
    const field = (name: string) => fields[column(name)] as string
    const raw = (name: string) => BigInt(field(name).replace('.', ''))
    adder.add(raw('amount_a'), raw('quantity_b'), raw('usd'), raw('sqrt_price_x64'))
  }
  return adder.sums()
}

/** Reads decimals as bytes: a reader that converts them to doubles would lose digits. */
export async function sumsOfParquet(path: string): Promise<Sums> {
  const adder = new Adder()
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const scales = new Map(metadata.schema.map(({ name, scale }) => [name, scale ?? 0]))
  for (const element of metadata.schema) if (element.converted_type === 'DECIMAL') delete element.converted_type
  const columns = ['amount_a', 'quantity_b', 'usd', 'sqrt_price_x64']
  const compressors = { ZSTD: (input: Uint8Array) => decompress(input) }
  const step = 100_000
  for (let rowStart = 0; rowStart < Number(metadata.num_rows); rowStart += step) {
    const rowEnd = Math.min(rowStart + step, Number(metadata.num_rows))
    for (const row of await parquetReadObjects({
      file,
      metadata,
      columns,
      rowStart,
      rowEnd,
      utf8: false,
      compressors,
    })) {
      const whole = (name: string, digits: number) =>
        unscaled(row[name]) / 10n ** BigInt((scales.get(name) ?? 0) - digits)
      adder.add(row.amount_a, whole('quantity_b', 6), whole('usd', 8), whole('sqrt_price_x64', 0))
    }
  }
  return adder.sums()
}

function unscaled(bytes: Uint8Array): bigint {
  return BigInt.asIntN(128, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
}

function decimal(value: bigint, digits: number): string {
  const text = `${value < 0n ? -value : value}`.padStart(digits + 1, '0')
  return `${value < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
