// Requests of a component that are repeated while it is shown (core/renewal.ts), with the clock of the browser, the
// visibility of the page, and the blocks and forks of which streams tell.
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { type Outcome, type Pace, Renewal } from '../core/renewal.ts'
import { type Fork, forks, heads } from './heads.ts'

/** What a request reads, as far as it decides when it is repeated. */
export interface Subject {
  /** With a new key, requests start again from the beginning; null: none is made. */
  key: string | null
  /** Null: of the bridge, which is on all chains. */
  chain: string | null
  isOfBridge?: boolean
}

/**
 * @param pace  the one of the first call counts, but for its interval
 * @param request  the one of the render that began with the key; never rejects
 * @returns requests again: see `Renewal.invalidate`
 */
export function useRenewal(
  { key, chain, isOfBridge = false }: Subject,
  pace: Pace,
  request: (askedAt: number, stop: AbortSignal) => Promise<Outcome>,
): (block?: number) => void {
  const running = useRef<Renewal | null>(null)
  useEffect(() => {
    if (key === null) return
    const stop = new AbortController()
    const renewal = new Renewal(
      {
        now: Date.now,
        after(pauseMs, work) {
          const timer = setTimeout(work, pauseMs)
          return () => clearTimeout(timer)
        },
        random: Math.random,
        isHidden: () => document.hidden,
        head: () => headOf(chain, isOfBridge),
        request: (askedAt) => request(askedAt, stop.signal),
      },
      pace,
    )
    const onVisibility = () => {
      if (!document.hidden) renewal.seen()
    }
    document.addEventListener('visibilitychange', onVisibility)
    const stopForks = onFork(chain, isOfBridge, ({ above, newest }) => renewal.forked(above, newest))
    running.current = renewal
    renewal.start()
    return () => {
      stop.abort()
      renewal.stop()
      stopForks()
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [key, pace.everyMs])
  return useCallback((block?: number) => running.current?.invalidate(block), [])
}

/** Number that increases with each block that an answer may change with. */
function headOf(chain: string | null, isOfBridge: boolean): number {
  const all = heads.peek()
  if (!isOfBridge) return all[chain ?? '']?.block ?? 0
  return Object.values(all).reduce((sum, { block }) => sum + block, 0)
}

/** Calls `take` with each later fork of a chain, or of any. @returns a function that ends it */
export function onFork(chain: string | null, isOfAny: boolean, take: (fork: Fork) => void): () => void {
  let seen = forks.peek()
  return forks.subscribe((now) => {
    for (const [name, fork] of Object.entries(now))
      if (fork !== seen[name] && (isOfAny || name === (chain ?? ''))) take(fork)
    seen = now
  })
}
