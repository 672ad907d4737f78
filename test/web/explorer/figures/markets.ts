// Figures of the pages of markets: the list, a pool, an order book.
import { Decimal } from 'decimal.js'
import type { Claims } from './collect.ts'
import { amount, cells, dollars, type Get, type Json, plain, share, transaction } from './facts.ts'
import { change, count, percent, price, short, when } from './format.ts'

export const volumeOf = ({ usd, withoutUsd }: Json) => (usd === 0 && withoutUsd > 0 ? null : usd)

/** Price of A in B, in whole tokens. */
function priceAt(tick: number, { tokenA, tokenB }: Json): string {
  return price(
    new Decimal('1.0001')
      .pow(tick)
      .mul(new Decimal(10).pow(tokenA.decimals - tokenB.decimals))
      .toNumber(),
  )
}

/** A row of a table of markets. Prices and values of pools follow the stream: they are those of the market API. */
async function poolLine(get: Get, item: Json): Promise<string> {
  const { pool } = await get(`/api/v3/market/pools/${item.id}`)
  const live = Number(pool.price)
  const farm = item.incentives?.some(({ isFinished }: Json) => !isFinished) ? 'Farm ' : ''
  return cells(
    `${item.tokenA.symbol}/${item.tokenB.symbol} ${percent(item.fee / 10_000)} ${farm}#${item.id}`,
    `‹${live} ${item.tokenB.symbol}› ${price(live)} ${item.tokenB.symbol}`,
    change(item.price.bPerA ? item.price.change24h : null),
    dollars(volumeOf(item.volume)),
    dollars(pool.tvlUsd),
    count(item.tx?.swaps),
    share(item.liquidity.tvl > 0 ? item.apr.total : null),
  )
}

function bookLine(item: Json): string {
  const [base, quote] = [item.base.symbol.name, item.quote.symbol.name]
  const last = item.price.last || null
  return cells(
    `${base}/${quote} Book ${percent(item.feePercent)} #${item.id}`,
    last === null ? price(null) : `‹${last} ${quote}› ${price(last)} ${quote}`,
    change(last === null ? null : item.price.change24h),
    dollars(volumeOf(item.volume)),
    dollars(item.orders.bidDepthUsd + item.orders.askDepthUsd || null),
    count(item.tx.matches),
    '–',
  )
}

/** Each row by its key, so that the order may be any. */
export async function marketRows(get: Get, pools: Json[], pairs: Json[]): Promise<Claims> {
  const rows: [string, string[]][] = pairs.map((item) => [`[data-key="wax/market/${item.id}"]`, [bookLine(item)]])
  for (const item of pools) rows.push([`[data-key="wax/pool/${item.id}"]`, [await poolLine(get, item)]])
  return Object.fromEntries(rows)
}

export const MARKET_HEADS = ['24h', 'Volume 24h']

export async function marketsPage(get: Get): Promise<Claims> {
  const { stats } = await get('/api/v3/analytics/overview?window=24h')
  const list = (name: string, more = '') => get(`/api/v3/analytics/${name}?limit=500&window=24h&hide_scam=true${more}`)
  const pools = await list('pools', '&include=incentives,tx')
  const pairs = await list('spot-pairs')
  const shown = count(pools.total + pairs.total)
  const scams = stats.poolsTotal + stats.spotPairsTotal - pools.total - pairs.total
  return {
    '.tile': [
      `Value locked ${dollars(stats.tvl)} Value locked by day, last 30 days`,
      `Volume 24h ${dollars(stats.volume)} Volume by day, last 30 days`,
      `Fees 24h ${dollars(stats.fees)}`,
      `Trades 24h ${count(stats.swapTx + stats.spotTx)}`,
      `Markets ${count(stats.poolsTotal)} pools · ${count(stats.spotPairsTotal)} books`,
    ],
    '.filters .count': [`${shown} of ${shown} markets`],
    ...(scams === 0
      ? {}
      : { '.scams': [`${scams} market is not listed: one of its tokens is on the scam list. Show`] }),
    '.markets thead th:is(:nth-child(3), :nth-child(4))': MARKET_HEADS,
    '.markets thead th:last-child': [LAST_DAY],
    ...(await marketRows(get, pools.items, pairs.items)),
  }
}

export const LAST_DAY = '‹Price by hour, from 24 hours ago until now› Last day'

/** The last candle, as the chart reads it. */
async function reading(get: Get, path: string, unit: string, isUsd: boolean): Promise<string> {
  const candles = await get(path)
  const { open, high, low, close, volume } = candles.at(-1)
  const traded = isUsd ? dollars(volume) : `‹${plain(volume)} ${unit}› ${short(volume)} ${unit}`
  const at = (value: number | string) => `‹${plain(value)} ${unit}› ${price(value)}`
  const hint = '‹A click on a candle, or the arrow keys in the chart, keep the figures of a candle here›'
  return `${hint} O ${at(open)} H ${at(high)} L ${at(low)} C ${at(close)} ${unit} Vol ${traded}`
}

/** The last candle, as a screen reader says it. */
function spoken({ open, high, low, close }: Json, unit: string): string {
  const prices = Object.entries({ open, high, low, close }).map(([name, value]) => `${name} ${price(value)}`)
  return `«newest candle: ${prices.join(', ')} ${unit}»`
}

const RESOLUTIONS = 'Resolution 1m 5m 15m 1h 4h 1D 1W'

async function samePair(get: Get, ids: string[], own: string): Promise<string[]> {
  const { pools } = await get('/api/v3/market/pools')
  const { orderbooks } = await get('/api/v3/market/orderbooks')
  const isPair = (...tokens: Json[]) => tokens.every(({ id }) => ids.includes(id))
  return [
    ...orderbooks
      .filter(({ id, base, quote }: Json) => isPair(base, quote) && `market ${id}` !== own)
      .map(() => 'Order book'),
    ...pools
      .filter(({ id, tokenA, tokenB, active }: Json) => active && isPair(tokenA, tokenB) && `pool ${id}` !== own)
      .map(({ fee }: Json) => `Pool ${fee}%`),
  ]
}

/** Ends of a position's range as prices. */
export function rangeOf({ tickLower, tickUpper, inRange }: Json, pool: Json): string {
  const widest = Math.floor(443_636 / pool.tickSpacing) * pool.tickSpacing
  if (tickLower === -widest && tickUpper === widest) return 'full range'
  return `${priceAt(tickLower, pool)} – ${priceAt(tickUpper, pool)}${inRange ? '' : ' (out of range)'}`
}

function positionCells(position: Json, pool: Json): string[] {
  return [
    rangeOf(position, pool),
    dollars(position.valueUsd),
    dollars(position.feesValueUsd),
    `${amount(position.amountA, pool.tokenA.symbol)} ${amount(position.amountB, pool.tokenB.symbol)}`,
  ]
}

export async function poolPage(get: Get, id: number, now: number): Promise<Claims> {
  const { pool } = await get(`/api/v3/market/pools/${id}`)
  const item = (await get(`/api/v3/analytics/pools/${id}?window=24h&include=incentives`)).pool
  const { facts: swaps } = await get(`/api/v3/explore/pool/${id}/trades?limit=50`)
  const { tokenA: a, tokenB: b } = pool
  const { tick } = pool
  const farms = (item.incentives ?? []).filter(({ isFinished }: Json) => !isFinished)
  const bars = Array.from({ length: 61 }, (_, i) => [
    tick - 4000 + (i * 8000) / 61,
    tick - 4000 + ((i + 1) * 8000) / 61,
  ])
  const range = bars.map(
    ([from, to]) => `${priceAt(from as number, pool)} to ${priceAt(to as number, pool)} ${b.symbol}`,
  )
  const [low, mid, high] = [tick - 4000, tick, tick + 4000].map((at) => priceAt(at, pool))
  const read = await reading(get, `/api/v2/swap/pools/${id}/candles?resolution=60&limit=5`, b.symbol, true)
  const last = (await get(`/api/v2/swap/pools/${id}/candles?resolution=60&limit=5`)).at(-1)
  return {
    '.market-head': [
      `${a.symbol} / ${b.symbol} Pool ${percent(pool.fee)} ‹${pool.price} ${b.symbol} · price in the pool now, before its fee› ${price(pool.price)} ${b.symbol} ` +
        `24h ${change(item.price.change24h)} Volume 24h ${dollars(volumeOf(item.volume))} ` +
        `Liquidity ${dollars(pool.tvlUsd)} APR 7d ${share(item.liquidity.tvl > 0 ? item.apr.total : null)}`,
    ],
    '.same-pair a': await samePair(get, [a.id, b.id], `pool ${id}`),
    '.choice': [RESOLUTIONS, 'Range of prices ±5% ±50% ×5'],
    '.chart-panel .reading': [read],
    '.chart': [spoken(last, b.symbol)],
    '.liquidity': [
      `«Liquidity from ${low} to ${high} ${b.symbol}» ${range.join(' ')} ${low} ${mid} ${b.symbol} ${high}`,
    ],
    '.facts > div': [
      `Pool | #${id}`,
      `${a.symbol} | ${a.contract}`,
      `${b.symbol} | ${b.contract}`,
      `Reserve | ${plain(pool.reserveA)} ${a.symbol}`,
      `Reserve | ${plain(pool.reserveB)} ${b.symbol}`,
      `Fee | ${percent(pool.fee)}`,
      `Tick | ${tick} (spacing ${pool.tickSpacing})`,
      `Liquidity | ${plain(pool.liquidity)}`,
      `√price × 2⁶⁴ | ${plain(pool.sqrtPriceX64)}`,
      ...farms.map(
        ({ incentiveId, reward, rewardPerDay, apr, daysRemain }: Json) =>
          `Farm ${incentiveId} | ‹${plain(rewardPerDay)} ${reward.symbol}› ${price(rewardPerDay)} ${reward.symbol} a day, ${share(apr)} APR, ${daysRemain} days left`,
      ),
    ],
    '.trades tbody tr': swaps.map(({ time, transaction: trx, row }: Json) => {
      const [inA, inB] = [row.quantity_a, row.quantity_b].map((text: string) => text.replace('-', '')) as [
        string,
        string,
      ]
      const rate = Number(inB) / Number(inA)
      return cells(
        when(time, now),
        row.quantity_a.startsWith('-') ? 'Buy' : 'Sell',
        `‹${plain(inA)} ${a.symbol}› ${short(inA)}`,
        `‹${plain(inB)} ${b.symbol}› ${short(inB)}`,
        `‹${plain(rate)} ${b.symbol} · price paid, fee included› ${price(rate)}`,
        dollars(row.usd),
        row.sender,
        transaction(trx),
      )
    }),
  }
}

/** Exact texts that the buttons of a pool's page copy. */
export async function poolCopies(get: Get, id: number): Promise<string[]> {
  const { pool } = await get(`/api/v3/market/pools/${id}`)
  const candles = await get(`/api/v2/swap/pools/${id}/candles?resolution=60&limit=5`)
  const { time, open, high, low, close, volume } = candles.at(-1)
  const candle = [new Date(time).toISOString(), open, high, low, close, volume].join('\t')
  return [candle, pool.reserveA, pool.reserveB, pool.liquidity, pool.sqrtPriceX64]
}

export async function poolPositions(get: Get, id: number): Promise<Claims> {
  const { pool } = await get(`/api/v3/market/pools/${id}`)
  const { positions, next } = await get(`/api/v3/explore/pool/${id}/positions?limit=50`)
  const which = next === null ? 'All open positions' : `The ${positions.length} positions with the most liquidity`
  return {
    '#pool-tab .note-line': [`${which}, the most liquidity first.`],
    '#pool-tab tbody tr': positions.map((one: Json) =>
      cells(`${one.owner} #${one.id}${one.locked ? ' locked' : ''}`, ...positionCells(one, pool)),
    ),
  }
}

/** The route of an amount of the first token of a market's page. */
export async function routeBox(get: Get, [input, output]: readonly [Json, Json], typed: string): Promise<Claims> {
  const route = await get(
    `/api/v3/swapRouter/getRoute?tradeType=exactIn&input=${input.id}&output=${output.id}&amount=${typed}`,
  )
  const symbolOf = (id: string) => id.split('-')[0]?.toUpperCase()
  return {
    '.receive': [`Receive ${output.symbol} ${plain(route.output.amount)}`],
    '.paths li': route.routes.map(({ percent: part, hops }: Json) =>
      [
        `${percent(part)} ${symbolOf(hops[0].input)}`,
        ...hops.map(
          (hop: Json) =>
            `→ ${hop.venue === 'amm' ? `pool ${hop.pool}` : `book ${hop.market}`} → ${symbolOf(hop.output)}`,
        ),
      ].join(' '),
    ),
    '.panel:has(.route-form) .facts > div': [
      `You pay | ${plain(new Decimal(typed).toFixed(input.decimals))} ${input.symbol}`,
      `Price | ‹${plain(Number(route.output.amount) / Number(route.input.amount))} ${output.symbol}› ${price(new Decimal(route.output.amount).div(route.input.amount).toNumber())} ${output.symbol}`,
      `Price impact | ${share(route.priceImpact)}`,
      `Guaranteed minimum | ${plain(route.minReceived)} ${output.symbol}`,
    ],
  }
}

/** Levels of one side: orders of a price together, with the sum so far. */
function levels(orders: Json[]): { at: string; amount: Decimal; total: Decimal; orders: number }[] {
  const byPrice = new Map<string, Json[]>()
  for (const order of orders) byPrice.set(order.price, [...(byPrice.get(order.price) ?? []), order])
  let total = new Decimal(0)
  return [...byPrice].map(([at, some]) => {
    const sum = some.reduce((all, { amount }) => all.plus(amount), new Decimal(0))
    total = total.plus(sum)
    return { at, amount: sum, total, orders: some.length }
  })
}

/** The prices of a book have the same number of digits after the point. */
function evenly(prices: readonly number[]): (value: number) => string {
  const digits = Math.max(...prices.map((value) => (price(value).split('.')[1] ?? '').length))
  return (value) => value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function levelLine(
  { at, amount: sum, total, orders }: ReturnType<typeof levels>[number],
  places: number,
  shown: (value: number) => string,
): string {
  const [all, upTo] = [sum.toFixed(places), total.toFixed(places)]
  const title = `${plain(all)} in ${orders === 1 ? 'one order' : `${orders} orders`} at ${at}; ${plain(upTo)} up to here`
  return `‹${title}› ${cells(shown(Number(at)), short(all), short(upTo))}`
}

export async function bookPage(get: Get, id: number, now: number): Promise<Claims> {
  const { orderbook: book } = await get(`/api/v3/market/orderbooks/${id}`)
  const item = (await get(`/api/v3/analytics/spot-pairs/${id}?window=24h`)).market
  const [base, quote] = [book.quote, book.base]
  const ticker = `${base.id}_${quote.id}`
  const { facts: trades } = await get(`/api/v3/explore/market/${id}/trades?limit=50`)
  const candles = `/api/v2/tickers/${ticker}/charts?resolution=60&limit=5&from=0`
  const [bids, asks] = [levels(book.bids).slice(0, 12), levels(book.asks).slice(0, 12)]
  const [bid, ask] = [Number(book.bids[0].price), Number(book.asks[0].price)]
  const shown = evenly([...asks, ...bids].map(({ at }) => Number(at)))
  // The heading has the price of the newest trade.
  const last = trades[0].row.price
  const places = base.decimals
  return {
    '.market-head': [
      `${base.symbol} / ${quote.symbol} Order book ‹${plain(last)} ${quote.symbol} · price of the newest trade› ${price(last)} ${quote.symbol} ` +
        `24h ${change(item.price.change24h)} Volume 24h ${dollars(volumeOf(item.volume))} ` +
        `Bids ${dollars(item.orders.bidDepthUsd)} Asks ${dollars(item.orders.askDepthUsd)}`,
    ],
    '.same-pair a': await samePair(get, [base.id, quote.id], `market ${id}`),
    '.choice': [RESOLUTIONS, 'View of the order book Orders Depth'],
    '.chart-panel .reading': [await reading(get, candles, quote.symbol, false)],
    '.chart': [spoken((await get(candles)).at(-1), quote.symbol)],
    '.asks tr': asks.toReversed().map((level) => levelLine(level, places, shown)),
    '.bids tr': bids.map((level) => levelLine(level, places, shown)),
    '.spread': [cells(shown((bid + ask) / 2), `spread ${share(((ask - bid) / ((bid + ask) / 2)) * 100)}`)],
    '.facts > div': [
      `Market | #${id}`,
      `${base.symbol} | ${base.contract}`,
      `${quote.symbol} | ${quote.contract}`,
      `Fee | ${percent(book.fee)}`,
      `State | ${book.frozen ? 'frozen' : 'open'}`,
    ],
    '.trades tbody tr': trades.map(({ time, transaction: id, row }: Json) =>
      cells(
        when(time, now),
        row.type === 'buymatch' ? 'Buy' : 'Sell',
        `‹${plain(row.price)} ${quote.symbol}› ${price(row.price)}`,
        `‹${row.quantity_base}› ${short(row.quantity_base)}`,
        `‹${row.quantity_target}› ${short(row.quantity_target)}`,
        `‹Taker ${row.bidder}, maker ${row.asker}› ${row.bidder}`,
        transaction(id),
      ),
    ),
  }
}

/** The picture of the depth that replaces the orders. */
export async function depthView(get: Get, id: number): Promise<Claims> {
  const { orderbook: book } = await get(`/api/v3/market/orderbooks/${id}`)
  const prices = [...levels(book.bids).slice(0, 12), ...levels(book.asks).slice(0, 12)].map(({ at }) => Number(at))
  const [low, high] = [price(Math.min(...prices)), price(Math.max(...prices))]
  return { '.depth': [`«Depth from ${low} to ${high} ${book.base.symbol}» ${low} ${book.base.symbol} ${high}`] }
}
