// What the balances and positions of an account were worth at the end of each hour.

import { local } from '../../shared/times.ts'
import { usd } from '../core/numbers.ts'
import { linePath } from '../core/time-line.ts'
import { useAnswer } from '../data/answers.ts'
import { chain, query, setQuery } from '../data/place.ts'
import type { Get } from '../data/types.ts'
import { Choice, Panel } from '../parts/basics.tsx'
import { Note, Shown } from '../parts/states.tsx'

type Value = Get<'/api/v3/explore/account/{account}/value'>

const PERIODS = [
  ['week', '1W'],
  ['month', '1M'],
] as const
const HOURS = { week: 168, month: 720 }
/** A new hour comes once an hour. */
const REFRESH_MS = 60_000
const WIDTH = 600
const HEIGHT = 120

export function AccountValue({ name }: { name: string }) {
  const period = query.value.get('period') === 'month' ? 'month' : 'week'
  const path = `/api/v3/explore/account/${name}/value?limit=${HOURS[period]}`
  const answer = useAnswer<Value>(chain.value, path, REFRESH_MS)
  return (
    <Panel
      title="Value"
      id="value-title"
      isLow
      aside={
        <Choice
          name="Period"
          value={period}
          options={PERIODS}
          onChoose={(value) => setQuery({ period: value === 'week' ? null : value })}
        />
      }
    >
      <p class="quiet about">
        Balances of watched tokens and liquidity of positions at the end of each hour. Fees that were not collected and
        open orders are not in it.
      </p>
      <Shown answer={answer} what="the values of this account" lines={4}>
        {({ hours }) => (
          <>
            <Chart hours={hours} />
            <LeftOut hour={hours.at(-1)} />
          </>
        )}
      </Shown>
    </Panel>
  )
}

function Chart({ hours }: { hours: Value['hours'] }) {
  const points = hours.map(({ time, valueUsd }) => ({
    time: Date.parse(time),
    value: valueUsd === null ? null : Number(valueUsd),
  }))
  const line = linePath(points, WIDTH, HEIGHT)
  const known = points.filter((point): point is { time: number; value: number } => point.value !== null)
  const [first, last] = [known[0], known.at(-1)]
  if (line === '' || first === undefined || last === undefined)
    return <Note title="Not known">The values of less than two hours are known.</Note>
  const values = known.map(({ value }) => value)
  const label = `Value of the account by hour: ${usd(first.value)} at first, ${usd(last.value)} at last`
  return (
    <figure class="history value">
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path d={line} vector-effect="non-scaling-stroke" />
      </svg>
      <figcaption class="quiet">
        <span>from {local(first.time, 0)}</span>
        <span>
          {usd(Math.min(...values))} to {usd(Math.max(...values))}
        </span>
      </figcaption>
    </figure>
  )
}

/** Parts of the last hour, and how many have no value. */
function LeftOut({ hour }: { hour: Value['hours'][number] | undefined }) {
  if (hour === undefined || hour.valueUsd === null) return null
  const part = (value: string | null) => (value === null ? 'not known' : usd(Number(value)))
  return (
    <p class="quiet about left-out">
      At last: balances {part(hour.balances.valueUsd)}, positions {part(hour.positions.valueUsd)}
      {hour.unvalued > 0 ? `; ${hour.unvalued} without a price are left out` : ''}
    </p>
  )
}
