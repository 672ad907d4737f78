// Answers of the API in components: loading, ready, missing or failed, repeated while the page is visible.
import { signal } from '@preact/signals'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { heads, noteHead } from './heads.ts'
import { prefixOf } from './place.ts'

/** Timeout of a request, milliseconds. */
const TIMEOUT_MS = 15_000
/** Minimum pause between requests that changes ask for, milliseconds. */
const PULSE_MS = 500
/** The same for a further sign of a block: the request falls between two blocks. */
const SAME_BLOCK_MS = 250
/** Pauses after answers that are of a block before the one that a stream has reported, milliseconds. */
const LATE_MS = [20, 40, 80, 160, 320]
/** How much earlier than usual a block may come, milliseconds. */
const EARLY_MS = 100
/** Pauses after failures, milliseconds. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15_000]

/** `missing`: there is no such thing. `unavailable`: this server has no such endpoint. */
export type State = 'loading' | 'ready' | 'missing' | 'unavailable' | 'failed'

export interface Answer<T> {
  state: State
  /** The last answer of this path; kept while later requests fail. */
  value: T | null
  /** When the request of the value began, Unix milliseconds; 0 without a value. */
  askedAt: number
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
  return (await request<T>(chain, path, signal)).value
}

interface Asked<T> {
  value: T
  /** Block of the answer; 0 when it names none, and for the bridge, which is on all chains. */
  block: number
}

async function request<T>(chain: string | null, path: string, signal?: AbortSignal): Promise<Asked<T>> {
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
    const isOfChain = !path.startsWith('/api/bridge/')
    if (isOfChain) noteHead(chain, answer.headers)
    if (!answer.ok) throw new Refused(answer.status, await errorText(answer))
    const block = isOfChain ? Number(answer.headers.get('x-block-num')) : 0
    return { value: (await answer.json()) as T, block }
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
    let late = 0
    let isAsking = false
    let isWanted = false
    let askedAt = 0
    let askedHead = 0
    /** When the last request began that a newer block asked for. */
    let blockAt = 0
    const head = () => headOf(chain, path)
    const next = (pause: number) => {
      if (!stop.signal.aborted && pause > 0) timer = setTimeout(load, pause)
    }
    const load = async () => {
      clearTimeout(timer)
      // A hidden page waits until it is seen.
      if (document.hidden && failures === 0 && everyMs > 0) return next(everyMs)
      isAsking = true
      isWanted = false
      const began = Date.now()
      askedAt = began
      askedHead = head()
      try {
        const { value, block } = await request<T>(chain, path, stop.signal)
        if (stop.signal.aborted) return
        failures = 0
        // Streams and answers are made apart: an answer can be of the block before.
        late = block > 0 && block < askedHead ? late + 1 : 0
        setHeld((old) =>
          old.key === key && old.state === 'ready' && same(old.value, value)
            ? old
            : { key, state: 'ready', value, askedAt: began, error: '' },
        )
        next(LATE_MS[late - 1] ?? everyMs)
      } catch (error) {
        if (stop.signal.aborted) return
        const state = stateOf(error)
        setHeld((old) => ({ ...(old.key === key ? old : nothing<T>(key)), state, error: (error as Error).message }))
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
      // The sign of a new block does not wait: the page shows the block within a tenth of a second. While an indexer
      // catches up, blocks come by the dozen: then the pause holds.
      const now = Date.now()
      const isNewer = head() > askedHead
      const isAtOnce = isNewer && now - blockAt >= PULSE_MS - EARLY_MS
      if (isAtOnce) blockAt = now
      const pause = isNewer ? PULSE_MS : SAME_BLOCK_MS
      timer = setTimeout(load, isAtOnce ? 0 : Math.max(0, askedAt + pause - now))
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

/** Number that increases with each block that an answer may change with: the bridge is on all chains. */
function headOf(chain: string | null, path: string): number {
  const all = heads.peek()
  if (!path.startsWith('/api/bridge/')) return all[chain ?? '']?.block ?? 0
  return Object.values(all).reduce((sum, { block }) => sum + block, 0)
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
  return { key, state: 'loading' as State, value: null as T | null, askedAt: 0, error: '' }
}

/** Unchanged values keep their identity, so that nothing is drawn again. */
function same(one: unknown, other: unknown): boolean {
  return one !== null && JSON.stringify(one) === JSON.stringify(other)
}
