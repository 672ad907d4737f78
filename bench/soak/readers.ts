// Clients of the streams. They connect again after a break, as clients do.
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

const CHAIN = 'wax'
const RETRY_MS = 1000
/** The reader of facts breaks its connection itself this often. */
const BREAK_MS = 45_000

export interface ReaderFigures {
  messages: number
  breaks: number
  undone: number
  /** Messages that contradict the order of blocks. */
  wrong: number
}

interface Reader {
  take(): ReaderFigures
  stop(): void
}

abstract class Counting implements Reader {
  protected figures: ReaderFigures = { messages: 0, breaks: 0, undone: 0, wrong: 0 }
  protected isStopped = false

  take(): ReaderFigures {
    const { figures } = this
    this.figures = { messages: 0, breaks: 0, undone: 0, wrong: 0 }
    return figures
  }

  stop(): void {
    this.isStopped = true
  }
}

/** Follows prices of all tokens and three pools. */
export class MarketReader extends Counting {
  constructor(url: string) {
    super()
    void this.#follow(`${url.replace('http', 'ws')}/api/v3/market/stream`)
  }

  async #follow(url: string): Promise<void> {
    while (!this.isStopped) {
      await this.#connection(url)
      this.figures.breaks++
      await delay(RETRY_MS)
    }
  }

  #connection(url: string): Promise<void> {
    return new Promise((resolve) => {
      const socket = new WebSocket(url, { headers: { host: `${CHAIN}.localhost` } })
      socket.on('open', () => {
        for (const channel of [{ channel: 'tokens' }, ...[0, 1, 2].map((id) => ({ channel: 'pool', id }))])
          socket.send(JSON.stringify({ op: 'subscribe', ...channel }))
      })
      socket.on('message', () => {
        this.figures.messages++
        if (this.isStopped) socket.close()
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve())
    })
  }
}

interface FactMessage {
  type: 'block' | 'undo' | string
  block: number
  cursor?: string
}

/** Follows all facts with a cursor. Each block must come after the last one, except after an undo. */
export class FactReader extends Counting {
  #cursor: string | null = null
  #last = 0

  constructor(url: string) {
    super()
    void this.#follow(`${url}/${CHAIN}/api/v3/stream/facts`)
  }

  async #follow(url: string): Promise<void> {
    while (!this.isStopped) {
      await this.#connection(url).catch(() => {})
      this.figures.breaks++
      await delay(RETRY_MS)
    }
  }

  async #connection(url: string): Promise<void> {
    const query = this.#cursor === null ? '' : `?cursor=${this.#cursor}`
    const answer = await fetch(`${url}${query}`, { signal: AbortSignal.timeout(BREAK_MS) })
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) this.#event(event)
      if (this.isStopped) return
    }
  }

  #event(event: string): void {
    const data = /^data: (.*)$/m.exec(event)?.[1]
    if (data === undefined) return
    const message = JSON.parse(data) as FactMessage
    this.figures.messages++
    if (message.type === 'undo') this.figures.undone++
    else if (message.type === 'block') {
      if (message.block <= this.#last) this.figures.wrong++
    } else if (message.type === 'error') this.figures.wrong++
    this.#last = message.block ?? this.#last
    this.#cursor = message.cursor ?? this.#cursor
  }
}
