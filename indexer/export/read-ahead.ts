// Reads from the server ahead of a sink that is slower, so that the server works on the next window meanwhile.
import { setImmediate } from 'node:timers/promises'
import type { Sink } from './sink.ts'

/** Bytes in memory from which the server waits for the sink. */
const MAX_BYTES = 32 * 2 ** 20

export class ReadAhead {
  private readonly sink: Sink
  private readonly onRows: ((rows: number) => void) | undefined
  /** Output of statements; null where the output of another statement begins. */
  private queue: (Buffer | null)[] = []
  private bytes = 0
  /** Done when the queue is empty. */
  private emptied: Promise<void> | null = null
  private wake: (() => void) | null = null
  private failure: { error: unknown } | null = null

  /** @param onRows  called with the rows that the sink has so far */
  constructor(sink: Sink, onRows?: (rows: number) => void) {
    this.sink = sink
    this.onRows = onRows
  }

  /**
   * Hands the output of a statement to the sink. Resolves when all of it is in memory, before the sink has all of it.
   *
   * @throws what the sink threw
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

  /** Resolves when the sink has everything. @throws what the sink threw */
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
        // What the server has sent meanwhile is read first.
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
