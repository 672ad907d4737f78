// Search hits, requested when the user stops typing, and again when asked.
import { useEffect, useState } from 'preact/hooks'
import { chain } from '../data/place.ts'
import type { Hit } from './search-hits.ts'

const PAUSE_MS = 120

interface Found {
  text: string
  hits: readonly Hit[]
  attempt: number
  /** Whether the server gave no answer. */
  failed?: boolean
}

/**
 * @param read  sends the requests
 * @param attempt  another number asks again
 * @returns the newest hits with their search text
 */
export function useHits(word: string, read: (text: string, signal: AbortSignal) => Promise<Hit[]>, attempt = 0): Found {
  const [found, setFound] = useState<Found>({ text: '', hits: [], attempt: 0 })
  useEffect(() => {
    if (word === '') return setFound({ text: '', hits: [], attempt })
    const stop = new AbortController()
    const timer = setTimeout(() => {
      read(word, stop.signal).then(
        (hits) => {
          if (!stop.signal.aborted) setFound({ text: word, hits, attempt })
        },
        () => {
          if (!stop.signal.aborted) setFound({ text: word, hits: [], attempt, failed: true })
        },
      )
    }, PAUSE_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [word, chain.value, attempt])
  return found
}
