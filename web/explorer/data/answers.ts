// Answers of the API in components: loading, ready, missing or failed, repeated while the page is visible.
import { signal } from '@preact/signals'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { heard } from './heads.ts'
import { prefixOf } from './place.ts'

/** Timeout of a request, milliseconds. */
const TIMEOUT_MS = 15_000
/** Pauses after failures, milliseconds. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000]

/** `missing`: there is no such thing. `unavailable`: this server has no such endpoint. */
export type State = 'loading' | 'ready' | 'missing' | 'unavailable' | 'failed'

export interface Answer<T> {
  state: State
  /** The last answer of this path; kept while later requests fail. */
  value: T | null
  /** The server's or the browser's text. */
  error: string
  /** Requests again now. */
  again(): void
}

/** Time of the first of the requests that failed since the last success, Unix milliseconds; null when all is well. */
export const lostSince = signal<number | null>(null)

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Requests a path of the API once.
 *
 * @param chain  whose API; null for that of the host
 * @throws Refused when the answer is an error, TypeError without a connection
 */
export async function ask<T>(chain: string | null, path: string, signal?: AbortSignal): Promise<T> {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const answer = await fetch(`${prefixOf(chain)}${path}`, {
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    })
    lostSince.value = null
    // Answers of the bridge name the block of the ledger's chain.
    if (!path.startsWith('/api/bridge/')) heard(chain, answer.headers)
    if (!answer.ok) throw new Refused(answer.status, await errorText(answer))
    return (await answer.json()) as T
  } catch (error) {
    if (!(error instanceof Refused) && signal?.aborted !== true) lostSince.value ??= Date.now()
    throw error
  }
}

async function errorText(answer: Response): Promise<string> {
  const text = await answer.text()
  try {
    const { message, error } = JSON.parse(text)
    return String(message ?? error ?? answer.status)
  } catch {
    return text.slice(0, 200) || `status ${answer.status}`
  }
}

/** Whether an error says that the server has no such endpoint. */
export function isUnavailable(error: unknown): boolean {
  return stateOf(error) === 'unavailable'
}

function stateOf(error: unknown): State {
  if (!(error instanceof Refused)) return 'failed'
  if (error.status === 503 || error.status === 429) return 'loading'
  if (error.status === 404 && / is not here$/.test(error.message)) return 'unavailable'
  return error.status < 500 ? 'missing' : 'failed'
}

/**
 * The answer of a path, requested again every `everyMs` while the page is visible; 0: once. Failures are tried again.
 *
 * @param path  null: nothing is requested
 */
export function useAnswer<T>(chain: string | null, path: string | null, everyMs = 0): Answer<T> {
  const key = `${chain} ${path}`
  const [held, setHeld] = useState<{ key: string } & Omit<Answer<T>, 'again'>>(() => nothing(key))
  const run = useRef<() => void>(() => {})
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    let newest = 0
    const next = (pause: number) => {
      if (!stop.signal.aborted && pause > 0) timer = setTimeout(load, pause)
    }
    const load = async () => {
      clearTimeout(timer)
      // A hidden page waits until it is seen.
      if (document.hidden && failures === 0 && everyMs > 0) return next(everyMs)
      const own = ++newest
      try {
        const value = await ask<T>(chain, path, stop.signal)
        // A later request has begun: its answer is newer.
        if (own !== newest || stop.signal.aborted) return
        failures = 0
        setHeld((old) =>
          old.key === key && old.state === 'ready' && same(old.value, value) ? old : { key, state: 'ready', value, error: '' }))
        next(everyMs)
      } catch (error) {
        if (own !== newest || stop.signal.aborted) return
        const state = stateOf(error)
        const value = (old: { key: string; value: T | null }) => (old.key === key ? old.value : null)
        setHeld((old) => ({ key, state, value: value(old), error: (error as Error).message }))
        if (state === 'failed' || state === 'loading')
          next(RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)] as number)
        // What a fork removed may come back in a later block.
        else if (state === 'missing') next(everyMs)
      }
    }
    run.current = () => void load()
    void load()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [key, everyMs])
  const again = useCallback(() => run.current(), [])
  return { ...(held.key === key ? held : nothing<T>(key)), again }
}

function nothing<T>(key: string) {
  return { key, state: 'loading' as State, value: null as T | null, error: '' }
}

/** Unchanged values keep their identity, so that nothing is drawn again. */
function same(one: unknown, other: unknown): boolean {
  return one !== null && JSON.stringify(one) === JSON.stringify(other)
}
