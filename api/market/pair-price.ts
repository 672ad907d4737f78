// Prices of a pair: from the prices of both tokens, and from the execution of a trade of a given size.
import type { Ratio } from '../../core/amm/price.ts'
import type { Route } from '../../core/route/model.ts'
import { significant, significantNumber } from '../kit/digits.ts'
import { decimalText } from '../kit/numbers.ts'
import type { TokenRef } from '../live-market/model.ts'

/** A trade at its execution price. */
export interface TradeAnswer {
  input: string
  output: string
  /** Quote per base as executed, fees included. */
  price: string
  /** Percent below the venues' spot prices. */
  priceImpact: string
}

/** Finds the best route for raw units of one token to another; null without a route. */
export type Quote = (input: TokenRef, output: TokenRef, amount: bigint) => Route | null

/**
 * Sells an amount of base for quote, then buys base back with all of the output.
 *
 * @param amount  raw units of base
 */
export function roundTrip(
  quoteRoute: Quote,
  base: TokenRef,
  quote: TokenRef,
  amount: bigint,
): { sell: TradeAnswer | null; buy: TradeAnswer | null } {
  const sell = quoteRoute(base, quote, amount)
  if (sell === null) return { sell: null, buy: null }
  const buy = quoteRoute(quote, base, sell.output)
  return {
    sell: tradeAnswer(sell, base, quote, whole(sell.output, quote, sell.input, base)),
    buy: buy === null ? null : tradeAnswer(buy, quote, base, whole(buy.input, quote, buy.output, base)),
  }
}

function tradeAnswer(route: Route, input: TokenRef, output: TokenRef, price: Ratio): TradeAnswer {
  return {
    input: decimalText(route.input, input.decimals),
    output: decimalText(route.output, output.decimals),
    price: significant(price),
    priceImpact: significantNumber(Math.max(0, route.priceImpact)),
  }
}

/** Price in whole quote for one whole base. */
function whole(quoteRaw: bigint, quote: TokenRef, baseRaw: bigint, base: TokenRef): Ratio {
  return {
    numerator: quoteRaw * 10n ** BigInt(base.decimals),
    denominator: baseRaw * 10n ** BigInt(quote.decimals),
  }
}
