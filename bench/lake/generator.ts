// Generated swaps in the binary format of COPY, with the columns of final.swaps. Pools are as popular as Zipf's law says;
// three years end on a fixed day.
import type { ViewColumn } from '../../indexer/export/view.ts'

/** Columns of final.swaps, without the chain. */
export const SWAP_COLUMNS: readonly ViewColumn[] = [
  column('block_num', 'int8'),
  column('block_time', 'timestamptz'),
  column('global_seq', 'int8'),
  column('trx_id', 'text'),
  column('pool_id', 'int8'),
  column('sender', 'text'),
  column('recipient', 'text'),
  column('amount_a', 'int8'),
  column('amount_b', 'int8'),
  column('quantity_a', 'numeric'),
  column('quantity_b', 'numeric'),
  column('sqrt_price_x64', 'numeric', 39),
  column('price', 'numeric'),
  column('liquidity', 'numeric', 20),
  column('tick', 'int4'),
  column('reserve_a', 'int8'),
  column('reserve_b', 'int8'),
  column('usd', 'numeric'),
]

export const DAYS = 1096
/** The day after the last one, in ms. */
export const END_MS = Date.UTC(2026, 2, 10)
const POOLS = 6300
const ACCOUNTS = 200_000
const DAY_MS = 86_400_000
/** PostgreSQL counts from here, in microseconds. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const CHUNK_BYTES = 2 ** 20
const MAX_ROW_BYTES = 1024

function column(name: string, type: string, precision: number | null = null): ViewColumn {
  return { name, type, precision, scale: precision === null ? null : 0 }
}

/** A repeatable sequence of random numbers (xorshift). */
class Sequence {
  #state = 2_463_534_242

  /** An integer from 0 to before 2^32. */
  next(): number {
    let x = this.#state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x >>> 0
    return this.#state
  }

  /** From 0 to before 1. */
  share(): number {
    return this.next() / 4_294_967_296
  }
}

/** Writes rows of COPY. */
class RowWriter {
  readonly bytes = Buffer.allocUnsafe(CHUNK_BYTES + MAX_ROW_BYTES)
  used = 0

  begin(): void {
    this.used = this.bytes.writeInt16BE(SWAP_COLUMNS.length, this.used)
  }

  int8(value: number): void {
    this.used = this.bytes.writeInt32BE(8, this.used)
    const high = Math.floor(value / 4_294_967_296)
    this.used = this.bytes.writeInt32BE(high, this.used)
    this.used = this.bytes.writeUInt32BE(value - high * 4_294_967_296, this.used)
  }

  int4(value: number): void {
    this.used = this.bytes.writeInt32BE(4, this.used)
    this.used = this.bytes.writeInt32BE(value, this.used)
  }

  text(value: string): void {
    this.used = this.bytes.writeInt32BE(value.length, this.used)
    this.used += this.bytes.write(value, this.used, 'latin1')
  }

  /** The integer `value` over 10,000^`places`: a numeric of base 10,000. */
  numeric(value: number, places: number): void {
    const digits: number[] = []
    for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / 10_000)) digits.unshift(rest % 10_000)
    const weight = digits.length - places - 1
    this.used = this.bytes.writeInt32BE(8 + 2 * digits.length, this.used)
    this.used = this.bytes.writeInt16BE(digits.length, this.used)
    this.used = this.bytes.writeInt16BE(digits.length === 0 ? 0 : weight, this.used)
    this.used = this.bytes.writeUInt16BE(value < 0 ? 0x4000 : 0, this.used)
    this.used = this.bytes.writeUInt16BE(4 * Math.max(0, places), this.used)
    for (const digit of digits) this.used = this.bytes.writeUInt16BE(digit, this.used)
  }
}

export class SwapGenerator {
  readonly #random = new Sequence()
  readonly #perDay: number
  /** Share of the swaps that are in this pool or a more popular one. */
  readonly #popularity = new Float64Array(POOLS)
  #sequence = 0

  constructor(rows: number) {
    this.#perDay = Math.ceil(rows / DAYS)
    let sum = 0
    for (let pool = 0; pool < POOLS; pool++) this.#popularity[pool] = sum += 1 / (pool + 1)
    for (let pool = 0; pool < POOLS; pool++) this.#popularity[pool] = (this.#popularity[pool] as number) / sum
  }

  /** Rows of a day, in the order of the chain, in chunks of COPY. @param day  from 0 on */
  *day(day: number): Generator<Buffer> {
    const out = new RowWriter()
    const start = END_MS - (DAYS - day) * DAY_MS
    out.used = HEADER.copy(out.bytes)
    for (let i = 0; i < this.#perDay; i++) {
      this.#row(out, start + Math.floor((i * DAY_MS) / this.#perDay / 500) * 500)
      if (out.used < CHUNK_BYTES) continue
      yield Buffer.from(out.bytes.subarray(0, out.used))
      out.used = 0
    }
    out.used = out.bytes.writeInt16BE(-1, out.used)
    yield Buffer.from(out.bytes.subarray(0, out.used))
  }

  #row(out: RowWriter, time: number): void {
    const random = this.#random
    const pool = this.#pool(random.share())
    const sequence = this.#sequence++
    const a = 10_000 + (random.next() % 2_000_000_000)
    const b = 10_000 + (random.next() % 500_000_000)
    const sign = random.next() % 2 === 0 ? 1 : -1
    const account = `trader${Math.floor(ACCOUNTS * random.share() ** 3)}.wam`
    out.begin()
    out.int8(Math.floor((time - END_MS) / 500) + 400_000_000)
    out.int8((time - EPOCH_MS) * 1000)
    out.int8(10_000_000_000 + sequence * 7)
    out.text(this.#trxId(sequence))
    out.int8(pool)
    out.text(account)
    out.text(account)
    out.int8(sign * a)
    out.int8(-sign * b)
    out.numeric(sign * a, 2)
    out.numeric(-sign * b, 2)
    out.numeric(1_844_674_407_370_955 + (random.next() % 1_000_000) * 1000 + pool, -1)
    out.numeric(100_000 + pool * 37 + (random.next() % 5000), 2)
    out.numeric(10_000_000_000_000 + pool * 1_000_003, 0)
    out.int4((pool % 2000) - 1000 + (random.next() % 50))
    out.int8(900_000_000_000 + a)
    out.int8(500_000_000_000 + b)
    out.numeric(a, 2)
  }

  #pool(share: number): number {
    let [low, high] = [0, POOLS - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#popularity[middle] as number) <= share) low = middle + 1
      else high = middle
    }
    return low
  }

  #trxId(sequence: number): string {
    let id = ''
    for (let i = 0; i < 8; i++)
      id += (this.#random.next() ^ sequence).toString(16).replace('-', '').padStart(8, '0').slice(0, 8)
    return id
  }
}
