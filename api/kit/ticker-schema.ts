// Schemas that order-book markets and AMM pools share: pairs, tickers, trades.
import { Type } from 'typebox'

const Id = (description: string) => Type.String({ description })
const NumberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

export const PairToken = Type.Object({
  id: Id('`symbol-contract`.'),
  contract: Id('Token contract.'),
  symbol: Id('Symbol.'),
  precision: Type.Number({ description: 'Decimals.' }),
})

/** Members that tickers of markets and of pools share. */
export const TickerNames = {
  ticker_id: Id('`<base>_<target>`.'),
  pool_id: Id('Market or pool.'),
  base_currency: Id('Token id.'),
  target_currency: Id('Token id.'),
  base_cmc_ucid: NumberOrNull('Aggregator id; null when it does not list the token.'),
  target_cmc_ucid: NumberOrNull('Aggregator id; null when it does not list the token.'),
  global_ticker_id: Type.Union([Type.String(), Type.Null()], { description: '`BASE-TARGET` when both are listed.' }),
}

/** Members that trades of markets and of pools share. */
export const TradeMembers = {
  trade_id: Id('Global sequence of the trade.'),
  price: Type.Number({ description: 'Target per base.' }),
  base_volume: Type.Number({ description: 'Base tokens.' }),
  target_volume: Type.Number({ description: 'Target tokens.' }),
  trade_timestamp: Type.Number({ description: 'Unix seconds.' }),
  type: Type.String({ description: '`buy` or `sell`, from the side of the taker.' }),
  trx_id: Id('Transaction.'),
}
