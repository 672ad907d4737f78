// Memory for windows of log files, which is used again. Fresh memory for each window costs page faults and full garbage
// collections. Memory that is not returned is left to the garbage collector, so a reader that returns nothing is safe.

/** Size of the windows, bytes. Small enough for the processor's cache. */
export const POOLED_WINDOW = 1 << 20
/** Limit of unused windows. */
const MAX_FREE = 4

interface Use {
  /** Whether a file reads from the window. */
  inFile: boolean
  /** Number of views that were handed out and not returned. */
  views: number
}

export class WindowPool {
  readonly #free: Uint8Array[] = []
  /** Uses by the memory of the windows; weak, because views may never be returned. */
  readonly #uses = new WeakMap<ArrayBufferLike, Use>()

  /** Memory for a file's window, with any content. Memory of another size than POOLED_WINDOW is not used again. */
  take(size: number): Uint8Array {
    const window = (size === POOLED_WINDOW && this.#free.pop()) || new Uint8Array(Buffer.allocUnsafeSlow(size).buffer)
    if (size === POOLED_WINDOW) this.#uses.set(window.buffer, { inFile: true, views: 0 })
    return window
  }

  /** Called when a file no longer reads from a window. */
  leave({ buffer }: Uint8Array): void {
    const use = this.#uses.get(buffer)
    if (!use) return
    use.inFile = false
    this.#recycle(buffer, use)
  }

  /** Records that a view is in use: its window is not reused until the view is returned. */
  lend({ buffer }: Uint8Array): void {
    const use = this.#uses.get(buffer)
    if (use) use.views++
  }

  /** Takes back a view that `lend` has noted. Its content may change from now on. Ignores other memory. */
  giveBack({ buffer }: Uint8Array): void {
    const use = this.#uses.get(buffer)
    if (!use || use.views === 0) return
    use.views--
    this.#recycle(buffer, use)
  }

  #recycle(buffer: ArrayBufferLike, { inFile, views }: Use): void {
    if (inFile || views > 0) return
    this.#uses.delete(buffer)
    if (this.#free.length < MAX_FREE) this.#free.push(new Uint8Array(buffer))
  }
}
