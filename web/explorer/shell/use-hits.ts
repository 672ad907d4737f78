// Search hits, requested when the user stops typing.
import { useEffect, useState } from 'preact/hooks'
import { chain } from '../data/place.ts'
import type { Hit } from './search-hits.ts'

const PAUSE_MS = 120

/** @returns the newest hits with their search text @param read  sends the requests */
export function useHits(word: string, read: (text: string, signal: AbortSignal) => Promise<Hit[]>) {
  const [found, setFound] = useState<{ text: string; hits: readonly Hit[] }>({ text: '', hits: [] })
  useEffect(() => {
    if (word === '') return setFound({ text: '', hits: [] })
    const stop = new AbortController()
    const timer = setTimeout(() => {
      read(word, stop.signal).then(
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
  return found
}
