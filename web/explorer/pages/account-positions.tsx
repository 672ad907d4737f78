// Positions of an account with their ranges: those with liquidity, and closed ones with fees that are not collected.
import { count } from '../core/numbers.ts'
import { type Answer, useShared } from '../data/answers.ts'
import { chain } from '../data/place.ts'
import type { AccountAnswer, MarketPool } from '../data/types.ts'
import { Badge, Panel, Scroll } from '../parts/basics.tsx'
import { PoolName } from '../parts/facts.tsx'
import { Note, PartNote, Shown } from '../parts/states.tsx'
import { PositionCells, PositionHead } from './positions.tsx'

const ROWS = 100
type Position = AccountAnswer['positions'][number]

/** Of the answer that has the totals. */
export function AccountPositions({ answer }: { answer: Answer<AccountAnswer> }) {
  return (
    <Panel title="Positions" id="positions-title">
      <Shown answer={answer} what="the positions of this account" lines={4}>
        {({ positions, complete, truncated }) => (
          <>
            <PartNote isWhole={complete} />
            {positions.length === 0 ? (
              <Note title="No open positions" />
            ) : (
              <>
                <Scroll label="positions">
                  <table class="list positions">
                    <PositionHead first="Pool" />
                    <tbody>
                      {positions.slice(0, ROWS).map((position) => (
                        <Row key={position.id} position={position} />
                      ))}
                    </tbody>
                  </table>
                </Scroll>
                {positions.length <= ROWS ? null : (
                  <p class="quiet note-line">
                    The {count(ROWS)} most valuable of {truncated ? 'the first ' : ''}
                    {count(positions.length)} positions{truncated ? ' by their ids' : ''}.
                  </p>
                )}
              </>
            )}
          </>
        )}
      </Shown>
    </Panel>
  )
}

function Row({ position }: { position: Position }) {
  const { id, pool: poolId, tokenA, tokenB, amountA, amountB, valueUsd, feesValueUsd, liquidity, locked } = position
  const pool = useShared<{ pool: MarketPool }>(chain.value, `/api/v3/market/pools/${poolId}`)?.pool
  return (
    <tr>
      <td class="nowrap of">
        <PoolName id={String(poolId)} /> <span class="quiet">#{id}</span>{' '}
        {locked ? <Badge tone="pending">locked</Badge> : null}
        {liquidity === '0' ? <Badge tone="pending">closed</Badge> : null}
      </td>
      <PositionCells
        range={position}
        pool={pool}
        value={valueUsd}
        fees={feesValueUsd}
        amounts={[
          { exact: amountA, symbol: tokenA.symbol },
          { exact: amountB, symbol: tokenB.symbol },
        ]}
      />
    </tr>
  )
}
