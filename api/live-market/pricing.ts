// Prices of all tokens as of the market's block, recomputed when a pool changes. The quote of a token is made at its
// first request.
import { liquidityThreshold, trustLists } from '../../config/pricing.ts'
import type { ChainConfig } from '../../config/schema.ts'
import { LivePrices } from '../../core/price/live-prices.ts'
import { poolValue } from '../../core/price/pool-value.ts'
import type { PricePool } from '../../core/price/price-graph.ts'
import { quoteToken, type TokenQuote } from '../../core/price/quote.ts'
import { type LiquidityThreshold, thresholdOf } from '../../core/price/threshold.ts'
import { tokenId } from '../../core/price/token-id.ts'
import { type TokenPrices, USD_PRICE_DIGITS, type UsdPrice } from '../../core/price/token-price.ts'
import { type Scores, TrustRules } from '../../core/price/trust.ts'
import { type Side, USD_VALUE_DIGITS, Valuation } from '../../core/price/usd-value.ts'
import type { LivePool, TokenRef } from './model.ts'

/** Inputs of prices other than the pools. */
export interface PriceInputs {
  /** USD for one system token; null while unknown. */
  usd: UsdPrice | null
  scores: Scores
}

export class MarketPrices {
  readonly systemToken: TokenRef
  readonly rules: TrustRules
  /** Times when entries of the lists come into force, Unix milliseconds. */
  private readonly listTimes: readonly number[]
  private readonly prices = new LivePrices()
  private readonly threshold: LiquidityThreshold
  private inputs: PriceInputs = { usd: null, scores: new Map() }
  private at = 0
  /** The scam filter in force; replaced when other lists come into force. */
  private scams: { entries: number; isExcluded: (token: string) => boolean } | null = null
  private readonly quotes = new Map<string, TokenQuote>()
  private valuation: Valuation | null = null

  constructor(config: ChainConfig) {
    const { contract, symbol, decimals } = config.systemToken
    this.systemToken = { id: tokenId(symbol, contract), contract, symbol, decimals }
    const lists = trustLists(config)
    this.rules = new TrustRules(this.systemToken.id, lists)
    this.listTimes = [...lists.trusted, ...lists.scam].flatMap(({ from }) => (from === undefined ? [] : [from]))
    this.threshold = liquidityThreshold(config)
  }

  /** USD for one system token; null while unknown. */
  get usd(): UsdPrice | null {
    return this.inputs.usd
  }

  get scores(): Scores {
    return this.inputs.scores
  }

  /** All priced tokens; changed in place by the next update. */
  get byToken(): TokenPrices {
    return this.prices.byToken
  }

  /** Minimum value of a pool's priced side, raw units of the system token. */
  get leastWidth(): bigint {
    return thresholdOf(this.threshold, this.inputs.usd, this.systemToken.decimals)
  }

  /** Whether an entry of the lists came into force in the range (after, upTo]. */
  listsChange(after: number, upTo: number): boolean {
    return this.listTimes.some((from) => from > after && from <= upTo)
  }

  putPool(pool: LivePool): void {
    this.prices.put(pricePool(pool))
  }

  removePool(id: number): void {
    this.prices.remove(id)
  }

  /**
   * Updates the prices that depend on pools put or removed since the last update; all prices when the threshold or the
   * scams in force changed.
   *
   * @param at  Unix milliseconds of chain time
   * @returns tokens whose price changed
   */
  update(at: number, inputs: PriceInputs): Set<string> {
    this.at = at
    this.inputs = inputs
    this.valuation = inputs.usd === null ? null : new Valuation(inputs.usd, this.systemToken.decimals)
    const { id, decimals } = this.systemToken
    const entries = this.rules.scamEntries(at)
    if (this.scams?.entries !== entries) {
      const scams = { entries, isExcluded: (token: string) => this.rules.isScam(token, at) }
      this.scams = scams
    }
    const moved = this.prices.update({
      systemToken: { id, decimals },
      threshold: this.leastWidth,
      isExcluded: this.scams.isExcluded,
    })
    this.quotes.clear()
    return moved
  }

  quote(token: string): TokenQuote {
    let quote = this.quotes.get(token)
    if (quote === undefined) {
      const { usd, scores } = this.inputs
      const { decimals: systemDecimals } = this.systemToken
      quote = quoteToken(token, { prices: this.byToken, systemDecimals, usd, rules: this.rules, scores, at: this.at })
      this.quotes.set(token, quote)
    }
    return quote
  }

  /** Value of a pool's reserves, USD times 10^8; null if unknown. */
  poolUsd(pool: LivePool): bigint | null {
    if (this.valuation === null) return null
    return poolValue(this.valuation, this.side(pool.a, pool.reserveA), this.side(pool.b, pool.reserveB))
  }

  /** Value of amounts of two tokens, trusted or not, USD times 10^8; 0 while the system token has no USD price. */
  holdingUsd(a: TokenRef, amountA: bigint, b: TokenRef, amountB: bigint): bigint {
    if (this.valuation === null) return 0n
    return this.valuation.holding(this.side(a, amountA), this.side(b, amountB))
  }

  /** Value of an amount of a trusted token, USD times 10^8; null if unknown. */
  trustedUsd(token: TokenRef, amount: bigint): bigint | null {
    const side = this.side(token, amount)
    if (this.valuation === null || !side.isTrusted || side.price === undefined) return null
    return this.valuation.holding(side, { ...side, amount: 0n })
  }

  private side({ id }: TokenRef, amount: bigint): Side {
    return { amount, price: this.byToken.get(id), isTrusted: this.quote(id).isTrusted }
  }
}

/** A `UsdValue` as a double; 0 if unknown. */
export function usdValueNumber(value: bigint | null): number {
  return Number(value ?? 0n) / 10 ** USD_VALUE_DIGITS
}

/** A USD price in the digits of `UsdPrice`; null if the text is no price. */
export function usdPriceOf(text: string | number | null | undefined): UsdPrice | null {
  if (text === null || text === undefined) return null
  const [whole, fraction = ''] = plainDecimal(text).split('.')
  const price = BigInt(`${whole}${fraction.slice(0, USD_PRICE_DIGITS).padEnd(USD_PRICE_DIGITS, '0')}`)
  return price > 0n ? price : null
}

function plainDecimal(value: string | number): string {
  return typeof value === 'number' ? value.toFixed(USD_PRICE_DIGITS) : value
}

function pricePool(pool: LivePool): PricePool {
  const { id, active, a, b, reserveA, reserveB, sqrtPriceX64, liquidity } = pool
  return {
    id,
    active,
    tokenA: a.id,
    tokenB: b.id,
    decimalsA: a.decimals,
    decimalsB: b.decimals,
    reserveA,
    reserveB,
    sqrtPriceX64,
    liquidity,
  }
}
