// Further pages of a list, by the cursor of the page before.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../data/answers.ts'

/**
 * Once a further page is loaded, the first one stays as it is: new entries would leave a gap between the two.
 *
 * @param path  of the first page, with a query
 * @param parameter  that takes the cursor
 * @param newest  the first page as of now
 * @returns all pages in order, and the button that loads the next
 */
export function useMore<T extends { next: string | null }>(
  chain: string | null,
  path: string,
  parameter: string,
  newest: T,
): { pages: readonly T[]; button: ComponentChildren } {
  const [held, setHeld] = useState<{ path: string; pages: readonly T[] }>({ path, pages: [] })
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  useEffect(() => setState('idle'), [path])
  const pages = held.path === path && held.pages.length > 0 ? held.pages : [newest]
  const next = pages.at(-1)?.next ?? null
  const load = async () => {
    setState('loading')
    try {
      const page = await ask<T>(chain, `${path}&${parameter}=${encodeURIComponent(next ?? '')}`)
      setHeld({ path, pages: [...pages, page] })
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
