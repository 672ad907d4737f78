// Reads ahead of a slower sink, so that the server can work on the next window meanwhile.
import { setImmediate } from 'node:timers/promises'
import type { Sink } from './sink.ts'

/** Buffer limit, bytes: above it, reading waits for the sink. */
const MAX_BYTES = 32 * 2 ** 20

export class ReadAhead {
  private readonly sink: Sink
  private readonly onRows: ((rows: number) => void) | undefined
  /** Output of statements; null before the output of each statement. */
  private queue: (Buffer | null)[] = []
  private bytes = 0
  /** Resolves when the queue is empty; null when idle. */
  private emptied: Promise<void> | null = null
  private wake: (() => void) | null = null
  private failure: { error: unknown } | null = null

  /** @param onRows  called with the number of rows in the sink */
  constructor(sink: Sink, onRows?: (rows: number) => void) {
    this.sink = sink
    this.onRows = onRows
  }

  /**
   * Passes the output of a statement to the sink. Resolves when all of it is read, possibly before the sink has it.
   *
   * @throws errors of the sink
   */
  async add(output: AsyncIterable<Buffer>): Promise<void> {
    this.check()
    this.put(null)
    for await (const chunk of output) {
      this.put(chunk)
      while (this.bytes > MAX_BYTES && this.failure === null)
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
      this.check()
    }
  }

  /** Resolves when the sink has everything. @throws errors of the sink */
  async end(): Promise<void> {
    await this.emptied
    this.check()
  }

  private put(item: Buffer | null): void {
    this.queue.push(item)
    this.bytes += item?.length ?? 0
    this.emptied ??= this.empty()
  }

  private async empty(): Promise<void> {
    try {
      for (let item = this.queue.shift(); item !== undefined; item = this.queue.shift()) {
        if (item === null) this.sink.begin()
        else {
          await this.sink.add(item)
          this.bytes -= item.length
          this.onRows?.(this.sink.rows)
        }
        // First takes the data that arrived meanwhile.
        await setImmediate()
        this.wake?.()
      }
    } catch (error) {
      this.failure = { error }
      this.queue = []
    }
    this.emptied = null
    this.wake?.()
  }

  private check(): void {
    if (this.failure !== null) throw this.failure.error
  }
}
