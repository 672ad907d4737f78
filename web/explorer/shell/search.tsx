// The search field: pages that the text can mean by its form, markets and tokens as one types, and the server's answer.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { guesses } from '../core/addresses.ts'
import { ask } from '../data/answers.ts'
import { chain, navigate, to } from '../data/place.ts'
import { Combobox } from '../parts/combobox.tsx'
import { type Hit, readHits } from './search-hits.ts'
import { useHits } from './use-hits.ts'

export function Search({ isLarge = false }: { isLarge?: boolean }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const word = text.trim()
  const found = useHits(word, (asked, signal) => readHits((path) => ask(chain.value, path, signal), asked))

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
    return [...hits, ...byForm]
      .slice(0, 12)
      .map((hit) => ({ ...hit, key: `${hit.kind} ${hit.id}`, href: to(hit.kind, hit.id) }))
  }, [word, found])

  return (
    <search class={isLarge ? 'search large' : 'search'}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5L14 14" />
      </svg>
      <Combobox
        field={field}
        label="Search markets, tokens, accounts, transactions and blocks"
        placeholder="Market, token, account, transaction, block"
        text={text}
        options={options}
        isSettled={found.text === word}
        onText={setText}
        onChoose={({ href }) => {
          setText('')
          field.current?.blur()
          navigate(href)
        }}
      />
      {isLarge ? null : <kbd title="Press / to search">/</kbd>}
    </search>
  )
}
