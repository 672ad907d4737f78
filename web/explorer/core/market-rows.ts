// Rows of the table of markets: pools and order books in one form, sorted and filtered. Pure.

export interface RowToken {
  id: string
  symbol: string
  contract: string
}

export interface MarketRow {
  chain: string
  kind: 'pool' | 'market'
  id: number
  base: RowToken
  quote: RowToken
  /** Quote per one base; null before the first trade. */
  price: number | null
  /** Percent in 24 hours; null before the first trade. */
  change: number | null
  /** USD in 24 hours; null when there were trades and the value of none is known. */
  volume: number | null
  /** USD: value of a pool, orders within the depth of an order book. */
  liquidity: number
  /** Trades in 24 hours; null when not known. */
  trades: number | null
  /** Percent of a trade. */
  fee: number
  /** Percent a year, farms included; null for an order book and for a pool whose value is not known. */
  apr: number | null
  hasFarm: boolean
  /** Whether a token of it is on the scam list. */
  isScam: boolean
}

export const COLUMNS = ['name', 'price', 'change', 'volume', 'liquidity', 'trades', 'apr'] as const
export type Column = (typeof COLUMNS)[number]

export interface Sorting {
  column: Column
  isDescending: boolean
}

/** The order that an address names: `price-up`. @param usual  the column without one */
export function sortingOf(text: string | null, usual: Column): Sorting {
  const [column, direction] = (text ?? '').split('-')
  const known = COLUMNS.includes(column as Column) ? (column as Column) : usual
  return { column: known, isDescending: direction !== 'up' }
}

export const sortingText = ({ column, isDescending }: Sorting) => `${column}-${isDescending ? 'down' : 'up'}`

/** The members of a pool of the analytics that a row needs. */
export interface PoolLike {
  id: number
  fee: number
  tokenA: RowToken
  tokenB: RowToken
  price: { bPerA: number; change24h: number }
  liquidity: { tvl: number }
  volume: Volume
  apr: { total: number }
  tx?: { swaps: number }
  incentives?: readonly { isFinished: boolean }[]
}

interface Volume {
  usd: number
  /** Trades of unknown value; they are not in `usd`. */
  withoutUsd: number
}

/** USD of trades; null when there were trades and the value of none is known. */
export function knownVolume({ usd, withoutUsd }: Volume): number | null {
  return usd === 0 && withoutUsd > 0 ? null : usd
}

/** The change of a price's reciprocal. @param percent  change of the price, above -100 */
export function reversedChange(percent: number): number | null {
  return percent > -100 ? (-100 * percent) / (100 + percent) : null
}

/**
 * Prices of the last day for a small chart: from the price that the change in 24 hours is measured from, to the price now.
 * So the line rises where the change is above zero.
 *
 * @param closes  of the last hours, oldest first
 */
export function dayLine(closes: readonly number[], { price, change }: Pick<MarketRow, 'price' | 'change'>): number[] {
  if (closes.length === 0 || price === null || change === null || change <= -100) return [...closes]
  return [price / (1 + change / 100), ...closes.slice(0, -1), price]
}

/** Pool fees are hundredths of a basis point. */
const FEE_PERCENT = 10_000

export function poolRow(chain: string, pool: PoolLike): MarketRow {
  const { tokenA, tokenB } = pool
  return {
    chain,
    kind: 'pool',
    id: pool.id,
    base: tokenA,
    quote: tokenB,
    price: pool.price.bPerA || null,
    change: pool.price.bPerA ? pool.price.change24h : null,
    volume: knownVolume(pool.volume),
    liquidity: pool.liquidity.tvl,
    trades: pool.tx?.swaps ?? null,
    fee: pool.fee / FEE_PERCENT,
    apr: pool.liquidity.tvl > 0 ? pool.apr.total : null,
    hasFarm: pool.incentives?.some(({ isFinished }) => !isFinished) ?? false,
    isScam: false,
  }
}

/** Marks each row that trades a token of the scam list. @param scams  ids of those tokens */
export function withScams(rows: readonly MarketRow[], scams: ReadonlySet<string>): MarketRow[] {
  return rows.map((row) => ({ ...row, isScam: scams.has(row.base.id) || scams.has(row.quote.id) }))
}

/** What a reader of the list is told about markets of tokens on the scam list. @param areShown  whether they are listed */
export function scamNote(markets: number, areShown: boolean): string {
  const [are, one] = markets === 1 ? ['market is', 'one of its tokens'] : ['markets are', 'one of their tokens']
  return `${markets} ${are} ${areShown ? 'marked as scam' : 'not listed'}: ${one} is on the scam list.`
}

export interface PairLike {
  id: number
  base: { id: string; contract: string; symbol: { name: string } }
  quote: { id: string; contract: string; symbol: { name: string } }
  /** Percent. */
  feePercent: number
  price: { last: number | null; change24h: number | null }
  volume: Volume
  orders: { bidDepthUsd: number; askDepthUsd: number }
  tx: { matches: number }
}

export function pairRow(chain: string, pair: PairLike): MarketRow {
  const token = ({ id, contract, symbol }: PairLike['base']) => ({ id, contract, symbol: symbol.name })
  return {
    chain,
    kind: 'market',
    id: pair.id,
    base: token(pair.base),
    quote: token(pair.quote),
    price: pair.price.last || null,
    change: pair.price.last ? pair.price.change24h : null,
    volume: knownVolume(pair.volume),
    liquidity: pair.orders.bidDepthUsd + pair.orders.askDepthUsd,
    trades: pair.tx.matches,
    fee: pair.feePercent,
    apr: null,
    hasFarm: false,
    isScam: false,
  }
}

/** A value and the answer that it came from. */
export interface Sourced {
  value: number | null
  source: string
}

/** How a value has moved: two answers round the same value differently, which is no move. */
export function flashTone(last: Sourced, now: Sourced): '' | 'rose' | 'fell' {
  if (last.source !== now.source || last.value === null || now.value === null || last.value === now.value) return ''
  return now.value > last.value ? 'rose' : 'fell'
}

export const keyOf = ({ chain, kind, id }: MarketRow) => `${chain}/${kind}/${id}`
export const nameOf = ({ base, quote }: Pick<MarketRow, 'base' | 'quote'>) => `${base.symbol}/${quote.symbol}`

/** Rows in order. Unknown values come last in both directions; equal ones by volume, then by id. */
export function sorted(rows: readonly MarketRow[], { column, isDescending }: Sorting): MarketRow[] {
  const sign = isDescending ? -1 : 1
  return rows.toSorted((one, other) => {
    const order =
      column === 'name' ? nameOf(one).localeCompare(nameOf(other)) * sign : compared(one[column], other[column], sign)
    return order || (other.volume ?? 0) - (one.volume ?? 0) || one.id - other.id || one.kind.localeCompare(other.kind)
  })
}

function compared(one: number | null, other: number | null, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return (one - other) * sign
}

export type KindFilter = 'all' | 'pool' | 'market' | 'farm'

/**
 * Rows whose tokens match a text. `A/B` and two words match a pair in either order; one word matches symbols, contracts
 * and ids that contain it.
 */
export function filtered(rows: readonly MarketRow[], text: string, kind: KindFilter): MarketRow[] {
  const words = text
    .toLowerCase()
    .split(/[\s/]+/)
    .filter((word) => word !== '')
  return rows.filter((row) => {
    if (kind === 'farm' ? !row.hasFarm : kind !== 'all' && row.kind !== kind) return false
    const [base, quote] = [textOf(row.base), textOf(row.quote)]
    if (words.length === 0) return true
    if (words.length === 1) {
      const word = words[0] as string
      return base.includes(word) || quote.includes(word) || String(row.id) === word.replace(/^#/, '')
    }
    const [first, second] = words as [string, string]
    return (base.includes(first) && quote.includes(second)) || (base.includes(second) && quote.includes(first))
  })
}

const textOf = ({ symbol, contract }: RowToken) => `${symbol} ${contract}`.toLowerCase()

/**
 * Rows that a windowed list draws.
 *
 * @param top  pixels of the list above the upper edge of the view; negative when the list begins below it
 * @param height  of the view, pixels
 * @param extra  rows drawn beyond each edge
 */
export function visibleRange(count: number, rowHeight: number, top: number, height: number, extra: number) {
  const first = Math.floor(top / rowHeight) - extra
  const last = Math.ceil((top + height) / rowHeight) + extra
  const start = Math.min(Math.max(0, first), count)
  return { start, end: Math.min(count, Math.max(start, last)) }
}
