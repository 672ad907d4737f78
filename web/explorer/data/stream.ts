// The market stream of each chain: one WebSocket, whose subscriptions are shared and restored after a break.
import { useEffect, useRef, useState } from 'preact/hooks'
import { MessageBlocks } from '../core/message-blocks.ts'
import { advance, noteHeard, rewind } from './heads.ts'
import { prefixOf } from './place.ts'

/** Channel and its argument. */
export type Channel = { channel: 'tokens' } | { channel: 'pool' | 'orderbook'; id: number }

/** A message of the server; its other members depend on the channel. */
export interface Message {
  channel: string
  block: number
  id?: number
  [member: string]: unknown
}

/** Gets null when the connection is lost: earlier messages are no longer the state. */
type Listener = (message: Message | null) => void

const STREAM_PATH = '/api/v3/market/stream'
/** Pauses before a connection is tried again, milliseconds. */
const RETRY_MS = [500, 1000, 2000, 5000, 10_000]
/** The server's limit of subscriptions of a connection. */
const MAX_CHANNELS = 100

const keyOf = (one: { channel: string; id?: number }) => `${one.channel} ${one.id ?? ''}`

class Stream {
  private readonly chain: string | null
  private readonly listeners = new Map<string, { channel: Channel; all: Set<Listener>; last: Message | null }>()
  private socket: WebSocket | null = null
  private failures = 0
  private blocks = new MessageBlocks()

  constructor(chain: string | null) {
    this.chain = chain
  }

  listen(channel: Channel, listener: Listener): () => void {
    const key = keyOf(channel)
    let entry = this.listeners.get(key)
    if (entry === undefined) {
      if (this.listeners.size >= MAX_CHANNELS) return () => {}
      entry = { channel, all: new Set(), last: null }
      this.listeners.set(key, entry)
      this.send('subscribe', channel)
    } else if (entry.last !== null) listener(entry.last)
    entry.all.add(listener)
    if (this.socket === null) this.open()
    return () => this.leave(key, listener)
  }

  private leave(key: string, listener: Listener): void {
    const entry = this.listeners.get(key)
    if (entry === undefined) return
    entry.all.delete(listener)
    if (entry.all.size > 0) return
    this.listeners.delete(key)
    this.blocks.forget(key)
    this.send('unsubscribe', entry.channel)
    if (this.listeners.size === 0) {
      this.socket?.close()
      this.socket = null
    }
  }

  private open(): void {
    const url = new URL(`${prefixOf(this.chain)}${STREAM_PATH}`, location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    const socket = new WebSocket(url)
    this.socket = socket
    this.blocks = new MessageBlocks()
    socket.onopen = () => {
      this.failures = 0
      for (const { channel } of this.listeners.values()) this.send('subscribe', channel)
    }
    socket.onmessage = ({ data }) => this.take(JSON.parse(String(data)))
    socket.onclose = () => {
      if (this.socket !== socket) return
      for (const entry of this.listeners.values()) {
        if (entry.last === null) continue
        entry.last = null
        for (const listener of entry.all) listener(null)
      }
      const pause = RETRY_MS[Math.min(this.failures++, RETRY_MS.length - 1)]
      setTimeout(() => {
        if (this.socket === socket && this.listeners.size > 0) this.open()
      }, pause)
    }
  }

  private take(message: Message): void {
    const { block } = message
    const key = keyOf(message)
    noteHeard()
    if (typeof block === 'number') {
      if (this.blocks.isFork(key, block)) rewind(this.chain, block - 1)
      advance(this.chain, block, null)
    }
    const entry = this.listeners.get(key)
    if (entry === undefined) return
    // The channel of tokens sends changes only, so the last message is not the state.
    if (message.channel !== 'tokens') entry.last = message
    for (const listener of entry.all) listener(message)
  }

  private send(op: string, channel: Channel): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ op, ...channel }))
  }
}

const streams = new Map<string | null, Stream>()

/** Calls `listener` with each message of a channel. @returns a function that ends it */
function listen(chain: string | null, channel: Channel, listener: Listener): () => void {
  let stream = streams.get(chain)
  if (stream === undefined) streams.set(chain, (stream = new Stream(chain)))
  return stream.listen(channel, listener)
}

/** The newest message of a channel; null before the first, and without a connection. */
export function useChannel(chain: string | null, channel: Channel['channel'], id: number): Message | null {
  const [message, setMessage] = useState<Message | null>(null)
  useEffect(() => {
    setMessage(null)
    return listen(chain, { channel, id } as Channel, setMessage)
  }, [chain, channel, id])
  return message
}

/** Number of messages so far. Unlike the block's number, it changes when a fork replaces a block by another of its number. */
export function usePulse(message: Message | null): number {
  const seen = useRef({ message, count: message === null ? 0 : 1 })
  if (seen.current.message !== message && message !== null) seen.current = { message, count: seen.current.count + 1 }
  return seen.current.count
}

/** Blocks of a stream that changed what a component shows. */
export interface Pulse {
  /** Number of them so far. */
  pulse: number
  /** The newest. */
  block: number | undefined
}

/**
 * Blocks that changed a token's price or pools.
 *
 * @param id  null: of any token
 * @param onPulse  called before the page is drawn, with the block; stays the same
 */
export function useTokenPulse(chain: string | null, id: string | null, onPulse?: (block: number) => void): Pulse {
  const [held, setHeld] = useState<Pulse>({ pulse: 0, block: undefined })
  useEffect(
    () =>
      listen(chain, { channel: 'tokens' }, (message) => {
        const tokens = message?.tokens
        if (!Array.isArray(tokens)) return
        if (message === null || (id !== null && !tokens.some((token: { id: string }) => token.id === id))) return
        onPulse?.(message.block)
        setHeld(({ pulse }) => ({ pulse: pulse + 1, block: message.block }))
      }),
    [chain, id],
  )
  return held
}
