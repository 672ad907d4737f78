// Audits of the markets on demand. An audit reads as much as a start, so only one runs at a time, and its result is
// cached for a minute.
import type { MarketAudit } from '../live-market/audit.ts'

const CACHE_MS = 60_000

export class Audits {
  private readonly chains: readonly string[]
  private readonly audit: (chain: string) => Promise<MarketAudit | null>
  private running: Promise<MarketAudit[] | null> | null = null
  private last: { at: number; found: MarketAudit[] } | null = null

  constructor(chains: readonly string[], audit: (chain: string) => Promise<MarketAudit | null>) {
    this.chains = chains
    this.audit = audit
  }

  /** Audits of all chains, at most a minute old; null if a market cannot be compared now. */
  async all(): Promise<MarketAudit[] | null> {
    if (this.last !== null && Date.now() - this.last.at < CACHE_MS) return this.last.found
    this.running ??= this.run().finally(() => {
      this.running = null
    })
    return this.running
  }

  private async run(): Promise<MarketAudit[] | null> {
    const found: MarketAudit[] = []
    for (const chain of this.chains) {
      const audit = await this.audit(chain)
      if (audit === null) return null
      found.push(audit)
    }
    this.last = { at: Date.now(), found }
    return found
  }
}
