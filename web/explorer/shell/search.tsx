// The search field: pages that the text can mean by its form, markets and tokens as one types, and the server's answer.
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { guesses } from '../core/addresses.ts'
import { ask } from '../data/answers.ts'
import { chain, navigate, to } from '../data/place.ts'
import { type Hit, readHits } from './search-hits.ts'

const PAUSE_MS = 120

function hrefOf({ kind, id }: Hit): string {
  return to(kind, id)
}

export function Search({ isLarge = false }: { isLarge?: boolean }) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [found, setFound] = useState<{ text: string; hits: Hit[] }>({ text: '', hits: [] })
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const word = text.trim()

  useEffect(() => {
    if (word === '') return setFound({ text: '', hits: [] })
    const stop = new AbortController()
    const timer = setTimeout(() => {
      readHits((path) => ask(chain.value, path, stop.signal), word).then(
        (hits) => {
          if (!stop.signal.aborted) setFound({ text: word, hits })
        },
        () => {},
      )
    }, PAUSE_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [word, chain.value])

  useEffect(() => {
    if (isLarge) return
    const focus = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [isLarge])

  const options = useMemo(() => {
    // Hits of an earlier text are not what Enter means now.
    const hits = found.text === word ? found.hits : []
    const known = new Set(hits.map(({ kind, id }) => `${kind} ${id}`))
    const byForm = guesses(word)
      .filter(({ kind, id }) => !known.has(`${kind} ${id}`))
      .map(
        ({ kind, id, label }): Hit => ({ kind, id, title: id.length > 20 ? `${id.slice(0, 16)}…` : id, detail: label }),
      )
    return [...hits, ...byForm].slice(0, 12)
  }, [word, found])

  const go = (hit: Hit | undefined) => {
    if (hit === undefined) return
    setText('')
    setOpen(false)
    field.current?.blur()
    navigate(hrefOf(hit))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setOpen(false)
      field.current?.blur()
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((active + step + options.length) % Math.max(1, options.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      go(options[Math.max(0, active)])
    }
  }
  const isShown = isOpen && word !== ''
  return (
    <search class={isLarge ? 'search large' : 'search'}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5L14 14" />
      </svg>
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Search markets, tokens, accounts, transactions and blocks"
        aria-expanded={isShown}
        aria-controls={`${id}-hits`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        placeholder="Market, token, account, transaction, block"
        autocomplete="off"
        spellcheck={false}
        maxLength={80}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setOpen(true)
          setActive(-1)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onKeyDown={onKeyDown}
      />
      {isLarge ? null : <kbd title="Press / to search">/</kbd>}
      <div id={`${id}-hits`} class="hits" role="listbox" aria-label="Results" hidden={!isShown}>
        {options.map((hit, i) => (
          <a
            key={`${hit.kind} ${hit.id}`}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            href={hrefOf(hit)}
            onPointerDown={(event) => event.preventDefault()}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey) return
              event.preventDefault()
              go(hit)
            }}
          >
            <span>{hit.title}</span>
            <span class="quiet">{hit.detail}</span>
          </a>
        ))}
        {options.length === 0 ? <p class="quiet">{found.text === word ? 'Nothing found' : 'Searching…'}</p> : null}
      </div>
    </search>
  )
}
