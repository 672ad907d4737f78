// The panel with the chart of candles: resolutions, kind, scale. The chart's code is loaded after the page is drawn.

import { utc } from '../../shared/times.ts'
import { type Compared, comparedOf, comparedText } from '../core/compared.ts'
import { price, short, usd } from '../core/numbers.ts'
import { type CandleSource, RESOLUTIONS, type Resolution } from '../data/candles.ts'
import { query, setQuery } from '../data/place.ts'
import { Choice } from '../parts/basics.tsx'
import type { Reading } from './candles.ts'
import { CompareField, Comparison } from './compare.tsx'
import { useChart } from './use-chart.ts'

/**
 * @param pulse  changes when the market has changed: the newest candles are read again
 * @param unit  of the prices
 * @param own  the market, and its name
 */
export function ChartPanel({
  source,
  own,
  name,
  pulse,
  unit,
  aside,
}: {
  source: CandleSource
  own: Compared
  name: string
  pulse: number
  unit: string
  aside?: preact.ComponentChildren
}) {
  const wanted = query.value.get('chart')
  const resolution = (RESOLUTIONS.find(([one]) => one === wanted)?.[0] ?? '60') as Resolution
  const isLine = query.value.get('style') === 'line'
  const isLog = query.value.get('scale') === 'log'
  const compared = comparedOf(query.value.get('with'), own)
  const { place, chart, loaded, reading, state, again } = useChart(source, resolution, pulse, { isLine, isLog })
  return (
    <section class="panel chart-panel" aria-label="Chart">
      <header>
        <Choice
          name="Resolution"
          value={resolution}
          options={RESOLUTIONS}
          onChoose={(value) => setQuery({ chart: value === '60' ? null : value, span: null })}
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
            aria-pressed={isLog && compared === null}
            disabled={compared !== null}
            title={compared === null ? undefined : 'Two markets are shown in percent'}
            onClick={() => setQuery({ scale: isLog ? null : 'log' })}
          >
            Log
          </button>
          <CompareField own={own} isComparing={compared !== null} />
          {aside}
        </span>
      </header>
      <p class="reading" aria-live="off">
        <ReadingText reading={reading} unit={unit} isUsd={source.kind === 'pool'} />
      </p>
      {compared === null ? null : (
        <Comparison
          key={comparedText(compared)}
          compared={compared}
          own={name}
          chart={chart}
          loaded={loaded}
          resolution={resolution}
          reading={reading.compared}
        />
      )}
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
