// The chart of candles with TradingView's lightweight-charts. Loaded only where a chart is shown.
import {
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type LogicalRange,
  PriceScaleMode,
} from 'lightweight-charts'
import { priceScaleOf, volumeScaleOf } from '../core/chart-scales.ts'
import { changeSince } from '../core/compared.ts'
import type { Candle } from '../data/candles.ts'
import { type ComparedCandles, ComparedLine, PRICE_FORMAT } from './compared-line.ts'
import { addCandles, at, type Colours, chartOptions, coloursOf, lineOptions, volumeOf } from './look.ts'

export interface ChartLook {
  isLine: boolean
  isLog: boolean
}

/** What stands above the chart. */
export interface Reading {
  /** Under the crosshair, else the chosen one, else the newest; null without candles. */
  candle: Candle | null
  /** Of the candle; -1 without one. */
  index: number
  /** Number of candles. */
  count: number
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
  /** Newest candles, in the place of all from the first of them on: a fork can remove some. Older ones stay. */
  update(candles: readonly Candle[]): void
  /** Older candles; the view stays where it is. */
  prepend(candles: readonly Candle[]): void
  look(look: ChartLook): void
  /** Shows a second market as a line, and both in percent since the first candle in view; null: this market alone. */
  compare(other: ComparedCandles | null): void
  /** Takes the page's colours again. */
  recolour(): void
  /**
   * Chooses a candle, whose figures stay above the chart, and brings it into view.
   *
   * @param steps  from the chosen one, or from the newest, to newer ones; at the newest none is chosen
   */
  choose(steps: number): void
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
  /** Time of the candle that the visitor chose, Unix seconds: its figures stay when the pointer leaves. */
  private chosen: number | null = null
  /** Whether the visitor, not the page, changes the view. */
  private isMoved = false
  private gesture: ReturnType<typeof setTimeout> | undefined

  constructor(element: HTMLElement, callbacks: ChartCallbacks) {
    this.element = element
    this.callbacks = callbacks
    this.chart = createChart(element, { autoSize: true, layout: { attributionLogo: false } })
    this.volumes = this.chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      priceFormat: { type: 'volume' },
      autoscaleInfoProvider: volumeScaleOf,
      lastValueVisible: false,
      priceLineVisible: false,
    })
    this.volumes.priceScale().applyOptions({ scaleMargins: { top: VOLUME_TOP, bottom: 0 } })
    this.compared = new ComparedLine(this.chart)
    this.chart.subscribeCrosshairMove(({ logical }) => {
      const index = logical === undefined ? -1 : Math.round(logical)
      this.pointed = this.candles[index] === undefined ? null : index
      this.read()
      if (this.pointed === null) this.mark()
    })
    this.chart.subscribeClick(({ logical }) => {
      const time = logical === undefined ? undefined : this.candles[Math.round(logical)]?.time
      this.chosen = time === undefined || time === this.chosen ? null : time
      this.read()
    })
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range: LogicalRange | null) => {
      if (this.compared.isShown) this.read()
      if (this.pointed === null && this.chosen !== null) this.mark()
      const span = range === null || !this.isMoved ? null : this.spanOf(range)
      if (span !== null) callbacks.onSpan(span)
      if (range !== null && range.from < NEAR_START && this.candles.length > 0) callbacks.onStart()
    })
    // Before the chart, which changes the range as soon as it has the event.
    const options = { capture: true, passive: true }
    for (const event of ['wheel', 'pointerdown', 'touchstart', 'touchmove'])
      element.addEventListener(event, () => this.moved(), options)
    element.addEventListener('pointermove', ({ buttons }) => buttons > 0 && this.moved(), options)
    this.recolour()
  }

  /** The visitor has moved the view, or begins to. */
  private moved(): void {
    this.isMoved = true
    clearTimeout(this.gesture)
    this.gesture = setTimeout(() => {
      this.isMoved = false
    }, GESTURE_MS)
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
    if (first < 0 || last <= first) return
    this.chart.timeScale().setVisibleLogicalRange({ from: first, to: last })
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
    const [first] = fresh
    if (first === undefined) return
    const kept = this.candles.filter(({ time }) => time < first.time)
    const replaced = this.candles.slice(kept.length)
    // The series take one candle after the other from their last one on. Anything else is drawn anew.
    const next = Math.max(0, replaced.length - 1)
    const isTail = replaced.every((one, i) => one.time === fresh[i]?.time && (i === next || isSame(one, fresh[i])))
    this.candles = [...kept, ...fresh]
    const colours = coloursOf(this.element)
    if (isTail) for (const one of fresh.slice(next)) this.draw(one, colours)
    else this.fill()
    this.compared.fill(this.times())
    this.read()
  }

  /** Draws a candle in the place of the last one, or after it. */
  private draw(one: Candle, colours: Colours): void {
    if (this.isLine) (this.series as ISeriesApi<'Line'>).update({ time: at(one.time), value: one.close })
    else (this.series as ISeriesApi<'Candlestick'>).update({ ...one, time: at(one.time) })
    this.volumes.update(volumeOf(one, colours))
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
    const isAnew = other === null || !this.compared.isShown
    this.compared.set(other)
    if (isAnew) this.recolour()
    else this.compared.fill(this.times())
    this.read()
  }

  recolour(): void {
    const { chart } = this
    const colours = coloursOf(this.element)
    chart.applyOptions(chartOptions(colours, getComputedStyle(this.element).fontFamily))
    if (this.series !== null) chart.removeSeries(this.series)
    this.series = this.isLine ? chart.addSeries(LineSeries, lineOptions(colours)) : addCandles(chart, colours)
    this.series.applyOptions({ priceFormat: PRICE_FORMAT, autoscaleInfoProvider: priceScaleOf })
    const alone = this.isLog ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal
    chart.priceScale('right').applyOptions({ mode: this.compared.isShown ? PriceScaleMode.Percentage : alone })
    this.fill()
    this.compared.draw(colours.compared, this.times())
  }

  choose(steps: number): void {
    const last = this.candles.length - 1
    const index = Math.min(last, Math.max(0, (this.chosenIndex() ?? last) + steps))
    this.pointed = null
    this.chosen = index === last ? null : (this.candles[index]?.time ?? null)
    const scale = this.chart.timeScale()
    const range = scale.getVisibleLogicalRange()
    if (range !== null && (index < range.from || index > range.to)) {
      this.moved()
      const from = index < range.from ? index : range.from + index - range.to
      scale.setVisibleLogicalRange({ from, to: from + range.to - range.from })
    }
    this.mark()
    this.read()
  }

  private chosenIndex(): number | null {
    const index = this.chosen === null ? -1 : this.candles.findIndex(({ time }) => time === this.chosen)
    return index === -1 ? null : index
  }

  /** Puts the crosshair on the chosen candle while the pointer is elsewhere. */
  private mark(): void {
    const one = this.candles[this.chosenIndex() ?? -1]
    if (one === undefined || this.series === null) this.chart.clearCrosshairPosition()
    else this.chart.setCrosshairPosition(one.close, at(one.time), this.series)
  }

  close(): void {
    clearTimeout(this.gesture)
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
    const { candles, compared, pointed } = this
    const held = this.chosenIndex()
    const index = pointed ?? held ?? candles.length - 1
    const from = this.chart.timeScale().getVisibleLogicalRange()?.from ?? 0
    this.callbacks.onRead({
      candle: candles[index] ?? null,
      index,
      count: candles.length,
      isNewest: pointed === null && held === null,
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

const isSame = ({ exact }: Candle, other: Candle | undefined) => JSON.stringify(exact) === JSON.stringify(other?.exact)

/** Bars of about eight pixels. */
function visibleBars(element: HTMLElement): number {
  return Math.max(20, Math.floor(element.clientWidth / 8))
}
