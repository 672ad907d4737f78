// Loads the chart's code and the candles at the same time, and follows the market.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { spanOf, spanText } from '../core/compared.ts'
import type { Outcome } from '../core/renewal.ts'
import { outcomeOf } from '../data/answers.ts'
import {
  type Candle,
  type CandleSource,
  PAGE,
  type Resolution,
  readCandles,
  readFrom,
  readNewer,
} from '../data/candles.ts'
import { chain, query, setQuery } from '../data/place.ts'
import { theme } from '../data/theme.ts'
import { useRenewal } from '../data/use-renewal.ts'
import type { CandleChart, ChartLook, Reading, Span } from './candles.ts'

const NOTHING: Reading = { candle: null, index: -1, count: 0, isNewest: true, compared: null }

/** Milliseconds after the last move before the address has it. */
const SETTLED_MS = 400
/** Also without the stream. */
export const CANDLE_PACE = { everyMs: 15_000, minPauseMs: 0, hasValue: false }

type ChartState = 'loading' | 'ready' | 'empty' | 'failed'

/** @param pulse  changes when the market has changed: the newest candles are read again */
export function useChart(source: CandleSource, resolution: Resolution, pulse: number, look: ChartLook) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<CandleChart | null>(null)
  const [reading, setReading] = useState<Reading>(NOTHING)
  const [state, setState] = useState<ChartState>('loading')
  /** Number of times that older candles came, or a chart was made. */
  const [loaded, setLoaded] = useState(0)
  const newest = useRef<Candle | undefined>(undefined)
  const of = chain.value
  const key = `${of} ${resolution} ${JSON.stringify(source)}`

  useEffect(() => {
    setState('loading')
    // The candle that was chosen is of another market or width.
    setReading(NOTHING)
    return () => {
      chart.current?.close()
      chart.current = null
      newest.current = undefined
    }
  }, [key])

  const open = async (stop: AbortSignal): Promise<number> => {
    const span = spanOf(query.peek().get('span'))
    const [{ openChart }, { value: candles, block }] = await Promise.all([
      import('./candles.ts'),
      readFrom(of, source, resolution, span?.from ?? null, stop),
    ])
    if (stop.aborted || place.current === null) return block
    let oldest: number | null = candles[0]?.time ?? null
    let isReading = candles.length % PAGE !== 0 || candles.length === 0
    const older = async () => {
      if (isReading || oldest === null) return
      isReading = true
      const more = await readCandles(of, source, resolution, PAGE, oldest, stop).catch(() => null)
      if (stop.aborted || more === null) return
      // The beginning of history: no more requests.
      oldest = more.value[0]?.time ?? null
      opened.prepend(more.value)
      setLoaded((old) => old + 1)
      isReading = false
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    stop.addEventListener('abort', () => clearTimeout(timer))
    const onSpan = (one: Span) => {
      clearTimeout(timer)
      timer = setTimeout(() => setQuery({ span: spanText(one) }), SETTLED_MS)
    }
    const opened = openChart(place.current, { onRead: setReading, onStart: () => void older(), onSpan })
    chart.current = opened
    opened.look(look)
    opened.set(candles)
    if (span !== null) opened.show(span)
    newest.current = candles.at(-1)
    setLoaded((old) => old + 1)
    setState(candles.length === 0 ? 'empty' : 'ready')
    return block
  }
  const follow = async (held: CandleChart, stop: AbortSignal): Promise<number> => {
    const { value: candles, block } = await readNewer(of, source, resolution, newest.current, stop)
    if (!stop.aborted && candles.length > 0) {
      held.update(candles)
      newest.current = candles.at(-1)
      setState('ready')
    }
    return block
  }
  const again = useRenewal({ key, chain: of }, CANDLE_PACE, async (_askedAt, stop): Promise<Outcome> => {
    try {
      const held = chart.current
      return { is: 'answered', block: await (held === null ? open(stop) : follow(held, stop)) }
    } catch (error) {
      if (!stop.aborted && chart.current === null) setState('failed')
      return outcomeOf(error)
    }
  })
  useLayoutEffect(() => {
    if (pulse > 0) again()
  }, [pulse])

  useEffect(() => chart.current?.look(look), [look.isLine, look.isLog])
  useEffect(() => chart.current?.recolour(), [theme()])
  return { place, chart, loaded, reading, state, again }
}
