// Operations of the Market API.
import { type Failure, failure, type Operations } from './operation.ts'

const WAX = 'wax-eosio.token'
const TLM = 'tlm-alien.worlds'
const market = '/api/v3/market'
const NO_ID = 4_000_000_000

const badFilter = (path: string): Failure =>
  failure(404, 'No pool and no market trades the token.', `${market}/${path}?token=none-nobody`)

export const MARKET: Operations = {
  [`GET ${market}/tokens`]: {
    id: 'getMarketTokens',
    about:
      'Prices are decimal texts of 8 significant digits, in system tokens and in USD. Order: the system token, tokens with a price by liquidity, the others.',
    ask: `${market}/tokens`,
  },
  [`GET ${market}/tokens/{tokenId}`]: {
    id: 'getMarketToken',
    ask: `${market}/tokens/${TLM}`,
    failures: [failure(404, 'No pool and no market trades the token.', `${market}/tokens/none-nobody`)],
  },
  [`GET ${market}/price`]: {
    id: 'getMarketPrice',
    about:
      '`mid` comes from the prices of both tokens. With `amount`, `sell` sells so much of the base and `buy` buys it back with what that brings: the gap of their prices is the cost of a round trip of that size.',
    ask: `${market}/price?base=${TLM}&quote=${WAX}&amount=1000`,
    failures: [
      failure(400, 'A token is missing.', `${market}/price?base=${TLM}`),
      failure(
        400,
        'The amount is no number above 0, or has more decimals than the token.',
        `${market}/price?base=${TLM}&quote=${WAX}&amount=x`,
      ),
      failure(404, 'A token is unknown.', `${market}/price?base=none-nobody&quote=${WAX}`),
    ],
  },
  [`GET ${market}/depth`]: {
    id: 'getMarketDepth',
    about:
      'For each level, about the largest trade whose average price, fees included, is at most so many percent below the reference; accurate to about 1 percent. Kept for ten seconds for each pair and levels.',
    ask: `${market}/depth?input=${WAX}&output=${TLM}&impact=0.5,1,2,5`,
    failures: [
      failure(400, 'Both tokens are the same.', `${market}/depth?input=${WAX}&output=${WAX}`),
      failure(
        400,
        'The levels are not 1 to 10 numbers from 0 to 100.',
        `${market}/depth?input=${WAX}&output=${TLM}&impact=x`,
      ),
      failure(404, 'A token is unknown.', `${market}/depth?input=none-nobody&output=${WAX}`),
    ],
  },
  [`GET ${market}/pools`]: {
    id: 'getMarketPools',
    ask: `${market}/pools?token=${TLM}`,
    failures: [badFilter('pools')],
  },
  [`GET ${market}/pools/{poolId}`]: {
    id: 'getMarketPool',
    ask: `${market}/pools/2`,
    failures: [
      failure(400, 'The id is no whole number.', `${market}/pools/x`),
      failure(404, 'No pool has this id.', `${market}/pools/${NO_ID}`),
    ],
    takes: { poolId: { type: 'integer', minimum: 0 } },
  },
  [`GET ${market}/orderbooks`]: {
    id: 'getMarketOrderBooks',
    about: 'Base and quote as the contract names them: the reverse of the tickers.',
    ask: `${market}/orderbooks?token=${TLM}`,
    failures: [badFilter('orderbooks')],
  },
  [`GET ${market}/orderbooks/{marketId}`]: {
    id: 'getMarketOrderBook',
    about: 'With the best 20 orders a side. Prices are base per one quote, as the contract names them.',
    ask: `${market}/orderbooks/0`,
    failures: [
      failure(400, 'The id is no whole number.', `${market}/orderbooks/x`),
      failure(404, 'No market has this id.', `${market}/orderbooks/${NO_ID}`),
    ],
    takes: { marketId: { type: 'integer', minimum: 0 } },
  },
}
