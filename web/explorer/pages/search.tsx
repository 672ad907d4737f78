// What a text names: the page that Enter in the search field opens when nothing was found.
import { ask } from '../data/answers.ts'
import { chain, query, to } from '../data/place.ts'
import { Search } from '../shell/search.tsx'
import { hitsByForm, readHits } from '../shell/search-hits.ts'
import { useHits } from '../shell/use-hits.ts'

/** Longest text of the search field. */
const MAX_TEXT = 80

export function SearchPage() {
  const word = (query.value.get('q') ?? '').trim().slice(0, MAX_TEXT)
  const found = useHits(word, (text, signal) => readHits((path) => ask(chain.value, path, signal), text))
  const isSettled = found.text === word
  const others = isSettled && found.hits.length === 0 ? hitsByForm(word) : []
  return (
    <div class="middle">
      <h1 tabIndex={-1}>{word === '' ? 'Search' : `Search for “${word}”`}</h1>
      <p role="status">{statusOf(word, isSettled, found)}</p>
      <Search isLarge />
      <p class="links">
        {[...(isSettled ? found.hits : []), ...others].map(({ kind, id, title, detail }) => (
          <a key={`${kind} ${id}`} href={to(kind, id)}>
            {title} ({detail})
          </a>
        ))}
      </p>
    </div>
  )
}

function statusOf(word: string, isSettled: boolean, { hits, failed }: ReturnType<typeof useHits>): string {
  if (word === '') return 'Search for a market, a token, an account, a transaction or a block.'
  if (!isSettled) return 'Searching…'
  if (failed) return 'The search does not answer. Try again.'
  return hits.length === 0 ? `Nothing found on ${chain.value}.` : `Found on ${chain.value}:`
}
