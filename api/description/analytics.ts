// Operations of analytics, of charting libraries (UDF) and of the on-chain feed.
import { failure, type Operations, type ParameterSchema } from './operation.ts'

const v2 = '/api/v2/analytics'
const v3 = '/api/v3/analytics'
const udf = '/api/v3/udf'
const onchain = '/api/v3/feed/onchain'

const WINDOW: ParameterSchema = { type: 'string', enum: ['24h', '7d', '30d', '90d', 'all'], default: '30d' }
const ORDER: ParameterSchema = { type: 'string', enum: ['asc', 'desc'], default: 'desc' }
const PAGED: Record<string, ParameterSchema> = {
  window: WINDOW,
  page: { type: 'integer', minimum: 1, default: 1 },
  limit: { type: 'integer', minimum: 0, default: 50 },
  order: ORDER,
}
const sorts = (...names: string[]): ParameterSchema => ({ type: 'string', enum: names, default: names[0] as string })
const ID: ParameterSchema = { type: 'integer', minimum: 0 }
const LISTS = 'All values are USD. A page or limit out of range is brought into it: at most 500 items a page.'

export const ANALYTICS: Operations = {
  [`GET ${v3}/overview`]: {
    id: 'getOverview',
    about: 'Sums and charts of the window, and the ten top pools, tokens and markets. All values are USD.',
    ask: `${v3}/overview?window=24h`,
    takes: { window: WINDOW },
  },
  [`GET ${v3}/tokens`]: {
    id: 'getTokenAnalytics',
    about: LISTS,
    ask: `${v3}/tokens?limit=2`,
    takes: { ...PAGED, sort: sorts('score', 'volume', 'tvl', 'locked', 'holders', 'age', 'tx', 'price') },
  },
  [`GET ${v3}/tokens/{tokenId}`]: {
    id: 'getTokenAnalyticsOf',
    about:
      'A token with all parts of its score, its project if one is known, and every pool and market that trades it.',
    ask: `${v3}/tokens/tlm-alien.worlds?window=24h`,
    failures: [failure(404, 'No token has this id.', `${v3}/tokens/none-nobody`)],
    takes: { window: WINDOW },
  },
  [`GET ${v3}/pools`]: {
    id: 'getPoolAnalytics',
    about: `${LISTS} \`apr\` is annualised over \`periodDays\` days; farm rewards are in it with \`include=incentives\`, swap counts with \`include=tx\`.`,
    ask: `${v3}/pools?limit=2&include=tx`,
    takes: { ...PAGED, sort: sorts('volume', 'tvl', 'apr') },
  },
  [`GET ${v3}/pools/{poolId}`]: {
    id: 'getPoolAnalyticsOf',
    ask: `${v3}/pools/2?window=24h`,
    failures: [
      failure(400, 'The id is not a whole number.', `${v3}/pools/x`),
      failure(404, 'No pool has this id.', `${v3}/pools/4000000000`),
    ],
    takes: { window: WINDOW, poolId: ID, incentives: sorts('active', 'finished', 'all') },
  },
  [`GET ${v3}/spot-pairs`]: {
    id: 'getSpotPairAnalytics',
    about: `${LISTS} Prices are quote per base.`,
    ask: `${v3}/spot-pairs?limit=2`,
    takes: { ...PAGED, sort: sorts('volume', 'price') },
  },
  [`GET ${v3}/spot-pairs/{marketId}`]: {
    id: 'getSpotPairAnalyticsOf',
    ask: `${v3}/spot-pairs/0`,
    failures: [
      failure(400, 'The id is not a whole number.', `${v3}/spot-pairs/x`),
      failure(404, 'No market has this id.', `${v3}/spot-pairs/4000000000`),
    ],
    takes: { window: WINDOW, marketId: ID },
  },
  [`GET ${v3}/global/charts`]: {
    id: 'getGlobalCharts',
    about:
      'Every bucket of the window, oldest first; the last one is in progress. A bucket without a known TVL has that of the one before it. A bucket without trades has volume and fees 0. Weeks begin on Monday, UTC.',
    ask: `${v3}/global/charts?window=24h&resolution=4h`,
    failures: [
      {
        status: 400,
        when: 'The answer would have more than 5,000 points.',
        body: {
          statusCode: 400,
          error: 'Bad Request',
          message: '5121 points are more than 5000: take a shorter window or longer buckets',
        },
      },
    ],
    takes: {
      window: WINDOW,
      resolution: { type: 'string', enum: ['1h', '4h', '1d', '1w'], default: '1d' },
    },
  },
  [`GET ${v3}/bans/accounts`]: { id: 'getBannedAccounts', ask: `${v3}/bans/accounts` },
  [`GET ${v2}/global`]: {
    id: 'getGlobalStats',
    about: 'TVL is that of the last hourly snapshot; volumes, fees and counts are sums over the period.',
    ask: `${v2}/global?resolution=1D`,
    takes: { resolution: { type: 'string', enum: ['1D', '1W', '1M'], default: '1D' } },
  },
  [`GET ${v2}/volume`]: {
    id: 'getVolume',
    about:
      'Meant for one UTC day at a time. `buckets` is the number of complete hours in the range: 24 for a full day.',
    ask: `${v2}/volume?start_time={dayStart}&end_time={dayEnd}`,
    failures: [
      failure(400, 'A time is missing, or the end is not after the start.', `${v2}/volume?start_time=2&end_time=1`),
    ],
  },
  [`GET ${v2}/charts`]: {
    id: 'getStatsHistory',
    about: 'One point an hour, for `ALL` one a day; oldest first.',
    ask: `${v2}/charts?resolution=1D`,
    failures: [failure(400, 'The resolution is missing or not in the list.', `${v2}/charts?resolution=x`)],
  },
  [`GET ${udf}/config`]: { id: 'getChartConfig', ask: `${udf}/config` },
  [`GET ${udf}/time`]: { id: 'getChartTime', ask: `${udf}/time` },
  [`GET ${udf}/symbols`]: {
    id: 'getChartSymbol',
    about: 'A symbol is `pool:<id>`, `market:<id>` or a ticker id.',
    ask: `${udf}/symbols?symbol=pool:2`,
    failures: [failure(404, 'There is no such symbol.', `${udf}/symbols?symbol=none`)],
  },
  [`GET ${udf}/search`]: { id: 'searchChartSymbols', ask: `${udf}/search?query=tlm&limit=2` },
  [`GET ${udf}/history`]: {
    id: 'getChartBars',
    about: 'Times are Unix seconds; `from` inclusive, `to` exclusive. `countback` counts back from `to`.',
    ask: `${udf}/history?symbol=pool:2&resolution=60&from=0&to={dayEnd}&countback=2`,
    failures: [
      failure(
        400,
        'A parameter is missing, or the resolution is not in the list.',
        `${udf}/history?symbol=pool:0&resolution=7&from=0&to=1`,
      ),
      failure(404, 'There is no such symbol.', `${udf}/history?symbol=none&resolution=60&from=0&to=1`),
    ],
  },
  [`GET ${onchain}/latest-block`]: {
    id: 'getLatestBlock',
    ask: `${onchain}/latest-block`,
    failures: [
      {
        status: 404,
        when: 'No block is irreversible yet.',
        body: { statusCode: 404, error: 'Not Found', message: 'No block is irreversible yet.' },
      },
    ],
  },
  [`GET ${onchain}/events`]: {
    id: 'getOnchainEvents',
    about: 'Only irreversible blocks, so an answer never changes. At most 5,000 blocks at once.',
    ask: `${onchain}/events?fromBlock={eventBlock}&toBlock={eventBlock}`,
    failures: [
      failure(
        400,
        'A block is missing, the range is empty or too long, or not all of it is irreversible and indexed.',
        `${onchain}/events?fromBlock=2&toBlock=1`,
      ),
    ],
  },
  [`GET ${onchain}/asset`]: {
    id: 'getOnchainAsset',
    ask: `${onchain}/asset?id=tlm-alien.worlds`,
    failures: [failure(404, 'No token has this id.', `${onchain}/asset?id=none-nobody`)],
  },
  [`GET ${onchain}/pair`]: {
    id: 'getOnchainPair',
    ask: `${onchain}/pair?id=2`,
    failures: [failure(404, 'No pool has this id.', `${onchain}/pair?id=4000000000`)],
  },
}
