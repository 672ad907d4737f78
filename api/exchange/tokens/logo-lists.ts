// Public lists of token logos, asked once an hour. A list that does not answer leaves what it said before.
import { tokenId } from '../../../core/antelope/asset.ts'
import { logoAddress } from '../../../core/logo-address.ts'
import type { Log } from '../../http/log.ts'

const EVERY_MS = 3_600_000
const TIMEOUT_MS = 20_000
const MOST_BYTES = 8 * 2 ** 20

export class LogoLists {
  private readonly urls: readonly string[]
  private readonly log: Log
  private readonly lists = new Map<string, ReadonlyMap<string, string>>()
  private timer: NodeJS.Timeout | null = null

  /** @param urls  lists in the order in which they count */
  constructor(urls: readonly string[], log: Log) {
    this.urls = urls
    this.log = log
  }

  /** The image of a token; null when no list has one. */
  addressOf(token: string): string | null {
    for (const url of this.urls) {
      const address = this.lists.get(url)?.get(token)
      if (address !== undefined) return address
    }
    return null
  }

  /** Asks now and every hour. */
  start(): void {
    if (this.urls.length === 0) return
    void this.ask()
    this.timer = setInterval(() => void this.ask(), EVERY_MS)
    this.timer.unref()
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer)
  }

  /** Asks every list once. Never throws. */
  async ask(): Promise<void> {
    for (const url of this.urls)
      try {
        this.lists.set(url, parseList(await fetchText(url)))
      } catch (error) {
        this.log.warn('a list of logos does not answer', { url, reason: (error as Error).message })
      }
  }
}

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok || answer.body === null) throw new Error(`status ${answer.status}`)
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answer.body) {
    bytes += part.length
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Addresses by token id. Entries that name no token or no safe address are left out. */
function parseList(text: string): Map<string, string> {
  const entries: unknown = JSON.parse(text)
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
