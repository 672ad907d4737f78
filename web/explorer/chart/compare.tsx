// A second market in the chart: the field that finds it, and its line.
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Compared, comparedText, withNewer } from '../core/compared.ts'
import { change, grouped, price } from '../core/numbers.ts'
import { ask, outcomeOf, useShared } from '../data/answers.ts'
import { type Candle, type CandleSource, type Resolution, readFrom, readNewer } from '../data/candles.ts'
import { chain, setQuery } from '../data/place.ts'
import { useChannel, usePulse } from '../data/stream.ts'
import type { Get, MarketBook, MarketPool } from '../data/types.ts'
import { useRenewal } from '../data/use-renewal.ts'
import { Combobox } from '../parts/combobox.tsx'
import type { Hit } from '../shell/search-hits.ts'
import { useHits } from '../shell/use-hits.ts'
import type { CandleChart, Reading } from './candles.ts'
import { CANDLE_PACE } from './use-chart.ts'

const MAX_HITS = 6

/** Pools and order books that a text names, but the market of the page. */
async function readMarkets(text: string, own: Compared, signal: AbortSignal): Promise<Hit[]> {
  const found = await Promise.all(
    (['pool', 'market'] as const).map((kind) =>
      ask<Get<'/api/v3/explore/search'>>(
        chain.value,
        `/api/v3/explore/search?q=${encodeURIComponent(text)}&kind=${kind}&limit=${MAX_HITS}`,
        signal,
      ).then(({ results }) =>
        results.map(({ id, label, detail }): Hit => ({ kind, id, title: label, detail: detail ?? '' })),
      ),
    ),
  )
  return found.flat().filter(({ kind, id }) => kind !== own.kind || id !== String(own.id))
}

/** The button "Compare", and the field that it opens. */
export function CompareField({ own, isComparing }: { own: Compared; isComparing: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const word = text.trim()
  const found = useHits(word, (asked, signal) => readMarkets(asked, own, signal))
  useEffect(() => {
    if (isOpen) field.current?.focus()
  }, [isOpen])
  const close = () => {
    setText('')
    setOpen(false)
    button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class="toggle"
        aria-expanded={isOpen}
        aria-pressed={isComparing}
        onClick={() => setOpen(!isOpen)}
      >
        Compare
      </button>
      {isOpen ? (
        <div class="search compare">
          <Combobox
            field={field}
            label="Market to compare with"
            placeholder="Pool or order book: tlm/wax"
            text={text}
            options={(found.text === word ? found.hits : []).map((hit) => ({ ...hit, key: `${hit.kind} ${hit.id}` }))}
            isSettled={found.text === word}
            onText={setText}
            onEscape={close}
            onChoose={({ kind, id }) => {
              setQuery({ with: `${kind}:${id}` })
              close()
            }}
          />
        </div>
      ) : null}
    </>
  )
}

interface Named {
  name: string
  source: CandleSource
}

function useNamed(of: string | null, { kind, id }: Compared): Named | null {
  const path = kind === 'pool' ? `/api/v3/market/pools/${id}` : `/api/v3/market/orderbooks/${id}`
  const answer = useShared<{ pool?: MarketPool; orderbook?: MarketBook }>(of, path)
  if (answer?.pool) {
    const { tokenA, tokenB } = answer.pool
    return { name: `${tokenA.symbol}/${tokenB.symbol}`, source: { kind: 'pool', id, isReversed: false } }
  }
  if (answer?.orderbook) {
    // The contract names them the other way round: its base is what prices are in.
    const { base, quote } = answer.orderbook
    return { name: `${quote.symbol}/${base.symbol}`, source: { kind: 'market', ticker: `${quote.id}_${base.id}` } }
  }
  return null
}

/** Keeps the line of the compared market in the chart, and says how both have moved. */
export function Comparison({
  compared,
  own,
  chart,
  loaded,
  resolution,
  reading,
}: {
  compared: Compared
  /** Name of the page's market. */
  own: string
  chart: RefObject<CandleChart | null>
  /** Changes when the chart has other candles. */
  loaded: number
  resolution: Resolution
  reading: Reading['compared']
}) {
  const of = chain.value
  const named = useNamed(of, compared)
  const pulse = usePulse(useChannel(of, compared.kind === 'pool' ? 'pool' : 'orderbook', compared.id))
  const name = named?.name ?? `${compared.kind} ${compared.id}`
  const start = chart.current?.start() ?? null
  const key = named === null || start === null ? null : `${JSON.stringify(named.source)} ${resolution} ${loaded}`
  /** Candles since the start of the chart; of another key: none. */
  const held = useRef<{ key: string | null; candles: readonly Candle[] }>({ key: null, candles: [] })
  const again = useRenewal({ key, chain: of }, CANDLE_PACE, async (_askedAt, stop) => {
    try {
      const { source } = named as Named
      const old = held.current.key === key ? held.current.candles : []
      const { value, block } = await (old.length === 0
        ? readFrom(of, source, resolution, start, stop)
        : readNewer(of, source, resolution, old.at(-1), stop))
      if (!stop.aborted) {
        held.current = { key, candles: withNewer(old, value) }
        chart.current?.compare({ name, candles: held.current.candles })
      }
      return { is: 'answered', block }
    } catch (error) {
      return outcomeOf(error)
    }
  })
  useEffect(() => {
    if (pulse > 0) again()
  }, [pulse])
  useEffect(() => () => chart.current?.compare(null), [comparedText(compared)])
  return (
    <p class="reading compared" data-is="compared">
      {own} <Percent value={reading?.change} /> <span class="quiet">against</span> <span class="other">{name}</span>{' '}
      <Percent value={reading?.other} /> <span class="quiet">{reading === null ? '' : price(reading.price)}</span>{' '}
      <button
        type="button"
        class="copy"
        aria-label={`Do not compare with ${name}`}
        onClick={() => setQuery({ with: null })}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M4 4l8 8M12 4l-8 8" />
        </svg>
      </button>
    </p>
  )
}

function Percent({ value }: { value: number | null | undefined }) {
  return (
    <span class="amount" title={value == null ? undefined : `${grouped(String(value))}%`}>
      {change(value)}
    </span>
  )
}
