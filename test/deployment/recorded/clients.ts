// Clients that ask for pages of an API, each a moment after its last answer.
import { setTimeout as delay } from 'node:timers/promises'

const PAUSE_MS = 200

export class Clients {
  readonly #urls: readonly string[]
  readonly #over = new AbortController()

  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  /** Adds clients. */
  run(count: number): void {
    for (let i = 0; i < count; i++) void this.#ask(i)
  }

  stop(): void {
    this.#over.abort()
  }

  async #ask(first: number): Promise<void> {
    const { signal } = this.#over
    for (let i = first; !signal.aborted; i++) {
      const url = this.#urls[i % this.#urls.length] as string
      await fetch(url, { signal }).then(
        (answer) => answer.arrayBuffer(),
        () => {},
      )
      await delay(PAUSE_MS)
    }
  }
}
