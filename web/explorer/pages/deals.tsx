// Newest trades of an order-book market, with the accounts of both sides.
import { short } from '../core/numbers.ts'
import type { Answer } from '../data/answers.ts'
import { to } from '../data/place.ts'
import type { Fact, Get } from '../data/types.ts'
import { Panel, Price, Scroll, TxLink, When } from '../parts/basics.tsx'
import { Note, Shown } from '../parts/states.tsx'

export type Deals = Get<'/api/v3/explore/market/{marketId}/trades'>

export function DealTable({ answer, base, quote }: { answer: Answer<Deals>; base: string; quote: string }) {
  return (
    <Panel title="Trades" id="trades-title">
      <Shown answer={answer} what="the trades of this market" lines={8}>
        {({ facts }) =>
          facts.length === 0 ? (
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
                    <th scope="col">Taker</th>
                    <th scope="col" class="end">
                      Tx
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {facts.map((fact) => (
                    <DealRow key={fact.sequence} fact={fact} base={base} quote={quote} />
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

function DealRow({ fact, base, quote }: { fact: Fact; base: string; quote: string }) {
  const { row, sequence, time, transaction } = fact
  const isBuy = row.type === 'buymatch'
  const tone = isBuy ? 'up' : 'down'
  // The order that took is the bid of the log, whichever side it is on.
  const [taker, maker, at, traded, paid] = [
    row.bidder,
    row.asker,
    row.price,
    row.quantity_base,
    row.quantity_target,
  ].map(String) as [string, string, string, string, string]
  return (
    <tr data-id={sequence}>
      <td class="nowrap at">
        <When at={time} />
      </td>
      <td class={`side ${tone}`}>{isBuy ? 'Buy' : 'Sell'}</td>
      <td class={`end rate ${tone}`}>
        <Price value={at} unit={quote} />
      </td>
      <td class="end amount base" data-unit={base} title={traded}>
        {short(traded)}
      </td>
      <td class="end amount quote" data-unit={quote} title={paid}>
        {short(paid)}
      </td>
      <td class="nowrap who">
        <a class="account" href={to('account', taker)} title={`Taker ${taker}, maker ${maker}`}>
          {taker}
        </a>
      </td>
      <td class="end nowrap in">
        <TxLink id={transaction} />
      </td>
    </tr>
  )
}
