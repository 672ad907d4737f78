// The table of markets. Only rows near the view exist; they follow the stream.
import { useEffect, useState } from 'preact/hooks'
import {
  type Column,
  dayLine,
  flashTone,
  keyOf,
  type MarketRow,
  nameOf,
  type Sorting,
  type Sourced,
} from '../core/market-rows.ts'
import { count, percent, price } from '../core/numbers.ts'
import { useLiveRow } from '../data/live-row.ts'
import { to } from '../data/place.ts'
import { useSpark } from '../data/sparks.ts'
import { Badge, Change, PairMarks, Percent, Usd } from '../parts/basics.tsx'
import { Line, toneOf } from '../parts/small-charts.tsx'
import { WindowedRows } from '../parts/windowed.tsx'

const HEADS: readonly (readonly [Column, string, string])[] = [
  ['name', 'Market', ''],
  ['price', 'Price', 'end'],
  ['change', '24h', 'end'],
  ['volume', 'Volume 24h', 'end middling'],
  ['liquidity', 'Liquidity', 'end wide'],
  ['trades', 'Trades', 'end wide'],
  ['apr', 'APR', 'end wide'],
]
const ROW_HEIGHT = 56

/** @param askedAt  when the request of the rows began, Unix milliseconds */
export function MarketTable({
  rows,
  askedAt,
  sorting,
  withChain,
  onSort,
}: {
  rows: readonly MarketRow[]
  askedAt: number
  sorting: Sorting
  withChain: boolean
  onSort(sorting: Sorting): void
}) {
  return (
    <table class="list markets" aria-rowcount={rows.length + 1}>
      <thead>
        <tr>
          {HEADS.map(([column, label, place]) => {
            const isSorted = sorting.column === column
            const direction = sorting.isDescending ? 'descending' : 'ascending'
            return (
              <th key={column} scope="col" class={place} aria-sort={isSorted ? direction : undefined}>
                <button
                  type="button"
                  onClick={() => onSort({ column, isDescending: isSorted ? !sorting.isDescending : column !== 'name' })}
                >
                  {label}
                  <span aria-hidden="true" class="arrow">
                    {isSorted ? (sorting.isDescending ? '↓' : '↑') : ''}
                  </span>
                </button>
              </th>
            )
          })}
          <th scope="col" class="end wide" title="Price by hour, from 24 hours ago until now">
            Last day
          </th>
        </tr>
      </thead>
      <WindowedRows count={rows.length} rowHeight={ROW_HEIGHT}>
        {(start, end) =>
          rows
            .slice(start, end)
            .map((row, i) => (
              <Row key={keyOf(row)} listed={row} askedAt={askedAt} index={start + i + 2} withChain={withChain} />
            ))
        }
      </WindowedRows>
    </table>
  )
}

interface RowProps {
  listed: MarketRow
  askedAt: number
  index: number
  withChain: boolean
}

function Row({ listed, askedAt, index, withChain }: RowProps) {
  const { row, live } = useLiveRow(listed, askedAt)
  const spark = useSpark(row)
  const shownPrice = live?.price ?? row.price
  // An unknown value is null in the stream, and 0 in the list.
  const liquidity = live === null ? row.liquidity || null : live.liquidity
  return (
    <tr aria-rowindex={index} data-key={keyOf(row)}>
      <th scope="row">
        <a class="market" href={to(row.kind, row.id, row.chain)}>
          <PairMarks base={row.base} quote={row.quote} of={row.chain} />
          <span class="names">
            <span class="pair">{nameOf(row)}</span>
            <span class="under">
              {withChain ? <Badge>{row.chain}</Badge> : null}
              {row.kind === 'pool' ? (
                <Badge tone="pool">{percent(row.fee)}</Badge>
              ) : (
                <Badge tone="order">Book {percent(row.fee)}</Badge>
              )}
              {row.isScam ? <Badge tone="failed">Scam</Badge> : null}
              {row.hasFarm ? <Badge tone="farm">Farm</Badge> : null}
              <span class="quiet">#{row.id}</span>
            </span>
          </span>
        </a>
      </th>
      <td class="end amount" data-is="price" title={shownPrice === null ? '' : `${shownPrice} ${row.quote.symbol}`}>
        <Flash value={shownPrice} source={live === null ? 'list' : 'stream'}>
          {price(shownPrice)}
        </Flash>
        {shownPrice === null ? null : <span class="quiet unit"> {row.quote.symbol}</span>}
      </td>
      <td class="end">
        <Change percent={row.change} />
      </td>
      <td class="end middling">
        <Usd value={row.volume} />
      </td>
      <td class="end wide">
        <Usd value={liquidity} />
      </td>
      <td class="end wide amount">{count(row.trades)}</td>
      <td class="end wide amount">{row.apr === null ? <span class="quiet">–</span> : <Percent value={row.apr} />}</td>
      <td class="end wide spark-cell">
        <Line values={dayLine(spark, row)} tone={toneOf(row.change ?? 0)} />
      </td>
    </tr>
  )
}

/** Shows for a moment that a value has risen or fallen. */
function Flash({ value, source, children }: Sourced & { children: string }) {
  const [[last, tone], setLast] = useState<[Sourced, string]>([{ value, source }, ''])
  useEffect(() => {
    if (value !== last.value || source !== last.source) setLast([{ value, source }, flashTone(last, { value, source })])
  }, [value, source, last])
  return (
    <span key={String(value)} class={tone}>
      {children}
    </span>
  )
}
