// Controls a browser by its debugging protocol over two pipes. The browser ends when the pipes close, so it never
// outlives a test.
import type { Readable, Writable } from 'node:stream'

/** Parameters and results differ with each method. */
// biome-ignore lint/suspicious/noExplicitAny: the protocol has hundreds of shapes; tests check what they take from them.
type Message = Record<string, any>

interface Pending {
  resolve(result: Message): void
  reject(error: Error): void
}

/** Timeout of a command, milliseconds. */
const PATIENCE = 120_000

export class Connection {
  private readonly input: Writable
  private readonly pending = new Map<number, Pending>()
  private readonly listeners = new Set<(method: string, params: Message, session?: string) => void>()
  private next = 1
  private closed: Error | null = null

  constructor(input: Writable, output: Readable) {
    this.input = input
    let text = ''
    output.setEncoding('utf8')
    output.on('data', (part: string) => {
      const messages = (text + part).split('\0')
      text = messages.pop() as string
      for (const message of messages) this.take(JSON.parse(message))
    })
    output.once('close', () => this.fail(new Error('the browser has ended')))
    input.on('error', (error: Error) => this.fail(error))
  }

  /** @throws Error when the browser refuses, has ended or does not answer */
  async send(method: string, params: Message = {}, sessionId?: string): Promise<Message> {
    if (this.closed !== null) throw this.closed
    const id = this.next++
    const answer = new Promise<Message>((resolve, reject) => this.pending.set(id, { resolve, reject }))
    const timer = setTimeout(() => this.settle(id)?.reject(new Error(`${method} took too long`)), PATIENCE)
    this.input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    try {
      return await answer
    } finally {
      clearTimeout(timer)
    }
  }

  listen(listener: (method: string, params: Message, session?: string) => void): void {
    this.listeners.add(listener)
  }

  private take({ id, method, params, result, error, sessionId }: Message): void {
    if (id === undefined) for (const listener of this.listeners) listener(method, params, sessionId)
    else if (error !== undefined) this.settle(id)?.reject(new Error(error.message))
    else this.settle(id)?.resolve(result)
  }

  private settle(id: number): Pending | undefined {
    const one = this.pending.get(id)
    this.pending.delete(id)
    return one
  }

  private fail(error: Error): void {
    this.closed ??= error
    for (const id of [...this.pending.keys()]) this.settle(id)?.reject(error)
  }
}
