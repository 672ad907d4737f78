// The panel with the chart of candles: resolutions, kind, scale. The chart's code is loaded after the page is drawn.
import { local } from '../../shared/times.ts'
import { type Compared, comparedOf, comparedText } from '../core/compared.ts'
import { grouped, price, short, usd } from '../core/numbers.ts'
import { type CandleSource, RESOLUTIONS, type Resolution } from '../data/candles.ts'
import { query, setQuery } from '../data/place.ts'
import { Choice, Copy, Price, When } from '../parts/basics.tsx'
import type { Reading } from './candles.ts'
import { CompareField, Comparison } from './compare.tsx'
import { useChart } from './use-chart.ts'

/** Keys that choose a candle: steps to newer ones. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
  Escape: Number.POSITIVE_INFINITY,
}

/** A candle in words, for screen readers. */
function spoken({ candle, isNewest }: Reading, unit: string): string {
  if (candle === null) return 'no candles'
  const { open, high, low, close } = candle.exact
  const prices = [`open ${price(open)}`, `high ${price(high)}`, `low ${price(low)}`, `close ${price(close)}`]
  return `${isNewest ? 'newest candle' : local(candle.time * 1000, 0)}: ${prices.join(', ')} ${unit}`
}

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
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = event.ctrlKey || event.metaKey || event.altKey ? undefined : STEPS[event.key]
    if (steps === undefined || chart.current === null) return
    event.preventDefault()
    chart.current.choose(steps)
  }
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
      <p
        class="reading"
        aria-live="off"
        title="A click on a candle, or the arrow keys in the chart, keep the figures of a candle here"
      >
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
      <p id="chart-keys" class="unseen">
        Left and Right choose a candle, whose figures stay above the chart. Home goes to the oldest, End and Escape to
        the newest.
      </p>
      {/* The candles are the steps of a slider. */}
      <div
        class="chart"
        ref={place}
        data-state={state}
        role="slider"
        tabIndex={0}
        aria-label="Candles"
        aria-describedby="chart-keys"
        aria-valuemin={reading.count === 0 ? 0 : 1}
        aria-valuemax={reading.count}
        aria-valuenow={reading.index + 1}
        aria-valuetext={spoken(reading, unit)}
        onKeyDown={onKeyDown}
      />
      {state === 'empty' ? <p class="chart-note">No trades yet</p> : null}
      {state === 'failed' ? (
        <p class="chart-note" role="alert">
          The candles could not be loaded.{' '}
          <button type="button" onClick={() => again()}>
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
  reading: { candle, isNewest },
  unit,
  isUsd,
}: {
  reading: Reading
  unit: string
  /** Whether volumes are in US dollars; else in the unit of the prices. */
  isUsd: boolean
}) {
  if (candle === null) return <>&nbsp;</>
  const { time, open, close, volume, exact } = candle
  const at = (name: 'open' | 'high' | 'low' | 'close') => <Price value={exact[name]} unit={unit} />
  const row = [new Date(time * 1000).toISOString(), exact.open, exact.high, exact.low, exact.close, exact.volume]
  return (
    <>
      {isNewest ? null : (
        <span class="quiet">
          <When at={time * 1000} />{' '}
        </span>
      )}
      <Named name="O">{at('open')}</Named> <Named name="H">{at('high')}</Named> <Named name="L">{at('low')}</Named>{' '}
      <Named name="C">
        <span class={close >= open ? 'up' : 'down'}>{at('close')}</span>
      </Named>{' '}
      <span class="quiet">{unit}</span>{' '}
      <Named name="Vol">
        <span class="amount" title={isUsd ? `$${grouped(exact.volume)}` : `${grouped(exact.volume)} ${unit}`}>
          {isUsd ? usd(volume) : `${short(volume)} ${unit}`}
        </span>
      </Named>{' '}
      <Copy text={row.join('\t')} what="time, prices and volume of the candle" />
    </>
  )
}

/** A figure that stays in one line with its name. */
function Named({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <span class="nowrap">
      <span class="quiet">{name}</span> {children}
    </span>
  )
}
