// An order-book market in the format of the analytics.
import { changePercent } from '../kit/change.ts'
import { nearSides } from '../kit/depth.ts'
import { toNumber, UNIT_PRICE_DECIMALS } from '../kit/numbers.ts'
import type { LiveBook, MarketState, TokenRef } from '../live-market/model.ts'
import { usdValueNumber } from '../live-market/pricing.ts'

/** Market fees are hundredths of a percent. */
const FEE_DECIMALS = 2

/** Members that do not depend on the window: the first ones of an item. */
export function pairHead(book: LiveBook) {
  return {
    id: book.id,
    base: pairToken(book.base),
    quote: pairToken(book.target),
    feePercent: toNumber(BigInt(book.fee), FEE_DECIMALS),
    price: { last: lastPrice(book), change24h: changePercent(book.before24, book.last) },
    spread: spread(book),
  }
}

function pairToken({ id, contract, symbol, decimals }: TokenRef) {
  return { id, contract, symbol: { name: symbol, precision: decimals }, str: `${symbol}@${contract}` }
}

/** Target per base; 0 before the first trade. */
export function lastPrice({ last }: LiveBook): number {
  return toNumber(last ?? 0n, UNIT_PRICE_DECIMALS)
}

/** Best ask minus best bid in percent of the last price; null if one of the three is missing. */
function spread({ bids, asks, last }: LiveBook): number | null {
  const [bid, ask] = [bids[0], asks[0]]
  if (bid === undefined || ask === undefined || last === null || last === 0n) return null
  return (Number(ask.unitPrice - bid.unitPrice) / Number(last)) * 100
}

/** USD value of the buy and of the sell orders within 10 percent of the middle price, valued in the quote token. */
export function orderDepth({ prices }: MarketState, book: LiveBook) {
  const { bids, asks } = nearSides(book)
  const { target } = book
  const usd = (amount: bigint) => usdValueNumber(prices.holdingUsd(target, amount, target, 0n))
  return { bidDepthUsd: usd(bids), askDepthUsd: usd(asks) }
}
