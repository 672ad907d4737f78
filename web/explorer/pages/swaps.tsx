// Newest swaps of a pool. They are read again with each block that changes the pool.
import { grouped, short } from '../core/numbers.ts'
import { useAnswer } from '../data/answers.ts'
import { useAgain } from '../data/fact-stream.ts'
import { chain } from '../data/place.ts'
import type { Fact, Get, MarketPool } from '../data/types.ts'
import { Account, Price, Scroll, TxLink, Usd, When } from '../parts/basics.tsx'
import { Note, Shown } from '../parts/states.tsx'

type Swaps = Get<'/api/v3/explore/pool/{poolId}/trades'>

const ROWS = 50
/** Also without the stream. */
const REFRESH_MS = 15_000

export function SwapTable({ pool, pulse }: { pool: MarketPool; pulse: number }) {
  const answer = useAnswer<Swaps>(chain.value, `/api/v3/explore/pool/${pool.id}/trades?limit=${ROWS}`, REFRESH_MS)
  useAgain(answer, { pulse })
  return (
    <Shown answer={answer} what="the swaps of this pool" lines={8}>
      {({ facts }) =>
        facts.length === 0 ? (
          <Note title="No swaps yet" />
        ) : (
          <Scroll label="swaps">
            <table class="list trades">
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Side</th>
                  <th scope="col" class="end">
                    {pool.tokenA.symbol}
                  </th>
                  <th scope="col" class="end">
                    {pool.tokenB.symbol}
                  </th>
                  <th scope="col" class="end">
                    Price
                  </th>
                  <th scope="col" class="end">
                    Value
                  </th>
                  <th scope="col">Account</th>
                  <th scope="col" class="end">
                    Tx
                  </th>
                </tr>
              </thead>
              <tbody>
                {facts.map((fact) => (
                  <SwapRow key={fact.sequence} fact={fact} pool={pool} />
                ))}
              </tbody>
            </table>
          </Scroll>
        )
      }
    </Shown>
  )
}

/** Price that a swap paid, fee included; null when nothing of A moved. */
function paid(a: string, b: string): number | null {
  return Number(a) === 0 ? null : Number(b) / Number(a)
}

function SwapRow({ fact: { row, sequence, time, transaction }, pool }: { fact: Fact; pool: MarketPool }) {
  const [quantityA, quantityB, sender] = [row.quantity_a, row.quantity_b, row.sender].map(String) as [
    string,
    string,
    string,
  ]
  // A leaves the pool: the trader bought A.
  const isBuy = quantityA.startsWith('-')
  const [a, b] = [quantityA, quantityB].map((text) => text.replace(/^-/, '')) as [string, string]
  const amount = (exact: string, symbol: string, place: string) => (
    <td class={`end amount ${place}`} data-unit={symbol} title={`${grouped(exact)} ${symbol}`}>
      {short(exact)}
    </td>
  )
  return (
    <tr data-id={sequence}>
      <td class="nowrap at">
        <When at={time} />
      </td>
      <td class={`side ${isBuy ? 'up' : 'down'}`}>{isBuy ? 'Buy' : 'Sell'}</td>
      {amount(a, pool.tokenA.symbol, 'base')}
      {amount(b, pool.tokenB.symbol, 'quote')}
      <td class={`end rate ${isBuy ? 'up' : 'down'}`}>
        <Price value={paid(a, b)} unit={pool.tokenB.symbol} meaning="price paid, fee included" />
      </td>
      <td class="end value">
        <Usd value={row.usd as string | null} />
      </td>
      <td class="nowrap who">
        <Account name={sender} />
      </td>
      <td class="end nowrap in">
        <TxLink id={transaction} />
      </td>
    </tr>
  )
}
