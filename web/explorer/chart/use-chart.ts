// Loads the chart's code and the candles at the same time, and follows the market.
import { useEffect, useRef, useState } from 'preact/hooks'
import { spanOf, spanText } from '../core/compared.ts'
import {
  type Candle,
  type CandleSource,
  PAGE,
  type Resolution,
  readCandles,
  readFrom,
  secondsOf,
} from '../data/candles.ts'
import { chain, query, setQuery } from '../data/place.ts'
import { theme } from '../data/theme.ts'
import type { CandleChart, ChartLook, Reading, Span } from './candles.ts'

const NOTHING: Reading = { candle: null, isNewest: true, compared: null }

/** Milliseconds after the last move before the address has it. */
const SETTLED_MS = 400

type ChartState = 'loading' | 'ready' | 'empty' | 'failed'

/** @param pulse  changes when the market has changed: the newest candles are read again */
export function useChart(source: CandleSource, resolution: Resolution, pulse: number, look: ChartLook) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<CandleChart | null>(null)
  const [reading, setReading] = useState<Reading>(NOTHING)
  const [state, setState] = useState<ChartState>('loading')
  const [attempt, setAttempt] = useState(0)
  /** Number of times that older candles came, or a chart was made. */
  const [loaded, setLoaded] = useState(0)
  const newest = useRef<Candle | null>(null)
  const key = JSON.stringify(source)

  useEffect(() => {
    const stop = new AbortController()
    const of = chain.peek()
    let oldest: number | null = null
    let isReading = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const onSpan = (span: Span) => {
      clearTimeout(timer)
      timer = setTimeout(() => setQuery({ span: spanText(span) }), SETTLED_MS)
    }
    const older = async () => {
      if (isReading || oldest === null) return
      isReading = true
      const more = await readCandles(of, source, resolution, PAGE, oldest, stop.signal).catch(() => null)
      if (stop.signal.aborted || more === null) return
      // The beginning of history: no more requests.
      oldest = more[0]?.time ?? null
      chart.current?.prepend(more)
      setLoaded((old) => old + 1)
      isReading = false
    }
    const open = async () => {
      const span = spanOf(query.peek().get('span'))
      const [{ openChart }, candles] = await Promise.all([
        import('./candles.ts'),
        readFrom(of, source, resolution, span?.from ?? null, stop.signal),
      ])
      if (stop.signal.aborted || place.current === null) return
      chart.current = openChart(place.current, { onRead: setReading, onStart: () => void older(), onSpan })
      chart.current.look(look)
      chart.current.set(candles)
      if (span !== null) chart.current.show(span)
      newest.current = candles.at(-1) ?? null
      oldest = candles[0]?.time ?? null
      isReading = candles.length % PAGE !== 0 || candles.length === 0
      setLoaded((old) => old + 1)
      setState(candles.length === 0 ? 'empty' : 'ready')
    }
    setState('loading')
    // The candle that was chosen is of another market or width.
    setReading(NOTHING)
    open().catch(() => {
      if (!stop.signal.aborted) setState('failed')
    })
    return () => {
      stop.abort()
      clearTimeout(timer)
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
  return { place, chart, loaded, reading, state, again: () => setAttempt(attempt + 1) }
}
