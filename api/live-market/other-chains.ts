// Announcements of blocks of chains that have no market: EVM chains of the bridge. The stream of facts passes them on.

/** Names of chains. Any user of the database can send a notification with any text. */
const NAME = /^[a-z][a-z0-9_-]{0,31}$/

export type ChainListener = (chain: string) => void

export class OtherChains {
  private readonly listeners = new Set<ChainListener>()

  /** @returns the function that ends it */
  listen(listener: ChainListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** There may be a new block of a chain. */
  announce(chain: string): void {
    if (!NAME.test(chain)) return
    for (const listener of this.listeners) listener(chain)
  }
}
