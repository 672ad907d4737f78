// The stream of facts in pages. Its messages report, when a block is committed, that facts of a page have changed. Every
// message has a cursor, so a lost connection continues where it ended, with the forks since then.
import { useSignalEffect } from '@preact/signals'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { advance, finals, noteFinal, noteHeard, rewind } from './heads.ts'
import { prefixOf } from './place.ts'
import type { Fact } from './types.ts'

const STREAM_PATH = '/api/v3/stream/facts'
/** Pauses before a connection is tried again, milliseconds. */
const RETRY_MS = [250, 1000, 2000, 5000, 10_000]
/** Intervals of requests with and without the stream, milliseconds. */
const SLOW_MS = 30_000
const FAST_MS = 5000

/** Filter of all trades. */
export const TRADES = 'datasets=swaps,deals'

export interface FactUpdates {
  /** Number of blocks and forks so far. */
  pulse: number
  /** Block of the newest of them; undefined: any. */
  block?: number | undefined
  /** Block above which the newest fork removed everything, with the number of forks so far; null before the first. */
  fork: { count: number; above: number } | null
  /** Facts of the newest messages, newest first; of the followed branch alone. */
  fresh: readonly Fact[]
  /** Whether the stream is connected. */
  isLive: boolean
}

/** Limit of facts that are held from messages: answers have them soon after. */
const MAX_FRESH = 200

/** `lib` is the last irreversible block. */
type Message =
  | { type: 'start' | 'progress'; cursor: string; lib: number }
  | { type: 'block'; cursor: string; lib: number; block: number; time: string; facts: Fact[] }
  | { type: 'undo'; cursor: string; lib: number; block: number }
  /** A chain of the bridge without a stream has a new block. */
  | { type: 'other'; cursor: string; lib: number; chain: string }
  | { type: 'error'; cursor: null }

const QUIET: FactUpdates = { pulse: 0, fork: null, fresh: [], isLive: false }

/**
 * @param filter  parameters of the stream: `account=alice`; null: no stream
 * @param isWanted  whether a fact matters; default: every one
 */
export function useFactUpdates(
  chain: string | null,
  filter: string | null,
  isWanted?: (fact: Fact) => boolean,
): FactUpdates {
  const key = `${chain} ${filter}`
  const [held, setHeld] = useState({ key, updates: QUIET })
  useEffect(() => {
    if (filter === null) return
    const change = (next: (old: FactUpdates) => FactUpdates) =>
      setHeld((old) => ({ key, updates: next(old.key === key ? old.updates : QUIET) }))
    const again = () => change((old) => ({ ...old, pulse: old.pulse + 1, block: undefined }))
    return follow(chain, filter, {
      onLive: (isLive) => change((old) => ({ ...old, isLive })),
      onStart: again,
      onMessage(message) {
        if (message.type !== 'error') noteFinal(chain, message.lib)
        if (message.type === 'progress') advance(chain, Number(message.cursor.split('-')[0]), null)
        else if (message.type === 'block') {
          advance(chain, message.block, Date.parse(message.time))
          const wanted = isWanted === undefined ? message.facts : message.facts.filter(isWanted)
          if (wanted.length > 0)
            change((old) => ({
              ...old,
              pulse: old.pulse + 1,
              block: message.block,
              fresh: [...wanted.toReversed(), ...old.fresh].slice(0, MAX_FRESH),
            }))
        } else if (message.type === 'other') again()
        else if (message.type === 'undo') {
          rewind(chain, message.block)
          change(({ pulse, fork, fresh, isLive }) => ({
            pulse: pulse + 1,
            fork: { count: (fork?.count ?? 0) + 1, above: message.block },
            fresh: fresh.filter(({ block }) => block <= message.block),
            isLive,
          }))
        }
      },
    })
  }, [key])
  return held.key === key ? held.updates : QUIET
}

/** Interval of an answer that the stream renews, milliseconds: prices change without a fact. */
export function intervalOf({ isLive }: FactUpdates): number {
  return isLive ? SLOW_MS : FAST_MS
}

type Update = Pick<FactUpdates, 'pulse' | 'block'>

/** Requests an answer again at each update, unless the answer is of the update's block. The request does not wait for the next frame. */
export function useAgain(answer: { again(block?: number): void }, { pulse, block }: Update): void {
  useLayoutEffect(() => {
    if (pulse > 0) answer.again(block)
  }, [pulse])
}

/** The same after the next frame: requests of `useAgain` go first. For long answers. */
export function useAgainLater(answer: { again(block?: number): void }, { pulse, block }: Update): void {
  useEffect(() => {
    if (pulse > 0) answer.again(block)
  }, [pulse])
}

/**
 * Requests an answer again when blocks of its facts have become irreversible. The answer says which facts are final: by its
 * number alone, a fact of a replaced block would be.
 */
export function useFinality(
  chain: string | null,
  answer: { again(): void },
  facts: readonly { block: number; final: boolean }[],
): void {
  const pending = facts.filter(({ final }) => !final).map(({ block }) => block)
  useSignalEffect(() => {
    // Read in each run, or the effect would not run again.
    const irreversible = finals.value[chain ?? ''] ?? 0
    if (pending.some((block) => block <= irreversible)) answer.again()
  })
}

interface Listener {
  onMessage(message: Message): void
  onLive(isLive: boolean): void
  /** The stream begins at the newest block: facts may have come between the answers and this block. */
  onStart(): void
}

/** Follows the stream until the returned function is called. */
function follow(chain: string | null, filter: string, { onMessage, onLive, onStart }: Listener): () => void {
  let cursor: string | null = null
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let socket: WebSocket | null = null
  let isOver = false
  const open = () => {
    const from = cursor === null ? '' : `&cursor=${cursor}`
    // Progress: blocks become irreversible, and the head advances, also without a wanted fact.
    const url = new URL(`${prefixOf(chain)}${STREAM_PATH}?${filter}&progress=true${from}`, location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    const opened = new WebSocket(url)
    socket = opened
    opened.onmessage = ({ data }) => {
      noteHeard()
      if (isOver) return
      const message = JSON.parse(String(data)) as Message
      if (message.type === 'start') {
        failures = 0
        onLive(true)
        if (cursor === null) onStart()
      }
      // An error ends the stream: the cursor is not known any more.
      cursor = message.cursor
      onMessage(message)
    }
    opened.onclose = () => {
      if (isOver || socket !== opened) return
      onLive(false)
      timer = setTimeout(open, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)])
    }
  }
  open()
  return () => {
    isOver = true
    clearTimeout(timer)
    socket?.close()
  }
}
