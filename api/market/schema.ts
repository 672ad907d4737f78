// Schemas of the market API's requests and answers. Prices and values are texts of 8 significant digits, amounts texts
// with the token's decimals.
import { type TSchema, Type } from 'typebox'

const Text = (description: string) => Type.String({ description })
const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const Num = (description: string) => Type.Number({ description })
const Block = Num('Last block reflected.')

const tokenMembers = {
  id: Text('`<symbol>-<contract>`, lower case.'),
  symbol: Text('Symbol.'),
  contract: Text('Token contract.'),
  decimals: Num('Precision.'),
}

const TokenObject = Type.Object(tokenMembers)

const Token = Type.Object({
  ...tokenMembers,
  price: TextOrNull('System tokens for one token; null without a price.'),
  priceUsd: TextOrNull('USD for one token; null without a price, or while the system token has none.'),
  liquidity: TextOrNull('Value of the weakest pool on the price’s path, system tokens; null for the system token.'),
  liquidityUsd: TextOrNull('The same in USD.'),
  pools: Num('Pools that trade it.'),
  orderbooks: Num('Order-book markets that trade it.'),
})

export const TokensAnswer = Type.Object({
  block: Block,
  systemToken: Text('Token that prices are counted in.'),
  systemUsdPrice: TextOrNull('USD for one system token; null while unknown.'),
  tokens: Type.Array(Token, { description: 'The system token, priced tokens by liquidity, the others.' }),
})

export const TokenAnswer = Type.Object({ block: Block, token: Token })

const Trade = Type.Union(
  [
    Type.Object({
      input: Text('What is sent.'),
      output: Text('What comes out.'),
      price: Text('Quote per base as executed, fees included.'),
      priceImpact: Text('Percent below the spot prices of the venues.'),
    }),
    Type.Null(),
  ],
  { description: 'Null when no route can trade the whole amount.' },
)

export const PriceQuery = Type.Object({
  base: Text('Token id of the base.'),
  quote: Text('Token id of the quote.'),
  amount: Type.Optional(Text('Base tokens to sell, and to buy back with what they bring.')),
})

export const PriceAnswer = Type.Object({
  block: Block,
  base: TokenObject,
  quote: TokenObject,
  mid: TextOrNull('Quote per base by the prices of both tokens; null when either has none.'),
  sell: Type.Optional(Trade),
  buy: Type.Optional(Trade),
})

export const DepthQuery = Type.Object({
  input: Text('Token id of what is sold.'),
  output: Text('Token id of what is bought.'),
  impact: Type.Optional(Text('Up to 10 levels in percent, from 0 to 100, separated by commas. Default `0.5,1,2,5`.')),
})

export const DepthAnswer = Type.Object({
  block: Block,
  input: TokenObject,
  output: TokenObject,
  reference: TextOrNull('Output per input; null when there is no route.'),
  referenceKind: Type.Enum(['mid', 'smallTrade'], { description: 'The pair’s mid, or the price of a small trade.' }),
  levels: Type.Array(
    Type.Object({
      impact: Num('Percent below the reference.'),
      input: TextOrNull('Largest trade; null when even a small one is worse.'),
      output: TextOrNull('What it brings.'),
    }),
    { description: 'In the order asked.' },
  ),
})

const Pool = Type.Object({
  id: Num('Pool id.'),
  tokenA: TokenObject,
  tokenB: TokenObject,
  fee: Text('Percent.'),
  tickSpacing: Num('Tick spacing.'),
  active: Type.Boolean({ description: 'Whether it can be traded.' }),
  price: Text('B per A.'),
  sqrtPriceX64: Text('Square-root price, Q64.64.'),
  tick: Num('Current tick.'),
  liquidity: Text('Liquidity in range.'),
  reserveA: Text('Tokens A that it holds.'),
  reserveB: Text('Tokens B that it holds.'),
  tvl: TextOrNull('What it holds, system tokens; null unless both tokens have a price.'),
  tvlUsd: TextOrNull('The same in USD.'),
})

export const PoolsAnswer = Type.Object({ block: Block, pools: Type.Array(Pool) })
export const PoolAnswer = Type.Object({ block: Block, pool: Pool })

const marketMembers = {
  id: Num('Market id.'),
  base: TokenObject,
  quote: TokenObject,
  fee: Text('Percent.'),
  frozen: Type.Boolean({ description: 'Whether trading is frozen.' }),
  bestBid: TextOrNull('Best buy order, base per one quote; null without one.'),
  bestAsk: TextOrNull('Best sell order, base per one quote; null without one.'),
}
const Order = Type.Object({ price: Text('Base per one quote.'), amount: Text('Quote tokens.') })

const BOOK = 'Base and quote as the contract names them: the reverse of the tickers.'

export const OrderBooksAnswer = Type.Object({
  block: Block,
  orderbooks: Type.Array(Type.Object(marketMembers, { description: BOOK })),
})

export const OrderBookAnswer = Type.Object({
  block: Block,
  orderbook: Type.Object(
    {
      ...marketMembers,
      bids: Type.Array(Order, { description: 'Best 20 buy orders, highest price first.' }),
      asks: Type.Array(Order, { description: 'Best 20 sell orders, lowest price first.' }),
    },
    { description: BOOK },
  ),
})

export const TokenFilter = Type.Object({
  token: Type.Optional(Type.String({ description: 'Token id: only what trades it.' })),
})
export const TokenParams = Type.Object({ tokenId: Text('Token id.') })
export const PoolParams = Type.Object({ poolId: Text('Pool id.') })
export const MarketParams = Type.Object({ marketId: Text('Market id.') })

/** Answer of a client error. */
const Mistake = Type.Object(
  {
    statusCode: Type.Optional(Type.Number({ description: 'Of the answer.' })),
    error: Text('What is wrong.'),
    message: Type.Optional(Text('What to change.')),
  },
  { description: 'A mistake of the request.' },
)

/** Schemas of a route's answers: the successful one, and errors. */
export function answers<T extends TSchema>(answer: T) {
  return { 200: answer, 400: Mistake, 404: Mistake }
}
