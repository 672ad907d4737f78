// Transactions whose nonce a final block has used although none with it has a receipt: after some turns, another program
// has used the key (state/step.ts). One backend of a node may lag, so one turn says nothing.
import type { Intent } from '../state/journal.ts'
import type { Missing } from '../state/step.ts'
import type { EvmReceipt } from './chain.ts'

export class MissingReceipts {
  /** By hash. */
  #known: ReadonlyMap<string, Missing> = new Map()

  /** @returns null when a receipt of its nonce is not missing */
  of(hash: string): Missing | null {
    return this.#known.get(hash) ?? null
  }

  /**
   * Counts a turn.
   *
   * @param nextNonce   number of the key's transactions in blocks
   * @param finalBlock  last final block
   * @param finalCount  reads the number of the key's transactions in final blocks
   */
  async note(
    open: readonly Intent[],
    receipts: ReadonlyMap<string, EvmReceipt | null>,
    nextNonce: number,
    finalBlock: number,
    finalCount: () => Promise<number>,
  ): Promise<void> {
    const found = new Set(open.flatMap(({ nonce, hash }) => (receipts.get(hash) ? [nonce] : [])))
    const suspects = open.filter(({ nonce }) => nonce !== null && nonce < nextNonce && !found.has(nonce))
    const count = suspects.length === 0 ? 0 : await finalCount()
    const missing = suspects.filter(({ nonce }) => (nonce ?? 0) < count)
    this.#known = new Map(
      missing.map(({ hash }) => {
        const { turns, finalBlock: since } = this.of(hash) ?? { turns: 0, finalBlock }
        return [hash, { turns: turns + 1, finalBlock: since }]
      }),
    )
  }
}
