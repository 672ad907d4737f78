// The chart of candles with TradingView's lightweight-charts. Loaded only where a chart is shown.
import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type LogicalRange,
  PriceScaleMode,
  type UTCTimestamp,
} from 'lightweight-charts'
import { price } from '../core/numbers.ts'
import { local } from '../core/times.ts'
import type { Candle } from '../data/candles.ts'

export interface ChartLook {
  isLine: boolean
  isLog: boolean
}

export interface CandleChart {
  set(candles: readonly Candle[]): void
  /** Newest candles; older ones stay. */
  update(candles: readonly Candle[]): void
  /** Older candles; the view stays where it is. */
  prepend(candles: readonly Candle[]): void
  look(look: ChartLook): void
  /** Takes the page's colours again. */
  recolour(): void
  close(): void
}

/** Share of the height above the volumes. */
const VOLUME_TOP = 0.8
/** Bars left of the view when older candles are asked for. */
const NEAR_START = 20

/**
 * Draws an empty chart.
 *
 * @param callbacks.onRead  the candle under the crosshair; null for the newest
 * @param callbacks.onStart  the view is near the oldest candle
 */
export function openChart(
  element: HTMLElement,
  { onRead, onStart }: { onRead(candle: Candle | null): void; onStart(): void },
): CandleChart {
  const chart = createChart(element, { autoSize: true, layout: { attributionLogo: false } })
  let candles: Candle[] = []
  let series: ISeriesApi<'Candlestick'> | ISeriesApi<'Line'> | null = null
  let look: ChartLook = { isLine: false, isLog: false }
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: '',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  })
  volumes.priceScale().applyOptions({ scaleMargins: { top: VOLUME_TOP, bottom: 0 } })
  chart.subscribeCrosshairMove(({ logical }) => {
    onRead(logical === undefined ? null : (candles[Math.round(logical)] ?? null))
  })
  chart.timeScale().subscribeVisibleLogicalRangeChange((range: LogicalRange | null) => {
    if (range !== null && range.from < NEAR_START && candles.length > 0) onStart()
  })

  const draw = () => {
    const colours = coloursOf(element)
    chart.applyOptions(chartOptions(colours, getComputedStyle(element).fontFamily))
    if (series !== null) chart.removeSeries(series)
    series = look.isLine ? chart.addSeries(LineSeries, lineOptions(colours)) : addCandles(chart, colours)
    series.applyOptions({ priceFormat: { type: 'custom', minMove: 1e-12, formatter: (value: number) => price(value) } })
    chart.priceScale('right').applyOptions({ mode: look.isLog ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal })
    fill()
  }
  const fill = () => {
    const colours = coloursOf(element)
    if (look.isLine)
      (series as ISeriesApi<'Line'>).setData(candles.map(({ time, close }) => ({ time: at(time), value: close })))
    else (series as ISeriesApi<'Candlestick'>).setData(candles.map((one) => ({ ...one, time: at(one.time) })))
    volumes.setData(candles.map((one) => volumeOf(one, colours)))
  }
  draw()
  return {
    set(fresh) {
      candles = [...fresh]
      fill()
      chart.timeScale().setVisibleLogicalRange({ from: candles.length - visibleBars(element), to: candles.length + 2 })
    },
    update(fresh) {
      const colours = coloursOf(element)
      for (const one of fresh) {
        const last = candles.at(-1)
        if (last !== undefined && one.time < last.time) continue
        if (last?.time === one.time) candles[candles.length - 1] = one
        else candles.push(one)
        if (look.isLine) (series as ISeriesApi<'Line'>).update({ time: at(one.time), value: one.close })
        else (series as ISeriesApi<'Candlestick'>).update({ ...one, time: at(one.time) })
        volumes.update(volumeOf(one, colours))
      }
    },
    prepend(older) {
      const first = candles[0]?.time ?? Number.POSITIVE_INFINITY
      const range = chart.timeScale().getVisibleLogicalRange()
      const more = older.filter(({ time }) => time < first)
      candles = [...more, ...candles]
      fill()
      if (range !== null)
        chart.timeScale().setVisibleLogicalRange({ from: range.from + more.length, to: range.to + more.length })
    },
    look(next) {
      look = next
      draw()
    },
    recolour: draw,
    close: () => chart.remove(),
  }
}

const at = (time: number) => time as UTCTimestamp

/** Bars of about eight pixels. */
function visibleBars(element: HTMLElement): number {
  return Math.max(20, Math.floor(element.clientWidth / 8))
}

type Colours = Record<'text' | 'line' | 'good' | 'bad' | 'accent', string>

/** The page's colours: a canvas knows no CSS variables. */
function coloursOf(element: HTMLElement): Colours {
  const probe = document.createElement('span')
  element.append(probe)
  const colour = (name: string) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const colours = {
    text: colour('--quiet'),
    line: colour('--line'),
    good: colour('--good'),
    bad: colour('--bad'),
    accent: colour('--accent'),
  }
  probe.remove()
  return colours
}

function chartOptions({ text, line }: Colours, fontFamily: string) {
  return {
    layout: { background: { color: 'transparent' }, textColor: text, attributionLogo: false, fontSize: 12, fontFamily },
    grid: { vertLines: { color: withAlpha(line, 0.5) }, horzLines: { color: withAlpha(line, 0.5) } },
    rightPriceScale: { borderColor: line },
    timeScale: {
      borderColor: line,
      timeVisible: true,
      secondsVisible: false,
      tickMarkFormatter: (time: number, kind: number) => tickText(time * 1000, kind),
    },
    crosshair: { mode: 0 as const },
    localization: { timeFormatter: (time: number) => local(time * 1000, 0) },
  }
}

/** Label of the time axis, in the browser's zone. @param kind  0 year, 1 month, 2 day, else a time */
function tickText(time: number, kind: number): string {
  const date = new Date(time)
  if (kind === 0) return String(date.getFullYear())
  if (kind === 1) return date.toLocaleDateString('en', { month: 'short' })
  if (kind === 2) return date.toLocaleDateString('en', { day: 'numeric', month: 'short' })
  return date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

function addCandles(chart: IChartApi, { good, bad }: Colours): ISeriesApi<'Candlestick'> {
  return chart.addSeries(CandlestickSeries, {
    upColor: good,
    downColor: bad,
    wickUpColor: good,
    wickDownColor: bad,
    borderVisible: false,
  })
}

const lineOptions = ({ accent }: Colours) => ({ color: accent, lineWidth: 2 as const })

function volumeOf({ time, open, close, volume }: Candle, { good, bad }: Colours) {
  return { time: at(time), value: volume, color: withAlpha(close >= open ? good : bad, 0.35) }
}

/** `rgb(1, 2, 3)` with an opacity. */
function withAlpha(colour: string, alpha: number): string {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`)
}
