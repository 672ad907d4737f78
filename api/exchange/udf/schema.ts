// Schemas of the chart endpoints: the universal data feed of charting libraries.
import { Type } from 'typebox'
import { LIMITS } from '../../kit/limits.ts'

const Text = (description: string) => Type.String({ description })
const Num = (description: string) => Type.Number({ description })
const Yes = (description: string) => Type.Boolean({ description })
const Texts = (description: string) => Type.Array(Type.String(), { description })

export const UdfConfig = Type.Object({
  supported_resolutions: Texts('Resolutions of bars.'),
  supports_search: Yes('`search` is there.'),
  supports_group_request: Yes('Symbols are asked for one by one.'),
  supports_marks: Yes('No marks on bars.'),
  supports_timescale_marks: Yes('No marks on the time scale.'),
  supports_time: Yes('`time` is there.'),
  exchanges: Type.Array(Type.Object({ value: Type.String(), name: Type.String(), desc: Type.String() })),
  symbols_types: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
})

export const SymbolQuery = Type.Object({
  symbol: Text('`pool:<id>`, `market:<id>` or `<token id>_<token id>`.'),
})

export const UdfSymbol = Type.Object({
  name: Text('What charts show.'),
  ticker: Text('What finds it again.'),
  description: Text('In words.'),
  type: Text('`crypto`.'),
  session: Text('Open at all times.'),
  timezone: Text('`Etc/UTC`.'),
  exchange: Text('`amm` or `spot`.'),
  listed_exchange: Text('The same.'),
  format: Text('`price`.'),
  minmov: Num('Smallest step, in fractions of `pricescale`.'),
  pricescale: Num('Ten to the power of decimals shown.'),
  has_intraday: Yes('Minutes are there.'),
  has_daily: Yes('Days are there.'),
  has_weekly_and_monthly: Yes('Weeks and months are there.'),
  intraday_multipliers: Texts('Minutes of bars.'),
  supported_resolutions: Texts('Resolutions of bars.'),
  currency_code: Text('Symbol of the token that prices and volumes are in.'),
  volume_precision: Num('Decimals of volumes.'),
  data_status: Text('`streaming`.'),
})

export const SearchQuery = Type.Object({
  query: Type.Optional(Text('Part of a symbol, a token id or a description.')),
  type: Type.Optional(Text('Only of this type.')),
  exchange: Type.Optional(Text('Only of this exchange.')),
  limit: Type.Optional(
    Type.Integer({ description: 'Maximum number of items. Default 30, maximum 100; 0: the maximum.', minimum: 0 }),
  ),
})

export const Found = Type.Array(
  Type.Object({
    symbol: Text('What charts show.'),
    full_name: Text('The same, with the exchange.'),
    description: Text('In words.'),
    exchange: Text('`amm` or `spot`.'),
    ticker: Text('What finds it again.'),
    type: Text('`crypto`.'),
  }),
)

const LATEST_SECOND = 253_402_214_400
const second = (description: string) => Type.Number({ description, minimum: -LATEST_SECOND, maximum: LATEST_SECOND })

export const HistoryQuery = Type.Object({
  ...SymbolQuery.properties,
  resolution: Text('1, 5, 15, 30, 60, 240, 1D, 1W or 1M; D, W and M are the same as with a 1.'),
  from: second('Unix seconds: the first bar does not begin before.'),
  to: second('Unix seconds: the last bar begins before.'),
  countback: Type.Optional(
    Type.Integer({
      description: `Bars before \`to\`, at most ${LIMITS.candlesMost}; then \`from\` has no meaning.`,
      minimum: 0,
    }),
  ),
})

const numbers = (description: string) => Type.Optional(Type.Array(Type.Number(), { description }))

export const UdfHistory = Type.Object({
  s: Type.Enum(['ok', 'no_data'], { description: 'Whether there are bars in the range.' }),
  t: numbers('Starts of the bars, Unix seconds, ascending.'),
  o: numbers('Opening prices.'),
  h: numbers('Highest prices.'),
  l: numbers('Lowest prices.'),
  c: numbers('Closing prices.'),
  v: numbers('Volumes in the token that prices are in.'),
  nextTime: Type.Optional(Num('Where the last bar before the range begins, when there is one.')),
})
