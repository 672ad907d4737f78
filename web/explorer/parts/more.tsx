// Further pages of a list, by the cursor of the previous page.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { type FactPage, withNewest, withoutBlocksAbove } from '../core/fact-pages.ts'
import { ask } from '../data/answers.ts'
import type { FactUpdates } from '../data/fact-stream.ts'

interface Pages<T> {
  pages: readonly T[]
  button: ComponentChildren
}

/**
 * Pages of facts, newest first. New facts come first and facts of replaced blocks go, also after further pages are loaded.
 *
 * @param path, newest  as of `useMore`
 */
export function useFactPages<T extends FactPage>(
  chain: string | null,
  path: string,
  newest: T,
  { fork }: FactUpdates,
): Pages<T> {
  const { held, setHeld, ...more } = useHeld(chain, path, 'cursor', newest)
  const change = (next: (pages: readonly T[]) => readonly T[]) =>
    setHeld((old) => (old.path !== path || old.pages.length === 0 ? old : { path, pages: next(old.pages) }))
  useLayoutEffect(() => {
    if (fork !== null) change((pages) => withoutBlocksAbove(pages, fork.above))
  }, [fork?.count])
  useLayoutEffect(() => change((pages) => withNewest(pages, newest)), [newest])
  return more
}

/**
 * Further pages of a list that does not change at its end.
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
): Pages<T> {
  const { pages, button } = useHeld(chain, path, parameter, newest)
  return { pages, button }
}

/** Pages from the first further one on; none before it. */
function useHeld<T extends { next: string | null }>(chain: string | null, path: string, parameter: string, newest: T) {
  const [held, setHeld] = useState<{ path: string; pages: readonly T[] }>({ path, pages: [] })
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  useEffect(() => setState('idle'), [path])
  const pages = held.path === path && held.pages.length > 0 ? held.pages : [newest]
  const next = pages.at(-1)?.next ?? null
  const load = async () => {
    setState('loading')
    try {
      const page = await ask<T>(chain, `${path}&${parameter}=${encodeURIComponent(next ?? '')}`)
      // The pages may have changed meanwhile; the end is the same unless they were read from the start again.
      setHeld((old) => {
        const now = old.path === path && old.pages.length > 0 ? old.pages : pages
        return now.at(-1)?.next === next ? { path, pages: [...now, page] } : old
      })
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
  return { held, setHeld, pages, button }
}
