// The panel with the chart of candles: resolutions, kind, scale. The chart's code is loaded after the page is drawn.
import { useEffect, useRef, useState } from 'preact/hooks'
import { price, short, usd } from '../core/numbers.ts'
import { utc } from '../core/times.ts'
import {
  type Candle,
  type CandleSource,
  RESOLUTIONS,
  type Resolution,
  readCandles,
  secondsOf,
} from '../data/candles.ts'
import { chain, query, setQuery } from '../data/place.ts'
import { theme } from '../data/theme.ts'
import { Choice } from '../parts/basics.tsx'
import type { CandleChart } from './candles.ts'

const PAGE = 500

interface Reading {
  candle: Candle | null
  isUnderCrosshair: boolean
}

/**
 * @param pulse  changes when the market has changed: the newest candles are read again
 * @param unit  of the prices
 */
export function ChartPanel({
  source,
  pulse,
  unit,
  aside,
}: {
  source: CandleSource
  pulse: number
  unit: string
  aside?: preact.ComponentChildren
}) {
  const wanted = query.value.get('chart')
  const resolution = (RESOLUTIONS.find(([one]) => one === wanted)?.[0] ?? '60') as Resolution
  const isLine = query.value.get('style') === 'line'
  const isLog = query.value.get('scale') === 'log'
  const { place, reading, state, again } = useChart(source, resolution, pulse, { isLine, isLog })
  return (
    <section class="panel chart-panel" aria-label="Chart">
      <header>
        <Choice
          name="Resolution"
          value={resolution}
          options={RESOLUTIONS}
          onChoose={(value) => setQuery({ chart: value === '60' ? null : value })}
        />
        <span class="chart-looks">
          <button
            type="button"
            class="toggle"
            aria-pressed={isLine}
            onClick={() => setQuery({ style: isLine ? null : 'line' })}
          >
            Line
          </button>
          <button
            type="button"
            class="toggle"
            aria-pressed={isLog}
            onClick={() => setQuery({ scale: isLog ? null : 'log' })}
          >
            Log
          </button>
          {aside}
        </span>
      </header>
      <p class="reading" aria-live="off">
        <ReadingText reading={reading} unit={unit} isUsd={source.kind === 'pool'} />
      </p>
      <div
        class="chart"
        ref={place}
        role="img"
        aria-label={`Candles. ${reading.candle === null ? '' : `The last closed at ${price(reading.candle.close)} ${unit}.`}`}
        data-state={state}
      />
      {state === 'empty' ? <p class="chart-note">No trades yet</p> : null}
      {state === 'failed' ? (
        <p class="chart-note" role="alert">
          The candles could not be loaded.{' '}
          <button type="button" onClick={again}>
            Try again
          </button>
        </p>
      ) : null}
      <p class="attribution">
        Chart by{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
          TradingView Lightweight Charts™
        </a>
      </p>
    </section>
  )
}

function ReadingText({
  reading: { candle, isUnderCrosshair },
  unit,
  isUsd,
}: {
  reading: Reading
  unit: string
  /** Whether volumes are in US dollars; else in the unit of the prices. */
  isUsd: boolean
}) {
  if (candle === null) return <>&nbsp;</>
  const { time, open, high, low, close, volume } = candle
  return (
    <>
      {isUnderCrosshair ? <span class="quiet">{utc(time * 1000)} </span> : null}
      <span class="quiet">O</span> {price(open)} <span class="quiet">H</span> {price(high)} <span class="quiet">L</span>{' '}
      {price(low)} <span class="quiet">C</span> <span class={close >= open ? 'up' : 'down'}>{price(close)}</span>{' '}
      <span class="quiet">{unit}</span> <span class="quiet">Vol</span>{' '}
      {isUsd ? usd(volume) : `${short(volume)} ${unit}`}
    </>
  )
}

type ChartState = 'loading' | 'ready' | 'empty' | 'failed'

/** Loads the chart's code and the candles at the same time, and follows the market. */
function useChart(
  source: CandleSource,
  resolution: Resolution,
  pulse: number,
  look: { isLine: boolean; isLog: boolean },
) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<CandleChart | null>(null)
  const [reading, setReading] = useState<Reading>({ candle: null, isUnderCrosshair: false })
  const [state, setState] = useState<ChartState>('loading')
  const [attempt, setAttempt] = useState(0)
  const newest = useRef<Candle | null>(null)
  const key = JSON.stringify(source)

  useEffect(() => {
    const stop = new AbortController()
    const of = chain.peek()
    let oldest: number | null = null
    let isReading = true
    const older = async () => {
      if (isReading || oldest === null) return
      isReading = true
      const more = await readCandles(of, source, resolution, PAGE, oldest, stop.signal).catch(() => null)
      if (stop.signal.aborted || more === null) return
      // The beginning of history: no more requests.
      oldest = more.length === 0 ? null : (more[0] as Candle).time
      chart.current?.prepend(more)
      isReading = false
    }
    const onRead = (candle: Candle | null) =>
      setReading({ candle: candle ?? newest.current, isUnderCrosshair: candle !== null })
    const open = async () => {
      const [{ openChart }, candles] = await Promise.all([
        import('./candles.ts'),
        readCandles(of, source, resolution, PAGE, null, stop.signal),
      ])
      if (stop.signal.aborted || place.current === null) return
      chart.current = openChart(place.current, { onRead, onStart: () => void older() })
      chart.current.look(look)
      chart.current.set(candles)
      newest.current = candles.at(-1) ?? null
      oldest = candles[0]?.time ?? null
      isReading = candles.length < PAGE
      setReading({ candle: newest.current, isUnderCrosshair: false })
      setState(candles.length === 0 ? 'empty' : 'ready')
    }
    setState('loading')
    open().catch(() => {
      if (!stop.signal.aborted) setState('failed')
    })
    return () => {
      stop.abort()
      chart.current?.close()
      chart.current = null
      newest.current = null
    }
  }, [key, resolution, attempt])

  useEffect(() => chart.current?.look(look), [look.isLine, look.isLog])
  useEffect(() => chart.current?.recolour(), [theme()])

  const following = useRef({ isReading: false, isWanted: false })
  useEffect(() => {
    const now = following.current
    const follow = () => {
      const held = chart.current
      if (held === null) return
      now.isWanted = now.isReading
      if (now.isReading) return
      now.isReading = true
      // All candles since the newest one, of which a pause can have left out many.
      const passed = newest.current === null ? 0 : Date.now() / 1000 - newest.current.time
      const limit = Math.min(PAGE, Math.ceil(Math.max(0, passed) / secondsOf(resolution)) + 2)
      readCandles(chain.peek(), source, resolution, limit, null)
        .then(
          (candles) => {
            if (chart.current !== held || candles.length === 0) return
            held.update(candles)
            newest.current = candles.at(-1) ?? null
            setReading((old) => (old.isUnderCrosshair ? old : { candle: newest.current, isUnderCrosshair: false }))
            setState('ready')
          },
          () => {},
        )
        .finally(() => {
          now.isReading = false
          if (now.isWanted) follow()
        })
    }
    if (pulse !== 0) follow()
  }, [pulse])
  return { place, reading, state, again: () => setAttempt(attempt + 1) }
}
