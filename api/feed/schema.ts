// Schemas of the feed's requests and answers.
import { Type } from 'typebox'
import { TradeQuery } from '../kit/parameters.ts'

const Text = (description: string) => Type.String({ description })
const Num = (description: string) => Type.Number({ description })
const NumberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const PairMembers = {
  ticker_id: Text('`<base>_<target>`.'),
  base: Text('Currency: `<chain>:<symbol>-<contract>`; symbol of the asset in the merged form.'),
  target: Text('Currency.'),
  pool_id: Text('`<chain>:<amm|orderbook>:<id>`; of the merged form, the most liquid one.'),
}
export const FeedPair = Type.Object(PairMembers)

const TickerMembers = {
  ticker_id: Text('`<base>_<target>`. Several pools may share it.'),
  base_currency: Text('Currency.'),
  target_currency: Text('Currency.'),
  pool_id: Text('Pool or order book.'),
  type: Text('`amm` or `orderbook`.'),
  chain: Text('`wax`, `xpr`, `eos` or `telos`.'),
  last_price: Num('Target per base. Of a book that has not traded yet, the middle of its best orders.'),
  base_volume: Num('Base tokens in 24 hours.'),
  target_volume: Num('Target tokens in 24 hours.'),
  liquidity_in_usd: Num('Value of a pool, or of the orders within 10 percent of the middle price.'),
  bid: Type.Optional(NumberOrNull('Best buy order. Order books only.')),
  ask: Type.Optional(NumberOrNull('Best sell order. Order books only.')),
  high: NumberOrNull('Highest price of 24 hours; null without a trade.'),
  low: NumberOrNull('Lowest price of 24 hours; null without a trade.'),
  volume_usd_24h: Num('USD in 24 hours.'),
  base_cmc_ucid: NumberOrNull('Aggregator id.'),
  target_cmc_ucid: NumberOrNull('Aggregator id.'),
  global_ticker_id: TextOrNull('`BASE-TARGET` when the aggregator lists both.'),
  trade_url: Text('Page of the market.'),
}
export const FeedTicker = Type.Object(TickerMembers)
export const MergedTicker = Type.Object({
  ...TickerMembers,
  pools: Type.Array(Type.String(), { description: 'Pools and order books merged into the market, most liquid first.' }),
})

const Level = Type.Array(Type.String(), { description: 'Price, quantity in base.' })
const Levels = {
  timestamp: Num('Time of the block, Unix milliseconds.'),
  bids: Type.Array(Level, { description: 'Highest price first.' }),
  asks: Type.Array(Level, { description: 'Lowest price first.' }),
}
export const FeedOrderBook = Type.Object({ ticker_id: Text('Ticker.'), pool_id: Text('Order book.'), ...Levels })
export const LayoutOrderBook = Type.Object(Levels)

export const FeedTradeAnswer = Type.Object({
  trade_id: Text('`<chain>:swap:<id>` or `<chain>:match:<id>`.'),
  ticker_id: Text('Ticker.'),
  pool_id: Text('Where it was traded.'),
  price: Num('Target per base.'),
  base_volume: Num('Base tokens.'),
  target_volume: Num('Target tokens.'),
  trade_timestamp: Num('Unix seconds.'),
  type: Text('`buy`: base left the pool or book; `sell`: it entered.'),
  trx_id: Text('Transaction.'),
})

const Depth = Type.Optional(
  Type.Integer({ description: 'Levels of both sides together; 0, the default, is the full book.', minimum: 0 }),
)
export const OrderBookQuery = Type.Object({ ticker_id: Text('Ticker of an order book.'), depth: Depth })
const { from: _from, to: _to, ...FeedTradeQuery } = TradeQuery
export const TradesQuery = Type.Object({ ticker_id: Text('Any ticker of the feed.'), ...FeedTradeQuery })
export const PairParams = Type.Object({ pair: Text('`<BASE>_<TARGET>`.') })
export const LayoutBookQuery = Type.Object({
  depth: Depth,
  level: Type.Optional(
    Type.Integer({
      description: '1: best bid and best ask; 2, the default: prices; 3: every order by itself, none merged.',
      minimum: 1,
      maximum: 3,
    }),
  ),
})
export const LayoutTradesQuery = Type.Object({ limit: FeedTradeQuery.limit })

export const SummaryRow = Type.Object({
  trading_pairs: Text('`<BASE>_<TARGET>`.'),
  base_currency: Text('Asset.'),
  quote_currency: Text('Asset.'),
  last_price: Num('Quote per base.'),
  lowest_ask: NumberOrNull('Of the most liquid order book; null without one.'),
  highest_bid: NumberOrNull('The same.'),
  base_volume: Num('24 hours.'),
  quote_volume: Num('24 hours.'),
  price_change_percent_24h: Num('Percent.'),
  highest_price_24h: NumberOrNull('Null without a trade.'),
  lowest_price_24h: NumberOrNull('Null without a trade.'),
})
export const AssetsAnswer = Type.Record(
  Type.String(),
  Type.Object({ name: Text('Name.'), unified_cryptoasset_id: Num('Aggregator id.') }),
)
export const LayoutTickers = Type.Record(
  Type.String(),
  Type.Object({
    base_id: Num('Aggregator id.'),
    quote_id: Num('Aggregator id.'),
    last_price: Num('Quote per base.'),
    base_volume: Num('24 hours.'),
    quote_volume: Num('24 hours.'),
    isFrozen: Text('`1` when trading is frozen everywhere, else `0`.'),
  }),
)
export const LayoutTrade = Type.Object({
  trade_id: Text('Id.'),
  price: Num('Quote per base.'),
  base_volume: Num('Base.'),
  quote_volume: Num('Quote.'),
  timestamp: Num('Unix milliseconds.'),
  type: Text('`buy` or `sell`.'),
})

const Chain = Type.Object({
  chain: Text('Chain.'),
  block: NumberOrNull('Block that its markets were as of; null while it is being loaded and not in the feed.'),
  blockTime: TextOrNull('Its time, ISO 8601.'),
  lagSeconds: NumberOrNull('Age of that block when the feed was refreshed.'),
  pools: Num('Pools there are.'),
  poolsListed: Num('Pools in the feed.'),
  orderbooks: Num('Order books there are.'),
  orderbooksListed: Num('Order books in the feed.'),
})
export const StatusAnswer = Type.Object({
  refreshedAt: Text('When the feed was refreshed, ISO 8601.'),
  ageSeconds: Num('Seconds since then.'),
  refreshSeconds: Num('Seconds between refreshes.'),
  minimumUsd: Num('USD that a market must hold to be listed.'),
  tickers: Num('Markets listed.'),
  mergedTickers: Num('Markets in the form merged by asset.'),
  violations: Num('Rules broken, as `check` lists them.'),
  chains: Type.Array(Chain),
})
export const CheckAnswer = Type.Object({
  refreshedAt: Text('When the feed was refreshed, ISO 8601.'),
  checked: Num('Markets looked at, merged ones included.'),
  violations: Type.Array(
    Type.Object({
      rule: Text('Stable name of the rule.'),
      ticker_id: Text('Ticker.'),
      pool_id: TextOrNull('Pool or order book; null of a merged market.'),
      message: Text('What is wrong.'),
    }),
  ),
})
