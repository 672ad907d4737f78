// A store whose process dies at one of its writes: before the file is there, or when it is there.
import type { ObjectStore } from '../../../net/objects/store.ts'

export class Died extends Error {}

export class DyingStore implements ObjectStore {
  /** Writes so far. */
  writes = 0
  #isDead = false
  readonly #inner: ObjectStore
  readonly #at: number
  readonly #isAfter: boolean

  /** @param at  number of the write, from 1 on */
  constructor(inner: ObjectStore, at: number, isAfter: boolean) {
    this.#inner = inner
    this.#at = at
    this.#isAfter = isAfter
  }

  get address(): string {
    return this.#inner.address
  }

  list(...args: Parameters<ObjectStore['list']>) {
    return this.#inner.list(...args)
  }

  read(...args: Parameters<ObjectStore['read']>) {
    return this.#inner.read(...args)
  }

  open(...args: Parameters<ObjectStore['open']>) {
    return this.#inner.open(...args)
  }

  write(...args: Parameters<ObjectStore['write']>) {
    return this.#change(() => this.#inner.write(...args))
  }

  replace(...args: Parameters<ObjectStore['replace']>) {
    return this.#change(() => this.#inner.replace(...args))
  }

  async #change(work: () => Promise<void>): Promise<void> {
    const dies = ++this.writes === this.#at
    if (this.#isDead || (dies && !this.#isAfter)) {
      this.#isDead = true
      throw new Died()
    }
    await work()
    if (!dies) return
    this.#isDead = true
    throw new Died()
  }
}
