// Operations of tokens, pools, order-book markets, the AMM feed and account history (v2).
import { failure, type Operations, type ParameterSchema, plainText } from './operation.ts'

const TLM = 'tlm-alien.worlds'
const WAX = 'wax-eosio.token'
const TICKER = `${TLM}_${WAX}`
const NO_TICKER = 'none-nobody_wax-eosio.token'
const tokens = '/api/v2/tokens'
const pools = '/api/v2/swap/pools'
const tickers = '/api/v2/tickers'

const POOL_ID: Record<string, ParameterSchema> = { poolId: { type: 'integer', minimum: 0 } }
const badPool = (rest: string) => failure(400, 'The pool id is no whole number.', `${pools}/x${rest}`)
const noMarket = (rest: string, path = '') =>
  failure(404, 'No market has this ticker id.', `${tickers}/${NO_TICKER}${path}${rest}`)
const BAD_SIDE = 'The type is neither `buy` nor `sell`.'
const CANDLES =
  'Periods without a trade are flat candles at the last price. At most 5,000 candles; with more in the range, the newest.'
const NOT_READY = { status: 409, when: 'Nothing of the chain is indexed yet, or the chain is being filled.' }

export const EXCHANGE: Operations = {
  [`GET ${tokens}`]: {
    id: 'getTokens',
    about:
      'Every token that a pool or a market trades, and the system token. `system_price` and `usd_price` are 0 for tokens without a price and on the scam lists; `safe_usd_price` is meant for valuing balances.',
    ask: tokens,
  },
  [`GET ${tokens}/{tokenId}`]: {
    id: 'getToken',
    about: 'A token id is `<symbol>-<contract>`, in any case.',
    ask: `${tokens}/${WAX}`,
    failures: [plainText(403, 'No token has this id.', `${tokens}/none-nobody`)],
  },
  [`GET ${tokens}/{tokenId}/score`]: {
    id: 'getTokenScore',
    about: 'How the score of 0 to 100 came about. A token without a score answers `{"score": 0}`.',
    ask: `${tokens}/${TLM}/score`,
  },
  [`GET ${tokens}/{tokenId}/logo`]: {
    id: 'getTokenLogo',
    type: 'image/*',
    about:
      'Looked for in the on-chain token registry, then in the exchange’s own logos, then in public token lists. Clients must follow redirects: 302 leads to the image.',
    ask: `${tokens}/${WAX}/logo`,
    failures: [failure(404, 'There is no logo of the token, or no such token.', `${tokens}/none-nobody/logo`)],
  },
  [`GET ${pools}`]: {
    id: 'getPools',
    about: 'Inactive pools too. With both tokens: the pools of the pair, in either order.',
    ask: `${pools}?tokenA=${TLM}&tokenB=${WAX}`,
  },
  [`GET ${pools}/{poolId}`]: { id: 'getPool', ask: `${pools}/2`, failures: [badPool('')], takes: POOL_ID },
  [`GET ${pools}/{poolId}/positions`]: {
    id: 'getPoolPositions',
    about: 'Amounts and fees are what the contract would pay at the block of the answer.',
    ask: `${pools}/2/positions`,
    failures: [badPool('/positions')],
    takes: POOL_ID,
  },
  [`GET ${pools}/{poolId}/swaps`]: {
    id: 'getPoolSwaps',
    about:
      'Amounts are from the pool’s side: what is positive entered it. A full page has a `Link` header to the next one, which neither repeats nor loses a swap.',
    ask: `${pools}/2/swaps?limit=2`,
    failures: [
      badPool('/swaps'),
      failure(400, 'A limit or a time is no number.', `${pools}/0/swaps?limit=x`),
      failure(400, 'The cursor does not belong to this list.', `${pools}/0/swaps?cursor=x`),
    ],
    takes: POOL_ID,
  },
  [`GET ${pools}/{poolId}/candles`]: {
    id: 'getPoolCandles',
    about: CANDLES,
    ask: `${pools}/2/candles?resolution=60&limit=2`,
    failures: [
      failure(400, 'The resolution is missing or none of the list.', `${pools}/0/candles?resolution=7`),
      failure(404, 'No pool has this id.', `${pools}/4000000000/candles?resolution=60`),
    ],
  },
  'GET /api/v2/swap/candles': {
    id: 'getPairCandles',
    about: `From the active pool of the pair with the highest TVL, in the order of the tokens as asked. ${CANDLES}`,
    ask: `/api/v2/swap/candles?tokenA=${TLM}&tokenB=${WAX}&resolution=60&limit=2`,
    failures: [
      failure(400, 'A token or the resolution is missing.', `/api/v2/swap/candles?tokenA=${TLM}&resolution=60`),
      failure(
        404,
        'The pair has no active pool.',
        `/api/v2/swap/candles?tokenA=none-nobody&tokenB=${WAX}&resolution=60`,
      ),
    ],
  },
  'GET /api/v3/swaps/newest': {
    id: 'getNewestSwaps',
    about: 'Up to the head block: a fork may take them back.',
    ask: '/api/v3/swaps/newest?limit=2',
    failures: [failure(400, 'The limit is no whole number.', '/api/v3/swaps/newest?limit=x')],
  },
  'GET /api/v2/pairs': { id: 'getPairs', ask: '/api/v2/pairs' },
  [`GET ${tickers}`]: {
    id: 'getTickers',
    about: 'Prices are target per one base. Volumes of 24 hours hold the AMM pools of the same pair too.',
    ask: tickers,
  },
  [`GET ${tickers}/{tickerId}`]: {
    id: 'getTicker',
    about: 'A ticker id is `<base token id>_<target token id>`, in any case.',
    ask: `${tickers}/${TICKER}`,
    failures: [noMarket('')],
  },
  [`GET ${tickers}/{tickerId}/orderbook`]: {
    id: 'getOrderBook',
    about:
      'Bids from the highest price, asks from the lowest, as `[price, quantity]` with quantities in base. Orders of one price are one level. Default `depth`: 300 levels a side; 0: the whole book.',
    ask: `${tickers}/${TICKER}/orderbook?depth=2`,
    failures: [
      failure(400, 'The depth is no whole number.', `${tickers}/${TICKER}/orderbook?depth=x`),
      noMarket('', '/orderbook'),
    ],
  },
  [`GET ${tickers}/{tickerId}/historical_trades`]: {
    id: 'getTrades',
    about: 'The newest trades of the range, oldest first. `type` is the taker’s side.',
    ask: `${tickers}/${TICKER}/historical_trades?limit=2`,
    failures: [
      failure(400, BAD_SIDE, `${tickers}/${TICKER}/historical_trades?type=x`),
      noMarket('', '/historical_trades'),
    ],
  },
  [`GET ${tickers}/{tickerId}/latest_trades`]: {
    id: 'getLatestTrades',
    about: 'Kept for older clients: use `historical_trades`.',
    ask: `${tickers}/${TICKER}/latest_trades?limit=2`,
    failures: [noMarket('', '/latest_trades')],
  },
  [`GET ${tickers}/{tickerId}/charts`]: {
    id: 'getMarketCandles',
    about: `Volumes are in the target token. ${CANDLES}`,
    ask: `${tickers}/${TICKER}/charts?resolution=60&from=0&limit=2`,
    failures: [
      failure(400, 'The resolution or `from` is missing or wrong.', `${tickers}/${TICKER}/charts?resolution=60`),
      noMarket('?resolution=60&from=0', '/charts'),
    ],
  },
  'GET /api/v2/amm/pairs': { id: 'getAmmPairs', ask: '/api/v2/amm/pairs?min_liquidity_usd=1000' },
  'GET /api/v2/amm/tickers': {
    id: 'getAmmTickers',
    about: 'One ticker a pool: pools of one pair with other fees share a ticker id and differ by `pool_id`.',
    ask: '/api/v2/amm/tickers?min_liquidity_usd=1000',
  },
  'GET /api/v2/amm/historical_trades': {
    id: 'getAmmTrades',
    about: 'The newest swaps of the range, oldest first. The order of the tokens in the ticker is the pool’s.',
    ask: `/api/v2/amm/historical_trades?ticker_id=${TICKER}&limit=2`,
    failures: [
      failure(400, 'The ticker id has another form.', '/api/v2/amm/historical_trades?ticker_id=x'),
      failure(400, BAD_SIDE, `/api/v2/amm/historical_trades?ticker_id=${TICKER}&type=x`),
      failure(404, 'The ticker has no active pool.', `/api/v2/amm/historical_trades?ticker_id=${NO_TICKER}`),
    ],
  },
  'GET /api/v2/account/{account}/positions': {
    id: 'getAccountPositions',
    ask: '/api/v2/account/{provider}/positions',
    failures: [failure(400, 'No account can have this name.', '/api/v2/account/NOBODY/positions')],
  },
  'GET /api/v2/account/{account}/positions-history': {
    id: 'getAccountPositionHistory',
    about: 'Liquidity added (`mint`) and removed (`burn`), and fees collected, with the USD prices of the time.',
    ask: '/api/v2/account/{provider}/positions-history?limit=2',
    failures: [failure(400, 'No account can have this name.', '/api/v2/account/NOBODY/positions-history')],
  },
  'GET /api/v2/account/{account}/swap-history': {
    id: 'getAccountSwaps',
    ask: '/api/v2/account/{trader}/swap-history?limit=2',
    failures: [failure(400, 'No account can have this name.', '/api/v2/account/NOBODY/swap-history')],
  },
  'GET /api/v2/account/{account}/deals': {
    id: 'getAccountDeals',
    about: '`from` and `to` count only together.',
    ask: '/api/v2/account/{trader}/deals?limit=2',
    failures: [
      failure(400, 'No account can have this name.', '/api/v2/account/NOBODY/deals'),
      failure(400, 'A market, a limit or a time is no number.', '/api/v2/account/alice/deals?market=x'),
    ],
  },
  'GET /api/v3/meta': {
    id: 'getMeta',
    about: 'Answered before a chain is indexed too: `block` is null then.',
    ask: '/api/v3/meta',
  },
  'GET /api/v3/digests': {
    id: 'getDigests',
    about: 'What `headwater compare` can compare with another database. Answered while the market is not loaded too.',
    ask: '/api/v3/digests',
    failures: [NOT_READY],
  },
  'GET /api/v3/digests/ranges': {
    id: 'getDigestRanges',
    about:
      'The range is divided into at most 16 parts. Parts longer than `leaf` blocks end at multiples of it, and their digests are made from stored ones. The digest of a table is a function of its rows in these blocks, the same on every instance.',
    ask: '/api/v3/digests/ranges?from={digestFrom}&to={digestTo}',
    failures: [
      failure(400, 'The range is not within `firstBlock` to `lastBlock`.', '/api/v3/digests/ranges?from=5&to=4'),
      NOT_READY,
      { status: 503, when: 'Many digests are being computed: ask again after `Retry-After`.' },
    ],
  },
  'GET /api/v3/digests/rows': {
    id: 'getDigestRows',
    about: 'At most 500 rows. Values are texts of PostgreSQL.',
    ask: '/api/v3/digests/rows?table=blocks&block={digestTo}',
    failures: [
      failure(400, 'The block is not within `firstBlock` to `lastBlock`.', '/api/v3/digests/rows?table=blocks&block=0'),
      failure(404, 'There is no such table.', '/api/v3/digests/rows?table=none&block=0'),
      NOT_READY,
      { status: 503, when: 'Many digests are being computed: ask again after `Retry-After`.' },
    ],
  },
  'GET /api/v2/config/scam-lists': { id: 'getScamLists', ask: '/api/v2/config/scam-lists' },
}
