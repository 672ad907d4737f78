// Small charts as SVG: a line with its area, and bars.

const WIDTH = 100
const HEIGHT = 30
/** Part of a value that is not drawn as a change: candles have 16 digits, and prices come by several ways. */
const NOISE = 1e-6

export type Tone = 'up' | 'down' | 'level'

/**
 * A line through values, scaled to its extremes. Nothing for less than two values.
 *
 * @param tone  colour. Default: by the change from the first to the last value
 * @param label  for hover and screen readers; without it the line is decoration
 */
export function Line({ values, tone, label }: { values: readonly number[]; tone?: Tone; label?: string }) {
  const view = `0 0 ${WIDTH} ${HEIGHT}`
  if (values.length < 2) return <svg class="spark" viewBox={view} aria-hidden="true" />
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const isLevel = high - low <= Math.abs(high) * NOISE
  const y = (value: number) => (isLevel ? HEIGHT / 2 : HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4))
  const points = values.map((value, i) => `${((i / (values.length - 1)) * WIDTH).toFixed(2)},${y(value).toFixed(2)}`)
  const direction = tone ?? toneOf((values.at(-1) as number) - (values[0] as number))
  const shape = (
    <>
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
    </>
  )
  const look = { class: `spark ${direction}`, viewBox: view, preserveAspectRatio: 'none' }
  if (label === undefined)
    return (
      <svg {...look} aria-hidden="true">
        {shape}
      </svg>
    )
  return (
    <svg {...look} role="img">
      <title>{label}</title>
      {shape}
    </svg>
  )
}

export function toneOf(change: number): Tone {
  return change === 0 ? 'level' : change > 0 ? 'up' : 'down'
}

export function Bars({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(...values, 0)
  const slot = WIDTH / Math.max(1, values.length)
  return (
    <svg class="spark bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
      <title>{label}</title>
      {values.map((value, i) => {
        const tall = most === 0 ? 0 : (value / most) * (HEIGHT - 2)
        return <rect key={i} x={i * slot + slot * 0.15} y={HEIGHT - tall} width={slot * 0.7} height={tall} />
      })}
    </svg>
  )
}
