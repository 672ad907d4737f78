// Colours, scales and texts of the chart of candles.
import { CandlestickSeries, type IChartApi, type ISeriesApi, type UTCTimestamp } from 'lightweight-charts'
import { local } from '../../shared/times.ts'
import type { Candle } from '../data/candles.ts'

export const at = (time: number) => time as UTCTimestamp

export type Colours = Record<'text' | 'line' | 'good' | 'bad' | 'accent' | 'compared', string>

/** The page's colours: a canvas knows no CSS variables. */
export function coloursOf(element: HTMLElement): Colours {
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

export function chartOptions({ text, line }: Colours, fontFamily: string) {
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

export function addCandles(chart: IChartApi, { good, bad }: Colours): ISeriesApi<'Candlestick'> {
  return chart.addSeries(CandlestickSeries, {
    upColor: good,
    downColor: bad,
    wickUpColor: good,
    wickDownColor: bad,
    borderVisible: false,
  })
}

export const lineOptions = ({ accent }: Colours) => ({ color: accent, lineWidth: 2 as const })

export function volumeOf({ time, open, close, volume }: Candle, { good, bad }: Colours) {
  return { time: at(time), value: volume, color: withAlpha(close >= open ? good : bad, 0.35) }
}

/** `rgb(1, 2, 3)` with an opacity. */
function withAlpha(colour: string, alpha: number): string {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`)
}
