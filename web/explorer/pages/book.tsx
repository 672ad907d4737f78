// An order-book market: chart, orders, depth, trades and facts.
import { ChartPanel } from '../chart/chart-panel.tsx'
import { knownVolume } from '../core/market-rows.ts'
import { percent } from '../core/numbers.ts'
import { type Answer, useAnswer } from '../data/answers.ts'
import { useAgain } from '../data/fact-stream.ts'
import { chain, to } from '../data/place.ts'
import { useChannel, usePulse } from '../data/stream.ts'
import type { MarketBook, PairItem } from '../data/types.ts'
import { useTitle } from '../data/use-title.ts'
import { Badge, Change, Facts, PairMarks, Panel, Price, Usd } from '../parts/basics.tsx'
import { SamePair } from '../parts/same-pair.tsx'
import { Loading, Shown } from '../parts/states.tsx'
import { type Deals, DealTable } from './deals.tsx'
import { OrderBook } from './order-book.tsx'
import { Figure, Missing } from './pool.tsx'
import { RouteBox } from './route-box.tsx'

export function BookPage({ id }: { id: number }) {
  const of = chain.value
  const first = useAnswer<{ orderbook: MarketBook }>(of, `/api/v3/market/orderbooks/${id}`, 30_000)
  const message = useChannel(of, 'orderbook', id)
  const pulse = usePulse(message)
  const facts = useAnswer<{ market: PairItem }>(of, `/api/v3/analytics/spot-pairs/${id}?window=24h`, 15_000)
  const trades = useAnswer<Deals>(of, `/api/v3/explore/market/${id}/trades?limit=50`, 15_000)
  useAgain(facts, { pulse })
  useAgain(trades, { pulse })
  const book =
    message === null ? (first.value?.orderbook ?? null) : ((message.orderbook as MarketBook | undefined) ?? null)
  if (book === null) {
    if (message !== null || first.state === 'missing') return <Missing what={`Market ${id}`} />
    return (
      <Shown answer={first} what="this market" lines={12}>
        {() => <Loading lines={12} />}
      </Shown>
    )
  }
  return <Loaded book={book} item={facts.value?.market ?? null} trades={trades} pulse={pulse} />
}

interface LoadedProps {
  book: MarketBook
  item: PairItem | null
  trades: Answer<Deals>
  pulse: number
}

function Loaded({ book, item, trades, pulse }: LoadedProps) {
  // The contract names them the other way round: its base is what prices are in.
  const [base, quote] = [book.quote, book.base]
  const ticker = `${base.id}_${quote.id}`
  useTitle(`${base.symbol}/${quote.symbol} order book`)
  // The list of trades is renewed with each block, so the price in the heading and the newest row are one.
  const last = lastPrice(trades.value, item)
  return (
    <>
      <div class="heading market-head">
        <PairMarks base={base} quote={quote} />
        <h1 tabIndex={-1}>
          <a href={to('token', base.id)}>{base.symbol}</a>
          <span class="quiet">/</span>
          <a href={to('token', quote.id)}>{quote.symbol}</a>
        </h1>
        <Badge tone="order">Order book</Badge>
        {book.frozen ? <Badge tone="pending">Frozen</Badge> : null}
        <div class="figures">
          <strong class="big" data-is="price">
            <Price value={last} unit={quote.symbol} meaning="price of the newest trade" />{' '}
            {last === null ? null : <small>{quote.symbol}</small>}
          </strong>
          <Figure name="24h">
            <Change percent={last === null ? null : item?.price.change24h} />
          </Figure>
          <Figure name="Volume 24h">
            <Usd value={item && knownVolume(item.volume)} />
          </Figure>
          <Figure name="Bids">
            <Usd value={item?.orders.bidDepthUsd} />
          </Figure>
          <Figure name="Asks">
            <Usd value={item?.orders.askDepthUsd} />
          </Figure>
        </div>
      </div>
      <SamePair tokens={[base, quote]} own={{ kind: 'market', id: book.id }} />
      <div class="market-grid">
        <div class="chart-area">
          <ChartPanel
            source={{ kind: 'market', ticker }}
            own={{ kind: 'market', id: book.id }}
            name={`${base.symbol}/${quote.symbol}`}
            pulse={pulse}
            unit={quote.symbol}
          />
        </div>
        <div class="side-area">
          <OrderBook book={book} />
          <RouteBox tokens={[base, quote]} />
          <Panel title="Contract" id="contract-title">
            <Facts
              rows={[
                ['Market', `#${book.id}`],
                [base.symbol, <a href={to('token', base.id)}>{base.contract}</a>],
                [quote.symbol, <a href={to('token', quote.id)}>{quote.contract}</a>],
                ['Fee', percent(book.fee)],
                ['State', book.frozen ? 'frozen' : 'open'],
              ]}
            />
          </Panel>
        </div>
        <div class="list-area">
          <DealTable answer={trades} base={base.symbol} quote={quote.symbol} />
        </div>
      </div>
    </>
  )
}

/** Price of the newest trade; null before the first. The analytics give 0 then. */
function lastPrice(trades: Deals | null, item: PairItem | null): number | string | null {
  const newest = trades?.facts[0]
  return newest === undefined ? item?.price.last || null : String(newest.row.price)
}
