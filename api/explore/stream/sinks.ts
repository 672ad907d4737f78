// The two transports of the stream of facts: server-sent events and WebSocket. A client that takes nothing for a while is
// dropped: it connects again with its cursor.
import type { ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import { ClientGone, type Message, type Sink } from './subscriber.ts'

/** A message that is not taken within this time ends the connection, milliseconds. */
const STALL_MS = 30_000
const PING_MS = 15_000

/** A connection: where messages go, and whether the client is still there. */
export interface Connection {
  sink: Sink
  gone: AbortSignal
  end(): void
}

export function eventStream(raw: ServerResponse): Connection {
  const gone = new AbortController()
  raw.on('close', () => gone.abort())
  raw.on('error', () => gone.abort())
  const ping = setInterval(() => raw.write(':\n\n'), PING_MS)
  gone.signal.addEventListener('abort', () => clearInterval(ping))
  return {
    gone: gone.signal,
    sink: sinkOf(
      gone.signal,
      () => raw.destroy(),
      (message, done) => raw.write(eventText(message), done),
    ),
    end() {
      clearInterval(ping)
      raw.end()
    },
  }
}

export function webSocket(socket: WebSocket): Connection {
  const gone = new AbortController()
  let answered = true
  socket.on('pong', () => (answered = true))
  socket.on('close', () => gone.abort())
  socket.on('error', () => gone.abort())
  const ping = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, PING_MS)
  gone.signal.addEventListener('abort', () => clearInterval(ping))
  return {
    gone: gone.signal,
    sink: sinkOf(
      gone.signal,
      () => socket.terminate(),
      (message, done) => socket.send(JSON.stringify(message), done),
    ),
    end: () => socket.close(1001),
  }
}

function eventText({ cursor, ...message }: Message): string {
  const id = cursor === null ? '' : `id: ${cursor}\n`
  return `${id}event: ${message.type}\ndata: ${JSON.stringify({ ...message, cursor })}\n\n`
}

/** @param write  calls back when the message is on its way to the client */
function sinkOf(
  gone: AbortSignal,
  drop: () => void,
  write: (message: Message, done: (error?: Error | null) => void) => void,
): Sink {
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        const leave = () => reject(new ClientGone('the client is gone'))
        if (gone.aborted) return leave()
        const stall = setTimeout(drop, STALL_MS)
        gone.addEventListener('abort', leave, { once: true })
        write(message, (error) => {
          clearTimeout(stall)
          gone.removeEventListener('abort', leave)
          if (error) leave()
          else resolve()
        })
      }),
  }
}
