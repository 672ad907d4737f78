// The best orders of a market with their sums, and the depth as a picture.
import { useMemo } from 'preact/hooks'
import { alignedPrices, grouped, price, short } from '../core/numbers.ts'
import { type BookLevel, bookSides } from '../core/order-book.ts'
import { query, setQuery } from '../data/place.ts'
import type { MarketBook } from '../data/types.ts'
import { Choice, Panel, Percent } from '../parts/basics.tsx'
import { Note } from '../parts/states.tsx'

const ROWS = 12
const VIEWS = [
  ['orders', 'Orders'],
  ['depth', 'Depth'],
] as const

export function OrderBook({ book }: { book: MarketBook }) {
  const view = query.value.get('book') === 'depth' ? 'depth' : 'orders'
  const { bids = [], asks = [] } = book
  const sides = useMemo(() => bookSides(bids, asks, ROWS), [book])
  const shown = useMemo(() => alignedPrices([...sides.asks, ...sides.bids].map((level) => level.price)), [sides])
  const isEmpty = bids.length === 0 && asks.length === 0
  return (
    <Panel
      title="Order book"
      id="book-title"
      aside={
        <Choice
          name="View of the order book"
          value={view}
          options={VIEWS}
          onChoose={(value) => setQuery({ book: value === 'depth' ? value : null })}
        />
      }
    >
      {isEmpty ? (
        <Note title="No open orders" />
      ) : view === 'depth' ? (
        <Depth bids={sides.bids} asks={sides.asks} unit={book.base.symbol} />
      ) : (
        <table class="book">
          <thead>
            <tr>
              <th scope="col">Price {book.base.symbol}</th>
              <th scope="col" class="end">
                {book.quote.symbol}
              </th>
              <th scope="col" class="end">
                Total
              </th>
            </tr>
          </thead>
          <tbody class="asks">
            {sides.asks.toReversed().map((level) => (
              <Level key={level.price} level={level} shown={shown(level.price)} side="down" />
            ))}
          </tbody>
          <tbody>
            <tr class="spread">
              <td>{shown(sides.mid)}</td>
              <td colSpan={2} class="end quiet">
                spread <Percent value={sides.spread} />
              </td>
            </tr>
          </tbody>
          <tbody class="bids">
            {sides.bids.map((level) => (
              <Level key={level.price} level={level} shown={shown(level.price)} side="up" />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

function Level({ level, shown, side }: { level: BookLevel; shown: string; side: 'up' | 'down' }) {
  const { price: at, amount, total, share, orders } = level
  return (
    <tr
      title={`${grouped(amount)} in ${orders === 1 ? 'one order' : `${orders} orders`} at ${at}; ${grouped(total)} up to here`}
    >
      <td class={side}>{shown}</td>
      <td class="end amount">{short(amount)}</td>
      <td class="end amount">
        <span class={`share ${side}`} style={{ width: `${(share * 100).toFixed(1)}%` }} aria-hidden="true" />
        {short(total)}
      </td>
    </tr>
  )
}

const [WIDTH, HEIGHT] = [200, 100]

function Depth({ bids, asks, unit }: { bids: readonly BookLevel[]; asks: readonly BookLevel[]; unit: string }) {
  const prices = [...bids, ...asks].map((level) => Number(level.price))
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const x = (text: string) => (high === low ? WIDTH / 2 : ((Number(text) - low) / (high - low)) * WIDTH)
  const y = (share: number) => HEIGHT - share * (HEIGHT - 4)
  const area = (levels: readonly BookLevel[]) => {
    if (levels.length === 0) return ''
    let path = `M${x(levels[0]?.price as string)},${HEIGHT}`
    for (const { price: at, share } of levels) path += ` H${x(at).toFixed(2)} V${y(share).toFixed(2)}`
    return `${path} V${HEIGHT} Z`
  }
  return (
    <figure class="depth">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Depth from ${price(low)} to ${price(high)} ${unit}`}
      >
        <path class="bid" d={area(bids)} />
        <path class="ask" d={area(asks)} />
      </svg>
      <figcaption class="quiet">
        <span>{price(low)}</span>
        <span>{unit}</span>
        <span>{price(high)}</span>
      </figcaption>
    </figure>
  )
}
