// A subscriber to the stream of facts: reads the ledger step by step from its own block on, as fast as its client takes
// messages. No messages are queued: a slow client lags, and later reads the blocks that it lacks from the ledger.
import { factJson } from '../facts.ts'
import { cursorOf, type Place } from './cursor.ts'
import { type FactFilter, isWanted } from './filter.ts'
import { type Step, UnknownCursor } from './step.ts'

export interface Subscription extends FactFilter {
  final: boolean
  /** Whether each change of the head and of the last irreversible block is reported, also without a wanted fact. */
  everyBlock: boolean
  /** Whether new blocks of chains without a stream of facts are reported. */
  others: boolean
  /** Block that the client has; null: the newest. */
  from: Place | null
}

/** The client has closed its connection. */
export class ClientGone extends Error {}

/** The client's side of a connection. */
export interface Sink {
  /** Sends a message. Resolves when the client can take another; rejects with `ClientGone`. */
  send(message: Message): Promise<void>
}

/** Every message has the cursor with which a client continues after it. `lib`: last irreversible block. */
export type Message =
  | { type: 'start' | 'progress'; cursor: string; lib: number }
  | { type: 'undo'; cursor: string; block: number; undone: { block: number; id: string }[]; lib: number }
  | {
      type: 'block'
      cursor: string
      block: number
      id: string
      time: string
      final: boolean
      facts: object[]
      lib: number
    }
  /** A chain without a stream of facts may have a new block. */
  | { type: 'other'; cursor: string; chain: string; lib: number }
  | { type: 'error'; cursor: null; code: 'STREAM_CURSOR'; message: string }

export interface SubscriberOptions {
  read(from: Place | null): Promise<Step | null>
  /** Resolves when the next block may have been committed, and at intervals. */
  changed(): Promise<void>
  /** Chains without a stream of facts that may have a new block since the last call. */
  takeOthers(): readonly string[]
  /** Time without a message after which the cursor is sent, milliseconds. */
  progressMs: number
  signal: AbortSignal
}

/** Serves a client until it is gone or the signal aborts. */
export async function serve(wanted: Subscription, sink: Sink, options: SubscriberOptions): Promise<void> {
  const { read, changed, takeOthers, progressMs, signal } = options
  let at = wanted.from
  let isStarted = false
  /** Head and last irreversible block that the client has. */
  let reported = ''
  let sentAt = performance.now()
  const send = async (message: Message) => {
    await sink.send(message)
    sentAt = performance.now()
    if (message.type !== 'error') reported = `${message.cursor} ${message.lib}`
  }
  try {
    while (!signal.aborted) {
      // Before the read, so that a block that is committed during the read is not missed.
      const next = changed()
      const step = await read(at)
      if (step === null) {
        await next
        continue
      }
      const { shared, undone, blocks, lib } = step
      if (!isStarted) await send({ type: 'start', cursor: cursorOf(at ?? shared), lib })
      isStarted = true
      at = shared
      if (undone.length > 0) await send(undoOf(step))
      for (const block of blocks) {
        if (signal.aborted) return
        at = { num: block.num, id: block.id }
        const facts = block.facts.filter((fact) => isWanted(fact, wanted))
        if (facts.length === 0) continue
        const isFinal = block.num <= lib
        await send({
          type: 'block',
          cursor: cursorOf(block),
          block: block.num,
          id: block.id,
          time: new Date(block.time).toISOString(),
          final: isFinal,
          facts: facts.map((fact) => factJson({ ...fact, isFinal })),
          lib,
        })
      }
      for (const chain of takeOthers()) await send({ type: 'other', cursor: cursorOf(at), chain, lib })
      const isNews = wanted.everyBlock && reported !== `${cursorOf(at)} ${lib}`
      if (isNews || performance.now() - sentAt >= progressMs)
        await send({ type: 'progress', cursor: cursorOf(at), lib })
      if (blocks.length === 0 && undone.length === 0) await next
    }
  } catch (error) {
    if (!(error instanceof UnknownCursor)) throw error
    await sink.send({
      type: 'error',
      cursor: null,
      code: 'STREAM_CURSOR',
      message: `${error.message}: read the ledger again`,
    })
  }
}

function undoOf({ shared, undone, lib }: Step): Message {
  return {
    type: 'undo',
    cursor: cursorOf(shared),
    block: shared.num,
    undone: undone.map(({ num, id }) => ({ block: num, id })),
    lib,
  }
}
