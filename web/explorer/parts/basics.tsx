// Small parts that every page uses: links, numbers, times, tokens.
import { computed, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { age, local, utc } from '../../shared/times.ts'
import { LOGO_PATH } from '../core/config.ts'
import { change, grouped, percent, price, short, UNKNOWN, usd, usdPrice } from '../core/numbers.ts'
import { copyText } from '../data/clipboard.ts'
import { chain, config, to } from '../data/place.ts'

/** The clock of all ages on the page, Unix milliseconds. */
const now = signal(Date.now())
setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 1000)
/** A time of the present day in the browser's zone. Changes at midnight. */
const today = computed(() => new Date(now.value).setHours(0, 0, 0, 0))

export function Account({ name, chain }: { name: string; chain?: string | null }) {
  return (
    <a class="account" href={to('account', name, chain)}>
      {name}
    </a>
  )
}

/** The beginning of an id, with the whole id on hover. */
export function TxLink({ id }: { id: string }) {
  return (
    <a class="mono" href={to('tx', id)} title={id}>
      {id.slice(0, 8)}…
    </a>
  )
}

export function BlockLink({ block }: { block: number }) {
  return (
    <a class="number" href={to('block', block)}>
      {block.toLocaleString('en')}
    </a>
  )
}

/** A time in the browser's zone, with UTC on hover. */
export function When({ at, relative = false }: { at: number | string; relative?: boolean }) {
  const time = typeof at === 'number' ? at : Date.parse(at)
  return Number.isNaN(time) ? <span>{UNKNOWN}</span> : <Time time={time} relative={relative} />
}

/** Only the text depends on the clock: each second it is computed, and the page changes where it differs. */
function Time({ time, relative }: { time: number; relative: boolean }) {
  const text = useMemo(
    () => computed(() => (relative ? `${age((now.value - time) / 1000)} ago` : local(time, today.value))),
    [time, relative],
  )
  return (
    <time dateTime={new Date(time).toISOString()} title={`${utc(time)} · ${local(time, 0)} local`}>
      {text}
    </time>
  )
}

/** A time with its date, whatever day it is, and its age. */
export function Moment({ at }: { at: number | string }) {
  const time = typeof at === 'number' ? at : Date.parse(at)
  if (Number.isNaN(time)) return <span>{UNKNOWN}</span>
  return (
    <span>
      <time dateTime={new Date(time).toISOString()} title={`${utc(time)} · ${local(time, 0)} local`}>
        {local(time, 0)}
      </time>{' '}
      <span class="quiet">
        (<When at={time} relative />)
      </span>
    </span>
  )
}

/** An amount in short, with the exact one on hover. @param exact  decimal text */
export function Amount({ exact, symbol = '', token }: { exact: string; symbol?: string; token?: string | undefined }) {
  const unit = token ? <a href={to('token', token)}>{symbol}</a> : symbol
  return (
    <span class="amount" title={`${grouped(exact)} ${symbol}`.trim()}>
      {short(exact)} {unit}
    </span>
  )
}

export function Usd({ value }: { value: number | string | null | undefined }) {
  const exact = value == null || value === '' ? 'The value in US dollars is not known.' : `$${grouped(String(value))}`
  return (
    <span class="amount" title={exact}>
      {usd(value)}
    </span>
  )
}

interface PriceProps {
  value: number | string | null | undefined
  /** Symbol of the token that it is in. */
  unit: string
  /** Which price it is, for the hover text. */
  meaning?: string
}

/** A price in short, with the exact one on hover. */
export function Price({ value, unit, meaning }: PriceProps) {
  const exact = value == null || value === '' ? undefined : `${grouped(String(value))} ${unit}`
  const title = exact === undefined || meaning === undefined ? exact : `${exact} · ${meaning}`
  return (
    <span class="amount" title={title}>
      {price(value)}
    </span>
  )
}

/** The price of a token in US dollars, with the exact one on hover. 0 means that it is not known. */
export function UsdPrice({ value }: { value: number | null | undefined }) {
  const exact = value ? `$${grouped(String(value))}` : 'The price in US dollars is not known.'
  return (
    <span class="amount" title={exact}>
      {usdPrice(value || null)}
    </span>
  )
}

export function Change({ percent: value }: { percent: number | null | undefined }) {
  const tone = !value ? 'quiet' : value > 0 ? 'up' : 'down'
  const exact = value != null && Number.isFinite(value) ? `${grouped(String(value))}%` : undefined
  return (
    <span class={`amount ${tone}`} title={exact}>
      {change(value)}
    </span>
  )
}

/** A share in short, with the exact one on hover. @param value  percent */
export function Percent({ value }: { value: number | string | null | undefined }) {
  const exact = value == null || value === '' ? undefined : `${grouped(String(value))}%`
  return (
    <span class="amount" title={exact}>
      {percent(value)}
    </span>
  )
}

const COPY_SIGNS = {
  '': 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  copied: 'M3 8.5l3.2 3L13 4.5',
  'not copied': 'M4 4l8 8M12 4l-8 8',
} as const

/** A button that copies a text. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<'' | 'copied' | 'not copied'>('')
  useEffect(() => {
    if (state === '') return
    const timer = setTimeout(() => setState(''), 1500)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () => {
    copyText(text).then(
      () => setState('copied'),
      () => setState('not copied'),
    )
  }
  return (
    <button type="button" class="copy" onClick={copy} aria-label={`Copy ${what}`} title={`Copy ${what}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={COPY_SIGNS[state]} />
      </svg>
      <span class="unseen" role="status">
        {state}
      </span>
    </button>
  )
}

interface Marked {
  id: string
  symbol: string
}

/** The logo of a token where the server has it as a file, else a picture made from its name. @param of  its chain */
export function TokenMark({ id, symbol, of = chain.value }: Marked & { of?: string | null }) {
  const [isBroken, setBroken] = useState(false)
  if (of === null || isBroken || config.logos[of]?.includes(id) !== true) return <MadeMark id={id} symbol={symbol} />
  const source = `${LOGO_PATH}${of}/${encodeURIComponent(id)}`
  return <img class="mark" src={source} alt="" width={32} height={32} loading="lazy" onError={() => setBroken(true)} />
}

/** A round picture from the token's name, the same everywhere. */
function MadeMark({ id, symbol }: Marked) {
  const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  const letters = symbol.slice(0, symbol.length > 3 ? 2 : 3)
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill={`hsl(${hue} 55% 42%)`} />
      <path d="M0 16a16 16 0 0 1 32 0z" fill={`hsl(${(hue + 30) % 360} 60% 52%)`} opacity="0.55" />
      <text x="16" y="20.5" text-anchor="middle" font-size={letters.length > 2 ? 10 : 13} font-weight="700" fill="#fff">
        {letters}
      </text>
    </svg>
  )
}

/** @param of  chain of both tokens */
export function PairMarks({ base, quote, of = chain.value }: { base: Marked; quote: Marked; of?: string | null }) {
  return (
    <span class="marks">
      <TokenMark key={base.id} id={base.id} symbol={base.symbol} of={of} />
      <TokenMark key={quote.id} id={quote.id} symbol={quote.symbol} of={of} />
    </span>
  )
}

export function Badge({ children, tone = 'plain' }: { children: ComponentChildren; tone?: string }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** Rows of a name and its value. */
export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren] | null | false)[] }) {
  return (
    <dl class="facts">
      {rows.map((row, i) =>
        row ? (
          <div key={i}>
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

export function Panel({
  title,
  aside,
  children,
  id,
  isLow = false,
}: {
  title: string
  aside?: ComponentChildren
  children: ComponentChildren
  id: string
  /** In two columns: needs little height. */
  isLow?: boolean
}) {
  return (
    <section class={isLow ? 'panel low' : 'panel'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** A wide table that scrolls in itself. It takes the keyboard's focus, so that arrow keys scroll it. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only a focused region scrolls by keyboard.
    <section class="scroll" aria-label={`Table of ${label}`} tabIndex={0}>
      {children}
    </section>
  )
}

/** Buttons of which one is chosen. */
export function Choice<T extends string>({
  name,
  options,
  value,
  onChoose,
}: {
  name: string
  options: readonly (readonly [T, string])[]
  value: T
  onChoose: (value: T) => void
}) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{name}</legend>
      {options.map(([option, label]) => (
        <button type="button" key={option} aria-pressed={option === value} onClick={() => onChoose(option)}>
          {label}
        </button>
      ))}
    </fieldset>
  )
}
