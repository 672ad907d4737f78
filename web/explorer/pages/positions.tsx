// The most valuable positions of a pool, with a picture of each range.
import { useEffect } from 'preact/hooks'
import { price } from '../core/numbers.ts'
import { priceAtTick } from '../core/tick-liquidity.ts'
import { useAnswer } from '../data/answers.ts'
import { chain } from '../data/place.ts'
import type { MarketPool, Position } from '../data/types.ts'
import { Account, Amount, Badge, Scroll, Usd } from '../parts/basics.tsx'
import { Note, Shown } from '../parts/states.tsx'

const ROWS = 50

/** `2240330.91 WAX` as amount and symbol. */
function assetParts(text: string): { exact: string; symbol: string } {
  const [exact = '', symbol = ''] = text.split(' ')
  return { exact, symbol }
}

/** USD of the fees of a position; null when its tokens have no price, for which the API has 0. */
function feesValue({ totalValue, totalFeesUSD }: Position): number | null {
  return totalValue === 0 ? null : totalFeesUSD
}

export function PositionTable({ pool, pulse }: { pool: MarketPool; pulse: number }) {
  const answer = useAnswer<Position[]>(chain.value, `/api/v2/swap/pools/${pool.id}/positions`)
  useEffect(() => {
    if (pulse > 0) answer.again()
  }, [pulse])
  return (
    <Shown answer={answer} what="the positions of this pool" lines={8}>
      {(positions) =>
        positions.length === 0 ? (
          <Note title="No open positions" />
        ) : (
          <Scroll label="positions">
            <table class="list">
              <PositionHead first="Owner" />
              <tbody>
                {positions
                  .toSorted((one, other) => other.totalValue - one.totalValue)
                  .slice(0, ROWS)
                  .map((position) => (
                    <tr key={position.id}>
                      <td>
                        <Account name={position.owner} /> <span class="quiet">#{position.id}</span>
                        {position.isLocked ? <Badge tone="pending">locked</Badge> : null}
                      </td>
                      <PositionCells
                        range={position}
                        pool={pool}
                        value={position.totalValue || null}
                        fees={feesValue(position)}
                        amounts={[assetParts(position.amountA), assetParts(position.amountB)]}
                      />
                    </tr>
                  ))}
              </tbody>
            </table>
          </Scroll>
        )
      }
    </Shown>
  )
}

/** Heads of the columns of `PositionCells`, after the first one. */
export function PositionHead({ first }: { first: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col">Range</th>
        {['Value', 'Fees', 'Amounts'].map((name) => (
          <th key={name} scope="col" class="end">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface Cells {
  range: RangeOf
  /** Undefined until it is known. */
  pool: MarketPool | undefined
  /** USD, fees included; null when not known. */
  value: number | string | null
  /** USD; null when not known. */
  fees: number | string | null
  amounts: readonly { exact: string; symbol: string }[]
}

/** Range, value, fees and amounts of a position. */
export function PositionCells({ range, pool, value, fees, amounts }: Cells) {
  return (
    <>
      <td>{pool === undefined ? null : <RangePicture position={range} pool={pool} />}</td>
      <td class="end">
        <Usd value={value} />
      </td>
      <td class="end">
        <Usd value={fees} />
      </td>
      <td class="end">
        {amounts.map((amount, i) => (
          <div key={i}>
            <Amount {...amount} />
          </div>
        ))}
      </td>
    </>
  )
}

type RangeOf = Pick<Position, 'tickLower' | 'tickUpper' | 'inRange'>

/** The range around the current price, and its ends as prices. */
function RangePicture({ position, pool }: { position: RangeOf; pool: Pick<MarketPool, 'tick' | 'tokenA' | 'tokenB'> }) {
  const { tickLower, tickUpper, inRange } = position
  const ends = [tickLower, tickUpper].map((tick) =>
    price(priceAtTick(tick, pool.tokenA.decimals, pool.tokenB.decimals)),
  )
  const width = Math.max(
    tickUpper - tickLower,
    2 * Math.abs(pool.tick - tickLower),
    2 * Math.abs(pool.tick - tickUpper),
    1,
  )
  const x = (tick: number) => Math.min(100, Math.max(0, 50 + ((tick - pool.tick) / width) * 90))
  return (
    <span class="range">
      <svg viewBox="0 0 100 10" class={inRange ? 'up' : 'quiet'} aria-hidden="true" preserveAspectRatio="none">
        <rect class="rail" x="0" y="4" width="100" height="2" />
        <rect class="span" x={x(tickLower)} y="2.5" width={Math.max(1, x(tickUpper) - x(tickLower))} height="5" />
        <rect class="now" x="49.5" y="0" width="1" height="10" />
      </svg>
      <small class="quiet">
        {ends.join(' – ')} {inRange ? '' : '(out of range)'}
      </small>
    </span>
  )
}
