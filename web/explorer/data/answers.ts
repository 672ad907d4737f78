// Answers of the API in components: loading, ready, missing or failed, repeated while the page is visible.
import { signal, useSignalEffect } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { type Held, renewed, type State } from '../core/held-answer.ts'
import type { Queue } from '../core/queue.ts'
import type { Outcome } from '../core/renewal.ts'
import { heads, lastHeard, noteHead, noteHeard } from './heads.ts'
import { prefixOf } from './place.ts'
import { useRenewal } from './use-renewal.ts'

/** Paths whose answers are of all chains. */
const BRIDGE = '/api/bridge/'

/** Timeout of a request, milliseconds. */
const TIMEOUT_MS = 15_000

export interface Answer<T> {
  state: State
  /** The last answer of this path; kept while later requests fail. */
  value: T | null
  /** When the request of the value began, Unix milliseconds; 0 without a value. Without `isTimed`, the first with this value. */
  askedAt: number
  /** The server's or the browser's text. */
  error: string
  /**
   * Requests again: after the request that runs, if one does.
   *
   * @param block  with which something changed: nothing is requested when the value is of this block or a later one
   */
  again(block?: number): void
}

/** When the server was last heard before requests began to fail, Unix milliseconds; null when all is well. */
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
  return (await askWithBlock<T>(chain, path, signal)).value
}

export interface Asked<T> {
  value: T
  /** Block of the answer; 0 when it names none, and for the bridge, which is on all chains. */
  block: number
}

/** The same, with the block of the answer. */
export async function askWithBlock<T>(chain: string | null, path: string, signal?: AbortSignal): Promise<Asked<T>> {
  // Not `AbortSignal.any`, which Safari has since 17.4 only.
  const stop = new AbortController()
  const limit = setTimeout(() => stop.abort(new Error('the server did not answer in time')), TIMEOUT_MS)
  const end = () => stop.abort()
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  try {
    const answer = await fetch(`${prefixOf(chain)}${path}`, { signal: stop.signal })
    noteHeard()
    lostSince.value = null
    // Answers of the bridge name the block of the ledger's chain.
    const isOfChain = !path.startsWith(BRIDGE)
    if (isOfChain) noteHead(chain, answer.headers)
    if (!answer.ok) throw new Refused(answer.status, await errorText(answer))
    const block = isOfChain ? Number(answer.headers.get('x-block-num')) : 0
    return { value: (await answer.json()) as T, block }
  } catch (error) {
    if (!(error instanceof Refused) && signal?.aborted !== true) lostSince.value ??= lastHeard()
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

/** How a request ended that has thrown an error. */
export function outcomeOf(error: unknown): Outcome {
  const state = stateOf(error)
  if (state === 'failed' || state === 'loading') return { is: 'failed' }
  return state === 'missing' ? { is: 'missing' } : { is: 'unavailable' }
}

function stateOf(error: unknown): State {
  if (!(error instanceof Refused)) return 'failed'
  if (error.status === 503 || error.status === 429) return 'loading'
  if (error.status === 404 && / is not here$/.test(error.message)) return 'unavailable'
  return error.status < 500 ? 'missing' : 'failed'
}

export interface AnswerOptions {
  /** Minimum pause between the beginnings of two requests, ms. */
  minPauseMs?: number
  /** Whether the page has a value from elsewhere: then the first request of a hidden page waits too. */
  hasValue?: boolean
  /** Limits the requests of several answers together. */
  queue?: Queue
  /** Whether `askedAt` is of the newest request also when the value stays the same: the component is drawn each time. */
  isTimed?: boolean
}

/**
 * The answer of a path, requested again every `everyMs` while the page is visible; 0: once. Failures are tried again.
 *
 * @param path  null: nothing is requested
 * @param options  those of the first call count
 */
export function useAnswer<T>(
  chain: string | null,
  path: string | null,
  everyMs = 0,
  { minPauseMs = 0, hasValue = false, queue, isTimed = false }: AnswerOptions = {},
): Answer<T> {
  const key = `${chain} ${path}`
  const [held, setHeld] = useState<Held<T>>(() => nothing(key))
  const again = useRenewal(
    { key: path === null ? null : key, chain, isOfBridge: path?.startsWith(BRIDGE) ?? false },
    { everyMs, minPauseMs, hasValue },
    async (askedAt, stop) => {
      try {
        const ask = () => askWithBlock<T>(chain, path as string, stop)
        const { value, block } = await (queue === undefined ? ask() : queue.run(ask))
        if (!stop.aborted) setHeld((old) => renewed(old, { key, value, askedAt }, isTimed))
        return { is: 'answered', block }
      } catch (error) {
        const state = stateOf(error)
        if (!stop.aborted)
          setHeld((old) => ({ ...(old.key === key ? old : nothing<T>(key)), state, error: (error as Error).message }))
        return outcomeOf(error)
      }
    },
  )
  return { ...(held.key === key ? held : nothing<T>(key)), again }
}

/** Requests an answer again at each new block of a chain that streams or other answers name. */
export function useBlocks(answer: { again(block: number): void }, chain: string): void {
  useSignalEffect(() => {
    const head = heads.value[chain]
    if (head !== undefined) answer.again(head.block)
  })
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

function nothing<T>(key: string): Held<T> {
  return { key, state: 'loading', value: null, askedAt: 0, error: '' }
}
