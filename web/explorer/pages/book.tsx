// An order-book market: chart, orders, depth, trades and facts.
import { useEffect } from 'preact/hooks'
import { ChartPanel } from '../chart/chart-panel.tsx'
import { knownVolume } from '../core/market-rows.ts'
import { percent, short } from '../core/numbers.ts'
import { useAnswer } from '../data/answers.ts'
import { chain, to } from '../data/place.ts'
import { useChannel, usePulse } from '../data/stream.ts'
import type { Get, MarketBook, PairItem } from '../data/types.ts'
import { Badge, Change, Facts, PairMarks, Panel, Price, Scroll, TxLink, Usd, When } from '../parts/basics.tsx'
import { SamePair } from '../parts/same-pair.tsx'
import { Loading, Note, Shown } from '../parts/states.tsx'
import { OrderBook } from './order-book.tsx'
import { Figure, Missing } from './pool.tsx'
import { RouteBox } from './route-box.tsx'

export function BookPage({ id }: { id: number }) {
  const of = chain.value
  const first = useAnswer<{ orderbook: MarketBook }>(of, `/api/v3/market/orderbooks/${id}`, 30_000)
  const message = useChannel(of, 'orderbook', id)
  const pulse = usePulse(message)
  const facts = useAnswer<{ market: PairItem }>(of, `/api/v3/analytics/spot-pairs/${id}?window=24h`, 15_000)
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
  return <Loaded book={book} item={facts.value?.market ?? null} pulse={pulse} />
}

function Loaded({ book, item, pulse }: { book: MarketBook; item: PairItem | null; pulse: number }) {
  // The contract names them the other way round: its base is what prices are in.
  const [base, quote] = [book.quote, book.base]
  const ticker = `${base.id}_${quote.id}`
  // 0 before the first trade.
  const last = item?.price.last || null
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
            <Price value={last} unit={quote.symbol} /> {last === null ? null : <small>{quote.symbol}</small>}
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
          <Trades ticker={ticker} base={base.symbol} quote={quote.symbol} pulse={pulse} />
        </div>
      </div>
    </>
  )
}

/** Also without the stream. */
const REFRESH_MS = 15_000

type Trade = Get<'/api/v2/tickers/{tickerId}/historical_trades'>[number]

function Trades({ ticker, base, quote, pulse }: { ticker: string; base: string; quote: string; pulse: number }) {
  const answer = useAnswer<Trade[]>(chain.value, `/api/v2/tickers/${ticker}/historical_trades?limit=50`, REFRESH_MS)
  useEffect(() => {
    if (pulse > 0) answer.again()
  }, [pulse])
  return (
    <Panel title="Trades" id="trades-title">
      <Shown answer={answer} what="the trades of this market" lines={8}>
        {(trades) =>
          trades.length === 0 ? (
            <Note title="No trades yet" />
          ) : (
            <Scroll label="trades">
              <table class="list trades">
                <thead>
                  <tr>
                    <th scope="col">Time</th>
                    <th scope="col">Side</th>
                    <th scope="col" class="end">
                      Price
                    </th>
                    <th scope="col" class="end">
                      {base}
                    </th>
                    <th scope="col" class="end">
                      {quote}
                    </th>
                    <th scope="col" class="end">
                      Tx
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {trades.toReversed().map((trade) => (
                    <tr key={trade.trade_id} data-id={trade.trade_id}>
                      <td class="nowrap at">
                        <When at={Number(trade.trade_timestamp) * 1000} />
                      </td>
                      <td class={`side ${trade.type === 'buy' ? 'up' : 'down'}`}>
                        {trade.type === 'buy' ? 'Buy' : 'Sell'}
                      </td>
                      <td class={`end rate ${trade.type === 'buy' ? 'up' : 'down'}`}>
                        <Price value={trade.price} unit={quote} />
                      </td>
                      <td class="end amount base" data-unit={base} title={String(trade.base_volume)}>
                        {short(trade.base_volume)}
                      </td>
                      <td class="end amount quote" data-unit={quote} title={String(trade.target_volume)}>
                        {short(trade.target_volume)}
                      </td>
                      <td class="end nowrap in">
                        <TxLink id={trade.trx_id} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )
        }
      </Shown>
    </Panel>
  )
}
