// Combines the database's facts on each traded token into the input of its score. Pure: the same rows and settings give
// the same result.
import { poolValue } from '../../../core/price/pool-value.ts'
import { type PricePool, widestPrices } from '../../../core/price/price-graph.ts'
import { thresholdOf } from '../../../core/price/threshold.ts'
import { type TokenId, tokenId } from '../../../core/price/token-id.ts'
import { parseUsdPrice, type TokenPrices } from '../../../core/price/token-price.ts'
import { type Scores, TrustRules } from '../../../core/price/trust.ts'
import { USD_VALUE_DIGITS, type UsdValue, Valuation } from '../../../core/price/usd-value.ts'
import type { ValuationOptions } from '../../value/options.ts'
import { type PoolRow, pricePool } from '../../value/rows.ts'

/** A token that is in a pool or market. */
interface TradedToken {
  id: TokenId
  contract: string
  symbol: string
  decimals: number
}

export interface MarketTokenRow {
  contract: string
  symbol: string
  decimals: number
  firstDeal: Date | null
}

/** Pools and markets as of the last block before the hour, with the data that values them. */
export interface ExchangeRows {
  /** Time of that block, Unix milliseconds. */
  at: number
  pools: readonly PoolRow[]
  marketTokens: readonly MarketTokenRow[]
  /** Creation times, Unix milliseconds, by pool. */
  created: ReadonlyMap<number, number>
  /** USD for one system token; null when unknown. */
  usd: string | null
  scores: Scores
  /** Raw units that the exchange's contracts hold, by token. */
  holdings: ReadonlyMap<TokenId, bigint>
  /** Whether the history begins at the chain's first blocks. */
  isWhole: boolean
  /** Time of the first indexed block, Unix milliseconds. */
  since: number
}

/** Facts on a token apart from its trades. */
export interface TokenStanding extends TradedToken {
  /** USD value locked in the exchange. */
  tvlUsd: number
  /** The pool whose prices are used for the token, and the token's side of it. */
  pool: { row: PricePool; side: 'a' | 'b' } | null
  /** First appearance in the indexed history, Unix milliseconds. Null when it has never traded and has no pool. */
  firstSeen: number | null
}

interface Collected extends TradedToken {
  pools: { row: PricePool; side: 'a' | 'b'; value: UsdValue }[]
  inMarkets: boolean
  firstDeal: number | null
}

/**
 * @param usdToken  token worth one USD: pools with it are preferred for prices; undefined: pools with the system token
 */
export function standings(
  rows: ExchangeRows,
  { systemToken, threshold, trust }: ValuationOptions,
  usdToken: TokenId | undefined,
): TokenStanding[] {
  const { at, scores } = rows
  const system = { id: tokenId(systemToken.symbol, systemToken.contract), decimals: systemToken.decimals }
  const rules = new TrustRules(system.id, trust)
  const usd = rows.usd === null ? null : parseUsdPrice(rows.usd)
  const pools = rows.pools.map(pricePool)
  const prices = widestPrices(pools, {
    systemToken: system,
    threshold: thresholdOf(threshold, usd, system.decimals),
    isExcluded: (token) => rules.isScam(token, at),
  })
  const tokenValues = new TokenValues(usd === null ? null : new Valuation(usd, system.decimals), prices, (token) =>
    rules.isTrusted(token, at, scores),
  )
  const tokens = collect(rows, pools, tokenValues)
  if (!tokens.has(system.id)) tokens.set(system.id, { ...systemToken, id: system.id, ...untraded() })
  return [...tokens.values()]
    .sort((x, y) => (x.id < y.id ? -1 : 1))
    .map((token) => ({
      id: token.id,
      contract: token.contract,
      symbol: token.symbol,
      decimals: token.decimals,
      tvlUsd: tvlOf(token, tokenValues, rows.holdings),
      pool: stabilityPool(token, usdToken, system.id),
      firstSeen: firstSeen(token, rows),
    }))
}

const untraded = () => ({ pools: [], inMarkets: false, firstDeal: null })

class TokenValues {
  private readonly valuation: Valuation | null
  private readonly prices: TokenPrices
  private readonly isTrusted: (token: TokenId) => boolean

  constructor(valuation: Valuation | null, prices: TokenPrices, isTrusted: (token: TokenId) => boolean) {
    this.valuation = valuation
    this.prices = prices
    this.isTrusted = isTrusted
  }

  /** Value of a pool's reserves; 0 when unknown. */
  pool({ tokenA, tokenB, reserveA, reserveB }: PricePool): UsdValue {
    return this.valuation === null
      ? 0n
      : (poolValue(this.valuation, this.side(tokenA, reserveA), this.side(tokenB, reserveB)) ?? 0n)
  }

  /** Value of an amount of any token, trusted or not. */
  amount(token: TokenId, amount: bigint): UsdValue {
    return this.valuation?.holding(this.side(token, amount), this.side(token, 0n)) ?? 0n
  }

  private side(token: TokenId, amount: bigint) {
    return { amount, price: this.prices.get(token), isTrusted: this.isTrusted(token) }
  }
}

function collect(rows: ExchangeRows, pools: readonly PricePool[], tokenValues: TokenValues): Map<TokenId, Collected> {
  const tokens = new Map<TokenId, Collected>()
  const at = (contract: string, symbol: string, decimals: number): Collected => {
    const id = tokenId(symbol, contract)
    const known = tokens.get(id) ?? { id, contract, symbol, decimals, ...untraded() }
    tokens.set(id, known)
    return known
  }
  rows.pools.forEach((row, index) => {
    const pool = pools[index] as PricePool
    const value = tokenValues.pool(pool)
    at(row.contractA, row.symbolA, row.decimalsA).pools.push({ row: pool, side: 'a', value })
    at(row.contractB, row.symbolB, row.decimalsB).pools.push({ row: pool, side: 'b', value })
  })
  for (const { contract, symbol, decimals, firstDeal } of rows.marketTokens)
    Object.assign(at(contract, symbol, decimals), { inMarkets: true, firstDeal: firstDeal?.getTime() ?? null })
  return tokens
}

/** The greater of the exchange's holdings and half the value of the token's pools. USD. */
function tvlOf({ id, pools }: Collected, tokenValues: TokenValues, holdings: ReadonlyMap<TokenId, bigint>): number {
  const held = 2n * tokenValues.amount(id, holdings.get(id) ?? 0n)
  const pooled = pools.reduce((sum, { value }) => sum + value, 0n)
  return Number(held > pooled ? held : pooled) / 2 / 10 ** USD_VALUE_DIGITS
}

/** The pool with the USD token, else with the system token, else any. Ties: the most valuable, then the oldest. */
function stabilityPool({ pools }: Collected, usdToken: TokenId | undefined, system: TokenId): TokenStanding['pool'] {
  const rank = ({ row, side }: Collected['pools'][number]) => {
    const other = side === 'a' ? row.tokenB : row.tokenA
    return other === usdToken ? 0 : other === system ? 1 : 2
  }
  const [best] = [...pools].sort((x, y) => {
    if (rank(x) !== rank(y)) return rank(x) - rank(y)
    if (x.value !== y.value) return x.value > y.value ? -1 : 1
    return x.row.id - y.row.id
  })
  return best === undefined ? null : { row: best.row, side: best.side }
}

/** First pool creation or deal. With a partial history and a possible earlier one: the start of the history. */
function firstSeen(
  { pools, inMarkets, firstDeal }: Collected,
  { created, isWhole, since }: ExchangeRows,
): number | null {
  const times = pools.map(({ row }) => created.get(row.id))
  if (!isWhole && (inMarkets || times.includes(undefined))) return since
  const known = [...times, firstDeal].filter((time): time is number => typeof time === 'number')
  return known.length === 0 ? null : Math.min(...known)
}
