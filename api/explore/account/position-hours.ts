// Positions of an account at the end of each hour: their liquidity from the positions of now and the changes since, and
// the tokens that closing them would have paid. Pure, exact.
import { amountA, amountB } from '../../../core/amm/amounts.ts'
import type { Amounts } from '../../../core/amm/liquidity.ts'
import type { SqrtPrice } from '../../../core/amm/q64.ts'
import { sqrtPriceAtTick } from '../../../core/amm/ticks.ts'

interface Range {
  pool: number
  id: string
  lower: number
  upper: number
}

/** Rows of the statement; hours are Unix seconds, wide numbers decimal texts. */
export interface PositionRows {
  /** Positions with liquidity now. */
  positions: (Range & { liquidity: string })[]
  /** By hour. `hour`: null after the last of the page. */
  moves: (Range & { hour: number | null; change: string })[]
  /** Time of the oldest change read, when there may be older ones in the page; else null. */
  movesFrom: number | null
  /** Pools that exist now. */
  pools: { pool: number; tokenA: string; decimalsA: number; tokenB: string; decimalsB: number }[]
  /** Square-root prices as swaps of an hour left them, by hour. */
  poolPrices: { pool: number; hour: number; price: string }[]
}

/** A position with liquidity. */
export interface Held {
  pool: PositionRows['pools'][number]
  amounts: Amounts
}

/** Limit of positions that are valued in an hour. It bounds the cost of a request. */
export const MAX_POSITIONS = 1000
/** Limit of changes of liquidity that a request reads, the newest first. It bounds the cost of a request. */
export const MAX_MOVES = 50_000

interface Open {
  pool: number
  lower: number
  upper: number
  liquidity: bigint
}

/** Goes through the hours of a page, oldest first. */
export class PositionHours {
  readonly #rows: PositionRows
  readonly #open = new Map<string, Open>()
  readonly #pools: ReadonlyMap<number, PositionRows['pools'][number]>
  readonly #prices = new Map<number, SqrtPrice>()
  readonly #ticks = new Map<number, SqrtPrice>()
  #nextMove = 0
  #nextPrice = 0

  constructor(rows: PositionRows) {
    this.#rows = rows
    this.#pools = new Map(rows.pools.map((pool) => [pool.pool, pool]))
    for (const position of rows.positions) this.#change(position, BigInt(position.liquidity))
    for (const move of rows.moves) this.#change(move, -BigInt(move.change))
  }

  /**
   * The positions at the end of an hour that follows those asked for before. A position of unknown value is null.
   *
   * @returns null when the positions of that hour are not known
   */
  at(hour: number): (Held | null)[] | null {
    const { moves, poolPrices, movesFrom, positions } = this.#rows
    for (let one = moves[this.#nextMove]; isUpTo(one, hour); one = moves[++this.#nextMove])
      this.#change(one, BigInt(one.change))
    for (let one = poolPrices[this.#nextPrice]; isUpTo(one, hour); one = poolPrices[++this.#nextPrice])
      this.#prices.set(one.pool, BigInt(one.price))
    if (movesFrom !== null && hour + 3600 <= movesFrom) return null
    if (positions.length > MAX_POSITIONS || this.#open.size > MAX_POSITIONS) return null
    const open = [...this.#open.values()]
    // An action that could not be decoded is missing.
    if (open.some(({ liquidity }) => liquidity < 0n)) return null
    return open.map((position) => this.#held(position))
  }

  #held({ pool: id, liquidity, ...range }: Open): Held | null {
    const [pool, price] = [this.#pools.get(id), this.#prices.get(id)]
    if (pool === undefined || price === undefined) return null
    const [lower, upper] = [this.#priceAt(range.lower), this.#priceAt(range.upper)]
    const now = price < lower ? lower : price > upper ? upper : price
    return {
      pool,
      amounts: { a: amountA(liquidity, now, upper, 'down'), b: amountB(liquidity, lower, now, 'down') },
    }
  }

  #change({ pool, id, lower, upper }: Range, change: bigint): void {
    const key = `${pool} ${id}`
    const known = this.#open.get(key)
    const liquidity = (known?.liquidity ?? 0n) + change
    if (liquidity === 0n) this.#open.delete(key)
    else if (known !== undefined) known.liquidity = liquidity
    else this.#open.set(key, { pool, lower, upper, liquidity })
  }

  #priceAt(tick: number): SqrtPrice {
    const known = this.#ticks.get(tick)
    if (known !== undefined) return known
    const price = sqrtPriceAtTick(tick)
    this.#ticks.set(tick, price)
    return price
  }
}

function isUpTo<Row extends { hour: number | null }>(row: Row | undefined, hour: number): row is Row {
  return row !== undefined && row.hour !== null && row.hour <= hour
}
