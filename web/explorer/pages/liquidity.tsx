// Liquidity of a pool by price, around the current one.
import { useMemo } from 'preact/hooks'
import { price } from '../core/numbers.ts'
import { isWholeLiquidity, liquidityBars, liquiditySteps, priceAtTick } from '../core/tick-liquidity.ts'
import { useAnswer } from '../data/answers.ts'
import { useAgain } from '../data/fact-stream.ts'
import { chain, query, setQuery } from '../data/place.ts'
import type { Get, MarketPool } from '../data/types.ts'
import { Choice, Panel } from '../parts/basics.tsx'
import { Note, PartNote, Shown } from '../parts/states.tsx'

type Liquidity = Get<'/api/v3/explore/pool/{poolId}/liquidity'>

const BARS = 61
/** Ticks on each side of the price. */
const ZOOMS = [
  ['500', '±5%'],
  ['4000', '±50%'],
  ['16000', '×5'],
] as const
const USUAL = '4000'

export function LiquidityPanel({ pool, pulse }: { pool: MarketPool; pulse: number }) {
  const zoom = ZOOMS.find(([one]) => one === query.value.get('range'))?.[0] ?? USUAL
  const answer = useAnswer<Liquidity>(chain.value, `/api/v3/explore/pool/${pool.id}/liquidity`)
  useAgain(answer, { pulse })
  return (
    <Panel
      title="Liquidity by price"
      id="liquidity-title"
      aside={
        <Choice
          name="Range of prices"
          value={zoom}
          options={ZOOMS}
          onChoose={(value) => setQuery({ range: value === USUAL ? null : value })}
        />
      }
    >
      <Shown answer={answer} what="the liquidity of this pool" lines={4}>
        {({ ticks, tick, liquidity, complete }) => (
          <>
            <PartNote isWhole={complete} />
            {complete || isWholeLiquidity(ticks, tick, liquidity) ? (
              <Chart pool={pool} ticks={ticks} halfWidth={Number(zoom)} />
            ) : (
              <Note title="Not known">The liquidity by price cannot be computed without the missing positions.</Note>
            )}
          </>
        )}
      </Shown>
    </Panel>
  )
}

function Chart({ pool, ticks, halfWidth }: { pool: MarketPool; ticks: Liquidity['ticks']; halfWidth: number }) {
  const { tick, tokenA, tokenB } = pool
  const steps = useMemo(() => liquiditySteps(ticks), [ticks])
  const bars = useMemo(() => liquidityBars(steps, tick, halfWidth, BARS), [steps, tick, halfWidth])
  if (steps.length === 0) return <Note title="No liquidity" />
  const at = (of: number) => price(priceAtTick(of, tokenA.decimals, tokenB.decimals))
  const slot = 100 / BARS
  return (
    <figure class="liquidity">
      <svg
        viewBox="0 0 100 40"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Liquidity from ${at(tick - halfWidth)} to ${at(tick + halfWidth)} ${tokenB.symbol}`}
      >
        {bars.map((bar, i) => (
          <rect
            key={i}
            class={bar.isCurrent ? 'current' : bar.tickUpper <= tick ? 'below' : 'above'}
            x={i * slot + slot * 0.1}
            y={40 - bar.height * 38}
            width={slot * 0.8}
            height={bar.height * 38}
          >
            <title>{`${at(bar.tickLower)} to ${at(bar.tickUpper)} ${tokenB.symbol}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption class="quiet">
        <span>{at(tick - halfWidth)}</span>
        <span>
          {at(tick)} {tokenB.symbol}
        </span>
        <span>{at(tick + halfWidth)}</span>
      </figcaption>
    </figure>
  )
}
