// Newest swaps of a pool. They are read again with each block that changes the pool.
import { useEffect } from 'preact/hooks'
import { price, short } from '../core/numbers.ts'
import { useAnswer } from '../data/answers.ts'
import { chain } from '../data/place.ts'
import type { MarketPool, PoolSwap } from '../data/types.ts'
import { Account, Scroll, TxLink, Usd, When } from '../parts/basics.tsx'
import { Note, Shown } from '../parts/states.tsx'

const ROWS = 50
/** Also without the stream. */
const REFRESH_MS = 15_000

export function SwapTable({ pool, pulse }: { pool: MarketPool; pulse: number }) {
  const answer = useAnswer<PoolSwap[]>(chain.value, `/api/v2/swap/pools/${pool.id}/swaps?limit=${ROWS}`, REFRESH_MS)
  useEffect(() => {
    if (pulse > 0) answer.again()
  }, [pulse])
  return (
    <Shown answer={answer} what="the swaps of this pool" lines={8}>
      {(swaps) =>
        swaps.length === 0 ? (
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
                {swaps.map((swap) => (
                  <SwapRow key={swap._id} swap={swap} pool={pool} />
                ))}
              </tbody>
            </table>
          </Scroll>
        )
      }
    </Shown>
  )
}

function SwapRow({ swap, pool }: { swap: PoolSwap; pool: MarketPool }) {
  const { tokenA, tokenB, time, sender, totalUSDVolume, trx_id } = swap
  // A leaves the pool: the trader bought A.
  const isBuy = tokenA < 0
  return (
    <tr data-id={swap._id}>
      <td class="nowrap at">
        <When at={time} />
      </td>
      <td class={`side ${isBuy ? 'up' : 'down'}`}>{isBuy ? 'Buy' : 'Sell'}</td>
      <td class="end amount base" data-unit={pool.tokenA.symbol} title={String(Math.abs(tokenA))}>
        {short(Math.abs(tokenA))}
      </td>
      <td class="end amount quote" data-unit={pool.tokenB.symbol} title={String(Math.abs(tokenB))}>
        {short(Math.abs(tokenB))}
      </td>
      <td class={`end amount rate ${isBuy ? 'up' : 'down'}`}>
        {tokenA === 0 ? '–' : price(Math.abs(tokenB / tokenA))}
      </td>
      <td class="end value">
        <Usd value={totalUSDVolume || null} />
      </td>
      <td class="nowrap who">
        <Account name={sender} />
      </td>
      <td class="end nowrap in">
        <TxLink id={trx_id} />
      </td>
    </tr>
  )
}
