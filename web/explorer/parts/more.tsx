// Further pages of a list, by the cursor of the page before.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../data/answers.ts'

/**
 * @param path  of the first page, with a query
 * @param parameter  that takes the cursor
 * @param first  cursor of the second page; null when there is none
 */
export function useMore<T extends { next: string | null }>(
  chain: string | null,
  path: string,
  parameter: string,
  first: string | null,
): { pages: readonly T[]; button: ComponentChildren } {
  const [pages, setPages] = useState<readonly T[]>([])
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  useEffect(() => {
    setPages([])
    setState('idle')
  }, [path, first])
  const next = pages.length === 0 ? first : (pages.at(-1)?.next ?? null)
  const load = async () => {
    setState('loading')
    try {
      const page = await ask<T>(chain, `${path}&${parameter}=${encodeURIComponent(next ?? '')}`)
      setPages((old) => [...old, page])
      setState('idle')
    } catch {
      setState('failed')
    }
  }
  const label = { idle: 'Show more', loading: 'Loading…', failed: 'Failed. Try again' }[state]
  const button =
    next === null ? null : (
      <p class="centred">
        <button type="button" disabled={state === 'loading'} onClick={() => void load()}>
          {label}
        </button>
      </p>
    )
  return { pages, button }
}
