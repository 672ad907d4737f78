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
import { local } from '../../shared/times.ts'
import { changeSince } from '../core/compared.ts'
import type { Candle } from '../data/candles.ts'
import { type ComparedCandles, ComparedLine, PRICE_FORMAT } from './compared-line.ts'

export interface ChartLook {
  isLine: boolean
  isLog: boolean
}

/** What stands above the chart. */
export interface Reading {
  /** Under the crosshair, else the chosen one, else the newest; null without candles. */
  candle: Candle | null
  isNewest: boolean
  /** Percent since the first candle in view, of this market and of the compared one; null without one. */
  compared: { change: number | null; other: number | null; price: number | null } | null
}

/** Times of the first and last candle in view, Unix seconds; no end: up to the newest, also when newer ones come. */
export interface Span {
  from: number
  to: number | null
}

export interface CandleChart {
  /** Start of the oldest candle, Unix seconds; null without any. */
  start(): number | null
  set(candles: readonly Candle[]): void
  /** Shows the candles of a span, as far as they are loaded. */
  show(span: Span): void
  /** Newest candles; older ones stay. */
  update(candles: readonly Candle[]): void
  /** Older candles; the view stays where it is. */
  prepend(candles: readonly Candle[]): void
  look(look: ChartLook): void
  /** Shows a second market as a line, and both in percent since the first candle in view; null: this market alone. */
  compare(other: ComparedCandles | null): void
  /** Takes the page's colours again. */
  recolour(): void
  close(): void
}

interface ChartCallbacks {
  /** The visitor has moved or zoomed the view. */
  onSpan(span: Span): void
  /** What stands above the chart has changed. */
  onRead(reading: Reading): void
  /** The view is near the oldest candle. */
  onStart(): void
}

/** Share of the height above the volumes. */
const VOLUME_TOP = 0.8
/** Bars left of the view when older candles are asked for. */
const NEAR_START = 20

/** How long after a gesture a change of the range is the person's, ms: the chart rolls on for a moment. */
const GESTURE_MS = 500

/** Draws an empty chart. */
export function openChart(element: HTMLElement, callbacks: ChartCallbacks): CandleChart {
  return new DrawnChart(element, callbacks)
}

class DrawnChart implements CandleChart {
  private readonly element: HTMLElement
  private readonly callbacks: ChartCallbacks
  private readonly chart: IChartApi
  private readonly volumes: ISeriesApi<'Histogram'>
  private readonly compared: ComparedLine
  private series: ISeriesApi<'Candlestick'> | ISeriesApi<'Line'> | null = null
  private candles: Candle[] = []
  private isLine = false
  private isLog = false
  /** Index of the candle under the crosshair. */
  private pointed: number | null = null
  /** Time of the candle that the visitor chose by a click, Unix seconds: its figures stay when the pointer leaves. */
  private chosen: number | null = null
  /** Whether the visitor, not the page, changes the view. */
  private isMoved = false

  constructor(element: HTMLElement, callbacks: ChartCallbacks) {
    this.element = element
    this.callbacks = callbacks
    this.chart = createChart(element, { autoSize: true, layout: { attributionLogo: false } })
    this.volumes = this.chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    })
    this.volumes.priceScale().applyOptions({ scaleMargins: { top: VOLUME_TOP, bottom: 0 } })
    this.compared = new ComparedLine(this.chart)
    this.chart.subscribeCrosshairMove(({ logical }) => {
      const index = logical === undefined ? -1 : Math.round(logical)
      this.pointed = this.candles[index] === undefined ? null : index
      this.read()
    })
    this.chart.subscribeClick(({ logical }) => {
      const time = logical === undefined ? undefined : this.candles[Math.round(logical)]?.time
      this.chosen = time === undefined || time === this.chosen ? null : time
      this.read()
    })
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range: LogicalRange | null) => {
      if (this.compared.isShown) this.read()
      const span = range === null || !this.isMoved ? null : this.spanOf(range)
      if (span !== null) callbacks.onSpan(span)
      if (range !== null && range.from < NEAR_START && this.candles.length > 0) callbacks.onStart()
    })
    let gesture: ReturnType<typeof setTimeout> | undefined
    const moved = () => {
      this.isMoved = true
      clearTimeout(gesture)
      gesture = setTimeout(() => {
        this.isMoved = false
      }, GESTURE_MS)
    }
    // Before the chart, which changes the range as soon as it has the event.
    const options = { capture: true, passive: true }
    for (const event of ['wheel', 'pointerdown', 'touchstart', 'touchmove'])
      element.addEventListener(event, moved, options)
    element.addEventListener('pointermove', ({ buttons }) => buttons > 0 && moved(), options)
    this.recolour()
  }

  private spanOf({ from, to }: LogicalRange): Span | null {
    const { candles } = this
    const first = candles[Math.max(0, Math.ceil(from))]
    if (first === undefined) return null
    const last = to >= candles.length - 1 ? undefined : candles[Math.max(0, Math.floor(to))]
    return { from: first.time, to: last?.time ?? null }
  }

  show({ from, to }: Span): void {
    const { candles } = this
    const first = candles.findIndex(({ time }) => time >= from)
    const last = to === null ? candles.length + 2 : candles.findLastIndex(({ time }) => time <= to)
    if (first >= 0 && last > first) this.chart.timeScale().setVisibleLogicalRange({ from: first, to: last })
  }

  start(): number | null {
    return this.candles[0]?.time ?? null
  }

  set(fresh: readonly Candle[]): void {
    this.candles = [...fresh]
    this.fill()
    const { length } = this.candles
    this.chart.timeScale().setVisibleLogicalRange({ from: length - visibleBars(this.element), to: length + 2 })
    this.read()
  }

  update(fresh: readonly Candle[]): void {
    const colours = coloursOf(this.element)
    for (const one of fresh) {
      const last = this.candles.at(-1)
      if (last !== undefined && one.time < last.time) continue
      if (last?.time === one.time) this.candles[this.candles.length - 1] = one
      else this.candles.push(one)
      if (this.isLine) (this.series as ISeriesApi<'Line'>).update({ time: at(one.time), value: one.close })
      else (this.series as ISeriesApi<'Candlestick'>).update({ ...one, time: at(one.time) })
      this.volumes.update(volumeOf(one, colours))
    }
    this.compared.fill(this.times())
    this.read()
  }

  prepend(older: readonly Candle[]): void {
    const first = this.candles[0]?.time ?? Number.POSITIVE_INFINITY
    const range = this.chart.timeScale().getVisibleLogicalRange()
    const more = older.filter(({ time }) => time < first)
    this.candles = [...more, ...this.candles]
    this.fill()
    if (range !== null)
      this.chart.timeScale().setVisibleLogicalRange({ from: range.from + more.length, to: range.to + more.length })
  }

  look({ isLine, isLog }: ChartLook): void {
    this.isLine = isLine
    this.isLog = isLog
    this.recolour()
  }

  compare(other: ComparedCandles | null): void {
    this.compared.set(other)
    this.recolour()
    this.read()
  }

  recolour(): void {
    const { chart } = this
    const colours = coloursOf(this.element)
    chart.applyOptions(chartOptions(colours, getComputedStyle(this.element).fontFamily))
    if (this.series !== null) chart.removeSeries(this.series)
    this.series = this.isLine ? chart.addSeries(LineSeries, lineOptions(colours)) : addCandles(chart, colours)
    this.series.applyOptions({ priceFormat: PRICE_FORMAT })
    const alone = this.isLog ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal
    chart.priceScale('right').applyOptions({ mode: this.compared.isShown ? PriceScaleMode.Percentage : alone })
    this.fill()
    this.compared.draw(colours.compared, this.times())
  }

  close(): void {
    this.chart.remove()
  }

  private times(): number[] {
    return this.candles.map(({ time }) => time)
  }

  private fill(): void {
    const { candles, series } = this
    const colours = coloursOf(this.element)
    if (this.isLine)
      (series as ISeriesApi<'Line'>).setData(candles.map(({ time, close }) => ({ time: at(time), value: close })))
    else (series as ISeriesApi<'Candlestick'>).setData(candles.map((one) => ({ ...one, time: at(one.time) })))
    this.volumes.setData(candles.map((one) => volumeOf(one, colours)))
    this.compared.fill(this.times())
  }

  private read(): void {
    const { candles, compared, pointed, chosen } = this
    const held = chosen === null ? -1 : candles.findIndex(({ time }) => time === chosen)
    const index = pointed ?? (held === -1 ? candles.length - 1 : held)
    const from = this.chart.timeScale().getVisibleLogicalRange()?.from ?? 0
    this.callbacks.onRead({
      candle: candles[index] ?? null,
      isNewest: pointed === null && held === -1,
      compared: !compared.isShown
        ? null
        : {
            change: changeSince(
              candles.map(({ close }) => close),
              from,
              index,
            ),
            other: changeSince(compared.prices, from, index),
            price: compared.prices[index] ?? null,
          },
    })
  }
}

const at = (time: number) => time as UTCTimestamp

/** Bars of about eight pixels. */
function visibleBars(element: HTMLElement): number {
  return Math.max(20, Math.floor(element.clientWidth / 8))
}

type Colours = Record<'text' | 'line' | 'good' | 'bad' | 'accent' | 'compared', string>

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
    compared: colour('--compared'),
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
