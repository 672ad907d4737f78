// Answers of the API in components: loading, ready, missing or failed, repeated while the page is visible.
import { signal } from '@preact/signals'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { heads, noteHead } from './heads.ts'
import { prefixOf } from './place.ts'

/** Timeout of a request, milliseconds. */
const TIMEOUT_MS = 15_000
/** Minimum pause between requests that changes ask for, milliseconds: of the same block, and of a newer one. */
const PULSE_MS = 500
const BLOCK_PULSE_MS = 50
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
  /** Requests again: after the request that runs, if one does. */
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
  // Not `AbortSignal.any`, which Safari has since 17.4 only.
  const stop = new AbortController()
  const limit = setTimeout(() => stop.abort(new Error('the server did not answer in time')), TIMEOUT_MS)
  const end = () => stop.abort()
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  try {
    const answer = await fetch(`${prefixOf(chain)}${path}`, { signal: stop.signal })
    lostSince.value = null
    // Answers of the bridge name the block of the ledger's chain.
    if (!path.startsWith('/api/bridge/')) noteHead(chain, answer.headers)
    if (!answer.ok) throw new Refused(answer.status, await errorText(answer))
    return (await answer.json()) as T
  } catch (error) {
    if (!(error instanceof Refused) && signal?.aborted !== true) lostSince.value ??= Date.now()
    throw error
  } finally {
    clearTimeout(limit)
    signal?.removeEventListener('abort', end)
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
    let isAsking = false
    let isWanted = false
    let askedAt = 0
    let askedHead = 0
    const head = () => heads.peek()[chain ?? '']?.block ?? 0
    const next = (pause: number) => {
      if (!stop.signal.aborted && pause > 0) timer = setTimeout(load, pause)
    }
    const load = async () => {
      clearTimeout(timer)
      // A hidden page waits until it is seen.
      if (document.hidden && failures === 0 && everyMs > 0) return next(everyMs)
      isAsking = true
      isWanted = false
      askedAt = Date.now()
      askedHead = head()
      try {
        const value = await ask<T>(chain, path, stop.signal)
        if (stop.signal.aborted) return
        failures = 0
        setHeld((old) =>
          old.key === key && old.state === 'ready' && same(old.value, value)
            ? old
            : { key, state: 'ready', value, error: '' },
        )
        next(everyMs)
      } catch (error) {
        if (stop.signal.aborted) return
        const state = stateOf(error)
        const value = (old: { key: string; value: T | null }) => (old.key === key ? old.value : null)
        setHeld((old) => ({ key, state, value: value(old), error: (error as Error).message }))
        if (state === 'failed' || state === 'loading')
          next(RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)] as number)
        // It may come: a transaction whose block was replaced, or a block of the next second.
        else if (state === 'missing') next(everyMs)
      } finally {
        isAsking = false
        if (isWanted) soon()
      }
    }
    /** Never two requests at once: on a slow line, each would be replaced before its answer came. */
    const soon = () => {
      isWanted = isAsking
      if (isAsking || stop.signal.aborted) return
      clearTimeout(timer)
      // The sign of a new block may not wait: the page shows the block within a tenth of a second.
      // While an indexer catches up, blocks come by the dozen: then the longer pause holds.
      const isRested = Date.now() - askedAt >= PULSE_MS - BLOCK_PULSE_MS
      const pause = head() > askedHead && isRested ? BLOCK_PULSE_MS : PULSE_MS
      timer = setTimeout(load, Math.max(0, askedAt + pause - Date.now()))
    }
    run.current = soon
    void load()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [key, everyMs])
  const again = useCallback(() => run.current(), [])
  return { ...(held.key === key ? held : nothing<T>(key)), again }
}

/** Answers that components share: those of the last minute, by chain and path. */
const shared = new Map<string, { at: number; answer: Promise<unknown> }>()
const SHARED_MS = 60_000
const MAX_SHARED = 500

function askShared<T>(chain: string | null, path: string): Promise<T> {
  const key = `${chain} ${path}`
  const known = shared.get(key)
  if (known !== undefined && Date.now() - known.at < SHARED_MS) return known.answer as Promise<T>
  const answer = ask<T>(chain, path)
  shared.delete(key)
  shared.set(key, { at: Date.now(), answer })
  answer.catch(() => shared.delete(key))
  const [oldest] = shared.keys()
  if (shared.size > MAX_SHARED && oldest !== undefined) shared.delete(oldest)
  return answer
}

/** An answer that many rows of a page need, such as the names of a pool: requested once. Null until it is there. */
export function useShared<T>(chain: string | null, path: string): T | null {
  const key = `${chain} ${path}`
  const [held, setHeld] = useState<{ key: string; value: T } | null>(null)
  useEffect(() => {
    let isHere = true
    askShared<T>(chain, path).then(
      (value) => {
        if (isHere) setHeld({ key, value })
      },
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [key])
  return held?.key === key ? held.value : null
}

function nothing<T>(key: string) {
  return { key, state: 'loading' as State, value: null as T | null, error: '' }
}

/** Unchanged values keep their identity, so that nothing is drawn again. */
function same(one: unknown, other: unknown): boolean {
  return one !== null && JSON.stringify(one) === JSON.stringify(other)
}
