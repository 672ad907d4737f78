// Exact USD values of trades and liquidity: integers of 10^-8 USD, rounded half up once, at the end.
import { RATE_BITS, type TokenPrice, USD_PRICE_DIGITS, type UsdPrice } from './token-price.ts'

/** USD times 10^8. */
export type UsdValue = bigint

/** Decimals of a `UsdValue`. */
export const USD_VALUE_DIGITS = 8

/** One side of a trade. */
export interface Side {
  /** Raw units; the sign is ignored. */
  amount: bigint
  /** Undefined when the token has no price. */
  price: Pick<TokenPrice, 'rate'> | undefined
  isTrusted: boolean
}

/** Converts rates to USD, for one USD price of the system token. */
export class Valuation {
  private readonly usd: UsdPrice
  /** 10^-8 USD in the scale of the products below. */
  private readonly unit: bigint

  constructor(usd: UsdPrice, systemDecimals: number) {
    this.usd = usd
    this.unit = (10n ** BigInt(systemDecimals + USD_PRICE_DIGITS - USD_VALUE_DIGITS)) << RATE_BITS
  }

  /**
   * Value of a swap or a deal: the mean of both sides if both tokens are trusted, else the trusted side. A trusted
   * token without a price counts as not trusted.
   *
   * @returns null (unknown) when no side is trusted and priced
   */
  trade(x: Side, y: Side): UsdValue | null {
    const first = x.isTrusted && x.price !== undefined
    const second = y.isTrusted && y.price !== undefined
    if (!first && !second) return null
    const sum = (first ? worth(x) : 0n) + (second ? worth(y) : 0n)
    return this.round(sum * this.usd, first && second ? 2n : 1n)
  }

  /**
   * Value of a mint, a burn or a collect: the sum of both sides, trusted or not.
   *
   * @returns null when a side with a non-zero amount has no price
   */
  liquidity(x: Omit<Side, 'isTrusted'>, y: Omit<Side, 'isTrusted'>): UsdValue | null {
    return isKnown(x) && isKnown(y) ? this.holding(x, y) : null
  }

  /**
   * Value of tokens held together, such as both sides of a deposit: the sum, trusted or not; an unpriced token counts
   * 0.
   */
  holding(x: Omit<Side, 'isTrusted'>, y: Omit<Side, 'isTrusted'>): UsdValue {
    return this.round((worth(x) + worth(y)) * this.usd, 1n)
  }

  private round(product: bigint, parts: bigint): UsdValue {
    const divisor = this.unit * parts
    return (2n * product + divisor) / (2n * divisor)
  }
}

/** A zero amount is worth 0, whatever the price. */
function isKnown({ amount, price }: Omit<Side, 'isTrusted'>): boolean {
  return price !== undefined || amount === 0n
}

/** Value in raw units of the system token, times 2^192. */
function worth({ amount, price }: Omit<Side, 'isTrusted'>): bigint {
  if (!price) return 0n
  return (amount < 0n ? -amount : amount) * price.rate
}
