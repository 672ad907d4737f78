// The search field: pages that the text can mean by its form, markets and tokens as one types, and the server's answer.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ask } from '../data/answers.ts'
import { chain, navigate, to } from '../data/place.ts'
import { Combobox } from '../parts/combobox.tsx'
import { hitsByForm, readHits } from './search-hits.ts'
import { useHits } from './use-hits.ts'

export function Search({ isLarge = false }: { isLarge?: boolean }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const word = text.trim()
  const [attempt, setAttempt] = useState(0)
  const found = useHits(word, (asked, signal) => readHits((path) => ask(chain.value, path, signal), asked), attempt)
  /** The text with which Enter was pressed before its hits had come. */
  const [entered, setEntered] = useState<string | null>(null)
  const open = (href: string) => {
    setText('')
    setEntered(null)
    field.current?.blur()
    navigate(href)
  }
  const openBest = () => {
    const [best] = found.hits
    open(best === undefined ? `${to('search')}?q=${encodeURIComponent(word)}` : to(best.kind, best.id))
  }
  const isSettled = found.text === word && found.attempt === attempt

  useEffect(() => {
    if (entered === null || entered !== word || !isSettled) return
    if (found.failed) setEntered(null)
    else openBest()
  }, [entered, word, found])

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
    const byForm = hitsByForm(word).filter(({ kind, id }) => !known.has(`${kind} ${id}`))
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
        isSettled={isSettled}
        onText={(value) => {
          setText(value)
          setEntered(null)
        }}
        onEnter={() => {
          if (word === '') return
          if (isSettled && !found.failed) openBest()
          else {
            if (isSettled) setAttempt(attempt + 1)
            setEntered(word)
          }
        }}
        onEscape={() => {
          setEntered(null)
          field.current?.blur()
        }}
        onChoose={({ href }) => open(href)}
      />
      <span class="unseen" aria-live="polite">
        {entered !== null ? `Searching for ${entered}` : isSettled && found.failed ? 'The search does not answer' : ''}
      </span>
      {isLarge ? null : <kbd title="Press / to search">/</kbd>}
    </search>
  )
}

/** Below the note that an address names nothing. */
export function SearchAgain() {
  return (
    <div class="middle">
      <Search isLarge />
    </div>
  )
}
