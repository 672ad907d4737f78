// The positions of a pool with the most liquidity, with a picture of each range.
import { count, price } from '../core/numbers.ts'
import { positionsOf } from '../core/position-pages.ts'
import { isFullRange, priceAtTick } from '../core/tick-liquidity.ts'
import { useAnswer } from '../data/answers.ts'
import { useAgain } from '../data/fact-stream.ts'
import { chain } from '../data/place.ts'
import type { Get, MarketPool } from '../data/types.ts'
import { Account, Amount, Badge, Scroll, Usd } from '../parts/basics.tsx'
import { useMore } from '../parts/more.tsx'
import { Note, PartNote, Shown } from '../parts/states.tsx'

type Positions = Get<'/api/v3/explore/pool/{poolId}/positions'>
type Position = Positions['positions'][number]

/** Positions of a page. */
const ROWS = 50

export function PositionTable({ pool, pulse }: { pool: MarketPool; pulse: number }) {
  const path = `/api/v3/explore/pool/${pool.id}/positions?limit=${ROWS}`
  const answer = useAnswer<Positions>(chain.value, path)
  useAgain(answer, { pulse })
  return (
    <Shown answer={answer} what="the positions of this pool" lines={8}>
      {(first) => <Pages path={path} first={first} pool={pool} />}
    </Shown>
  )
}

/** The first page, which is read again at each change, and those that were loaded after it. */
function Pages({ path, first, pool }: { path: string; first: Positions; pool: MarketPool }) {
  const { pages, button } = useMore<Positions>(chain.value, path, 'cursor', first)
  const positions = positionsOf(pages, first)
  return (
    <>
      <PartNote isWhole={first.complete} />
      {positions.length === 0 ? (
        <Note title="No open positions" />
      ) : (
        <Table positions={positions} pool={pool} hasMore={button !== null} />
      )}
      {button}
    </>
  )
}

function Table({ positions, pool, hasMore }: { positions: readonly Position[]; pool: MarketPool; hasMore: boolean }) {
  return (
    <>
      <p class="quiet note-line">
        {hasMore ? `The ${count(positions.length)} positions with the most liquidity` : 'All open positions'}, the most
        liquidity first.
      </p>
      <Scroll label="positions">
        <table class="list positions">
          <PositionHead first="Owner" />
          <tbody>
            {positions.map((position) => (
              <tr key={position.id}>
                <td class="of">
                  <Account name={position.owner} /> <span class="quiet">#{position.id}</span>
                  {position.locked ? <Badge tone="pending">locked</Badge> : null}
                </td>
                <PositionCells
                  range={position}
                  pool={pool}
                  value={position.valueUsd}
                  fees={position.feesValueUsd}
                  amounts={[
                    { exact: position.amountA, symbol: position.tokenA.symbol },
                    { exact: position.amountB, symbol: position.tokenB.symbol },
                  ]}
                />
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
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
      <td class="range-cell">{pool === undefined ? null : <RangePicture position={range} pool={pool} />}</td>
      <td class="end value">
        <Usd value={value} />
      </td>
      <td class="end fees">
        <Usd value={fees} />
      </td>
      <td class="end amounts">
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
function RangePicture({ position, pool }: { position: RangeOf; pool: MarketPool }) {
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
        {isFullRange(tickLower, tickUpper, pool.tickSpacing) ? 'full range' : ends.join(' – ')}{' '}
        {inRange ? '' : '(out of range)'}
      </small>
    </span>
  )
}
