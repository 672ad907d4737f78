// Signatures that were given lately: who asks again for the same transaction gets the same answer without work.

/** How many are kept; the oldest go first. */
const MOST = 10_000

export class Signed {
  private readonly kept = new Map<string, string>()

  /** @param transaction  64 hex digits */
  get(transaction: string): string | undefined {
    return this.kept.get(transaction)
  }

  add(transaction: string, signature: string): void {
    this.kept.set(transaction, signature)
    if (this.kept.size > MOST) this.kept.delete(this.kept.keys().next().value as string)
  }
}
