// Public lists of token logos, fetched once an hour. If a list fails, its previous entries stay.
import { tokenId } from '../../../core/antelope/asset.ts'
import { logoAddress } from '../../../core/logo-address.ts'
import { requestJson } from '../../../net/http.ts'
import type { Log } from '../../http/log.ts'

const EVERY_MS = 3_600_000
const TIMEOUT_MS = 20_000
const MAX_BYTES = 8 * 2 ** 20

export class LogoLists {
  private readonly urls: readonly string[]
  private readonly log: Log
  private readonly lists = new Map<string, ReadonlyMap<string, string>>()
  private timer: NodeJS.Timeout | null = null

  /** @param urls  lists by priority, the first one wins */
  constructor(urls: readonly string[], log: Log) {
    this.urls = urls
    this.log = log
  }

  /** Address of a token's image; null if no list has one. */
  addressOf(token: string): string | null {
    for (const url of this.urls) {
      const address = this.lists.get(url)?.get(token)
      if (address !== undefined) return address
    }
    return null
  }

  /** Fetches the lists now and every hour. */
  start(): void {
    if (this.urls.length === 0) return
    void this.ask()
    this.timer = setInterval(() => void this.ask(), EVERY_MS)
    this.timer.unref()
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer)
  }

  /** Fetches every list once. Never throws. */
  async ask(): Promise<void> {
    for (const url of this.urls)
      try {
        this.lists.set(url, parseList(await requestJson(url, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })))
      } catch (error) {
        this.log.warn('a list of logos does not answer', { url, reason: (error as Error).message })
      }
  }
}

/** Addresses by token id. Entries without a valid token or a safe address are skipped. */
function parseList(entries: unknown): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of Array.isArray(entries) ? entries : []) {
    const { account, contract = account, symbol, logo, logo_lg: large } = (entry ?? {}) as Record<string, unknown>
    const link = logo ?? large
    if (typeof contract !== 'string' || typeof symbol !== 'string' || typeof link !== 'string') continue
    const address = logoAddress(link)
    if (address !== null) found.set(tokenId(symbol, contract), address)
  }
  return found
}
