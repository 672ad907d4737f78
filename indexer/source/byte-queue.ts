// A queue between a producer that cannot wait (a socket) and one consumer. Counts its bytes, so that the caller can
// pause the producer.

interface Waiter<T> {
  resolve(item: T): void
  reject(error: Error): void
}

export class ByteQueue<T extends { readonly byteLength: number }> {
  #items: T[] = []
  #head = 0
  #bytes = 0
  #failure: Error | undefined
  #waiter: Waiter<T> | undefined

  /** Total bytes of the queued items. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether the consumer is waiting for an item. */
  get awaited(): boolean {
    return this.#waiter !== undefined
  }

  push(item: T): void {
    if (this.#failure) return
    const waiter = this.#waiter
    if (waiter) {
      this.#waiter = undefined
      waiter.resolve(item)
      return
    }
    this.#items.push(item)
    this.#bytes += item.byteLength
  }

  /** Ends the queue: queued items can still be taken, then every `take` rejects with `error`. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#waiter?.reject(this.#failure)
    this.#waiter = undefined
  }

  /** The next item, without waiting when one is queued. One caller at a time. */
  take(): T | Promise<T> {
    const item = this.#items[this.#head]
    if (item !== undefined) return this.#remove(item)
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise<T>((resolve, reject) => {
      this.#waiter = { resolve, reject }
    })
  }

  /** Removes the first item, which is `item`. */
  #remove(item: T): T {
    this.#head++
    if (this.#head === this.#items.length) {
      this.#items = []
      this.#head = 0
    } else if (this.#head >= 1024) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    this.#bytes -= item.byteLength
    return item
  }
}
