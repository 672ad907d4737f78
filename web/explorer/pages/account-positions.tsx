// Open positions of an account with their ranges.
import { useAnswer, useShared } from '../data/answers.ts'
import { type FactSign, useAgain } from '../data/fact-stream.ts'
import { chain } from '../data/place.ts'
import type { MarketPool, Position } from '../data/types.ts'
import { Badge, Panel, Scroll } from '../parts/basics.tsx'
import { PoolName } from '../parts/facts.tsx'
import { Note, Shown } from '../parts/states.tsx'
import { PositionCells } from './positions.tsx'

const REFRESH_MS = 10_000
const ROWS = 100

export function AccountPositions({ name, sign }: { name: string; sign: FactSign }) {
  const answer = useAnswer<Position[]>(chain.value, `/api/v2/account/${name}/positions`, REFRESH_MS)
  useAgain(answer, sign)
  return (
    <Panel title="Positions" id="positions-title">
      <Shown answer={answer} what="the positions of this account" lines={4}>
        {(positions) =>
          positions.length === 0 ? (
            <Note title="No open positions" />
          ) : (
            <Scroll label="positions">
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">Pool</th>
                    <th scope="col">Range</th>
                    <th scope="col" class="end">
                      Value
                    </th>
                    <th scope="col" class="end">
                      Fees
                    </th>
                    <th scope="col" class="end">
                      Amounts
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {positions
                    .toSorted((one, other) => other.totalValue - one.totalValue)
                    .slice(0, ROWS)
                    .map((position) => (
                      <Row key={position.id} position={position} />
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

function Row({ position }: { position: Position }) {
  const pool = useShared<{ pool: MarketPool }>(chain.value, `/api/v3/market/pools/${position.pool}`)?.pool
  return (
    <tr>
      <td class="nowrap">
        <PoolName id={String(position.pool)} /> <span class="quiet">#{position.id}</span>{' '}
        {position.isLocked ? <Badge tone="pending">locked</Badge> : null}
      </td>
      <PositionCells position={position} pool={pool} />
    </tr>
  )
}
