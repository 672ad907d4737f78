// Generated swaps in the binary format of COPY, with the columns of final.swaps and the values that the view computes.
// Pools are as popular as Zipf's law says; three years end on a fixed day. A day's rows depend only on the day and on the
// number of swaps. Both tokens have 8 decimals, A is worth one USD, and each transaction has one swap.
import type { ViewColumn } from '../../indexer/export/view.ts'
import { column, RowWriter } from './rows.ts'

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
  column('pool_fee', 'int4'),
  column('amount_fee', 'int8'),
  column('quantity_fee', 'numeric'),
  column('usd_fee', 'numeric'),
  column('path', 'int2'),
]

export const DAYS = 1096
const DAY_MS = 86_400_000
export const POOLS = 6300
/** The day after the last one, in ms. */
const END_MS = Date.UTC(2026, 2, 10)
/** Block that begins at `END_MS`. */
const END_BLOCK = 400_000_000
const BLOCK_MS = 500
const ACCOUNTS = 200_000
/** Fees of pools, in millionths. */
const POOL_FEES = [500, 3000, 10_000]
const MILLION = 1e6
/** Lowest square-root price, Q64.64 over 10,000: about one B per A. */
const LOWEST_PRICE = 1_844_674_407_370_955
/** Between the lowest prices of two pools: the last one has twice the square-root price of the first. */
const PRICE_STEP = 292_805_461_487
const FIRST_SEED = 2_463_534_242
const SCALE = 10n ** 28n
const HALF = 1n << 127n
const HEX = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'))

/** A repeatable sequence of random numbers (xorshift). */
class Sequence {
  #state: number

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, FIRST_SEED) >>> 0 || 1
    // Seeds that are near each other begin alike.
    for (let i = 0; i < 20; i++) this.next()
  }

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

/** Sums of a day by pool. Amounts and USD are in 10^-8. */
export interface PoolDays {
  swaps: Float64Array
  volumeA: Float64Array
  volumeB: Float64Array
}

export class SwapGenerator {
  /** Of the day that was generated last. */
  readonly totals: PoolDays = {
    swaps: new Float64Array(POOLS),
    volumeA: new Float64Array(POOLS),
    volumeB: new Float64Array(POOLS),
  }
  readonly #out: RowWriter
  readonly #perDay: number
  /** Share of the swaps that are in this pool or a more popular one. */
  readonly #popularity = new Float64Array(POOLS)

  /** @param options  see RowWriter */
  constructor(rows: number, options: { isForFile: boolean }) {
    this.#out = new RowWriter(options)
    this.#perDay = Math.ceil(rows / DAYS)
    let sum = 0
    for (let pool = 0; pool < POOLS; pool++) this.#popularity[pool] = sum += 1 / (pool + 1)
    for (let pool = 0; pool < POOLS; pool++) this.#popularity[pool] = (this.#popularity[pool] as number) / sum
  }

  /** Rows of a day, in the order of the chain, in chunks of COPY. @param day  from 0 on */
  *day(day: number): Generator<Buffer> {
    const out = this.#out
    const random = new Sequence(day)
    const start = startOf(day)
    for (const sums of Object.values(this.totals)) sums.fill(0)
    out.header()
    for (let i = 0; i < this.#perDay; i++) {
      const time = start + Math.floor((i * DAY_MS) / this.#perDay / BLOCK_MS) * BLOCK_MS
      this.#row(random, time, day * this.#perDay + i)
      if (out.isFull) yield out.take()
    }
    out.end()
    yield out.take()
  }

  #row(random: Sequence, time: number, sequence: number): void {
    const out = this.#out
    const pool = this.#pool(random.share())
    const a = 10_000 + (random.next() % 2_000_000_000)
    const b = 10_000 + (random.next() % 500_000_000)
    const sign = random.next() % 2 === 0 ? 1 : -1
    const account = `trader${Math.floor(ACCOUNTS * random.share() ** 3)}.wam`
    out.row(SWAP_COLUMNS.length)
    out.int8(blockAt(time))
    out.time(time)
    out.int8(10_000_000_000 + sequence * 7)
    out.text(trxId(random, sequence))
    out.int8(pool)
    out.text(account)
    out.text(account)
    out.int8(sign * a)
    out.int8(-sign * b)
    out.numeric(sign * a, 2)
    out.numeric(-sign * b, 2)
    const sqrtPrice = LOWEST_PRICE + pool * PRICE_STEP + (random.next() % 1_000_000) * 1000
    out.numeric(sqrtPrice, -1)
    out.unbounded(priceDigits(sqrtPrice), PRICE_PLACES)
    out.numeric(10_000_000_000_000 + pool * 1_000_003, 0)
    out.int4(Math.floor((2 * Math.log((sqrtPrice * 10_000) / 2 ** 64)) / Math.log(1.0001)))
    out.int8(900_000_000_000 + a)
    out.int8(500_000_000_000 + b)
    out.numeric(a, 2)
    this.#fee(pool, sign > 0 ? a : b, a)
    out.int2(0)
    const { swaps, volumeA, volumeB } = this.totals
    swaps[pool] = (swaps[pool] as number) + 1
    volumeA[pool] = (volumeA[pool] as number) + a
    volumeB[pool] = (volumeB[pool] as number) + b
  }

  /** @param entered  amount that entered the pool; @param usd  in 10^-8 */
  #fee(pool: number, entered: number, usd: number): void {
    const out = this.#out
    const fee = POOL_FEES[pool % POOL_FEES.length] as number
    const amount = Math.ceil((entered * fee) / MILLION)
    out.int4(fee)
    out.int8(amount)
    out.numeric(amount, 2)
    // 10^-8 USD times millionths are 10^-14.
    out.unbounded(String(usd * fee * 100), 4)
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
}

/** Places of 10,000 of prices. */
const PRICE_PLACES = 7

/**
 * Digits of the price in 10^-28, rounded as meta.pool_price does: PostgreSQL divides large integers to an integer, and
 * the function scales the quotient by 10^-28.
 *
 * @param sqrtPrice  Q64.64 over 10,000
 */
function priceDigits(sqrtPrice: number): string {
  const root = BigInt(sqrtPrice) * 10_000n
  return String((root * root * SCALE + HALF) >> 128n)
}

/** @returns ms */
export function startOf(day: number): number {
  return END_MS - (DAYS - day) * DAY_MS
}

/** @returns `2026-03-09` */
export function dateOf(day: number): string {
  return new Date(startOf(day)).toISOString().slice(0, 10)
}

/** @param time  ms */
function blockAt(time: number): number {
  return Math.floor((time - END_MS) / BLOCK_MS) + END_BLOCK
}

function trxId(random: Sequence, sequence: number): string {
  let id = ''
  for (let i = 0; i < 8; i++) {
    const part = (random.next() ^ sequence) >>> 0
    id += (HEX[part >>> 16] as string) + (HEX[part & 0xffff] as string)
  }
  return id
}
