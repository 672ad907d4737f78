// The stream of facts: its messages, and their reading from server-sent events.
import type { Body, StreamPath } from './types.js'

type Fact = Body<'/api/v3/explore/tx/{id}'>['facts'][number]

/** A message of `/api/v3/stream/facts`. `cursor` continues after it; `lib` is the last irreversible block. */
export type FactMessage =
  | { type: 'start' | 'progress'; cursor: string; lib: number }
  /** A chain of the bridge without a stream may have a new block. With `others=true` alone. */
  | { type: 'other'; cursor: string; chain: string; lib: number }
  /** All wanted facts of a block. */
  | {
      type: 'block'
      cursor: string
      block: number
      id: string
      time: string
      final: boolean
      facts: Fact[]
      lib: number
    }
  /** A fork: the facts of blocks above `block` are no longer valid. */
  | { type: 'undo'; cursor: string; block: number; undone: { block: number; id: string }[]; lib: number }
  /** The service does not know the block of the cursor. The stream ends. */
  | { type: 'error'; cursor: null; code: 'STREAM_CURSOR'; message: string }

export const FACTS_PATH: StreamPath = '/api/v3/stream/facts'

/** Messages of an answer with server-sent events, until it ends. Closes the connection when the caller stops. */
export async function* messagesOf({ body }: Response): AsyncGenerator<FactMessage, void, undefined> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() as string
      for (const event of events) {
        const data = event.split('\n').find((line) => line.startsWith('data: '))
        // An event without data keeps the connection open.
        if (data !== undefined) yield JSON.parse(data.slice('data: '.length))
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
