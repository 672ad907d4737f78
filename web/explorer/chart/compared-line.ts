// The line of a second market in a chart of candles, at the times of the candles: other times would change their places.
import { type IChartApi, type ISeriesApi, LineSeries, type UTCTimestamp } from 'lightweight-charts'
import { pricesAt } from '../core/compared.ts'
import { price } from '../core/numbers.ts'
import type { Candle } from '../data/candles.ts'

/** Candles of the market that is compared, ascending. */
export interface ComparedCandles {
  name: string
  candles: readonly Candle[]
}

export const PRICE_FORMAT = {
  type: 'custom' as const,
  minMove: 1e-12,
  formatter: (value: number) => price(value),
}

export class ComparedLine {
  private readonly chart: IChartApi
  private series: ISeriesApi<'Line'> | null = null
  private other: ComparedCandles | null = null
  /** At the times of the candles. */
  prices: readonly (number | null)[] = []

  constructor(chart: IChartApi) {
    this.chart = chart
  }

  get isShown(): boolean {
    return this.other !== null
  }

  set(other: ComparedCandles | null): void {
    this.other = other
  }

  /** Draws the line again, above the other series. */
  draw(color: string, times: readonly number[]): void {
    if (this.series !== null) this.chart.removeSeries(this.series)
    this.series = null
    if (this.other === null) return
    const title = this.other.name
    this.series = this.chart.addSeries(LineSeries, { color, title, lineWidth: 2, priceLineVisible: false })
    this.series.applyOptions({ priceFormat: PRICE_FORMAT })
    this.fill(times)
  }

  /** Takes the prices at the times of the candles again. */
  fill(times: readonly number[]): void {
    if (this.other === null) return
    this.prices = pricesAt(times, this.other.candles)
    this.series?.setData(
      times.map((start, i) => {
        const time = start as UTCTimestamp
        const value = this.prices[i]
        return value == null ? { time } : { time, value }
      }),
    )
  }
}
