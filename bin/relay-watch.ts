// Looks at the relayers of the database while the live view is on a terminal. A database that does not answer, or a login
// that may not read their tables, shows no line: the view is of the indexer, and goes on.
import { openClient } from '../net/postgres.ts'
import { type WatchedKey, watchedKeys } from '../relay/watch.ts'
import { relayLine } from './relay-line.ts'

const INTERVAL_MS = 10_000
const TIMEOUT_MS = 3000

export class RelayWatch {
  readonly #databaseUrl: string
  readonly #limitUsd: number | undefined
  readonly #timer: NodeJS.Timeout
  #keys: readonly WatchedKey[] = []
  #isLooking = false

  /** @param limitUsd  relay.gasUsdDay, if this process has the relayer's setting */
  constructor(databaseUrl: string, limitUsd: number | undefined) {
    this.#databaseUrl = databaseUrl
    this.#limitUsd = limitUsd
    this.#timer = setInterval(() => void this.look(), INTERVAL_MS)
    this.#timer.unref()
    void this.look()
  }

  lines(): string[] {
    return this.#keys.map((key) => relayLine(key, this.#limitUsd))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const client = openClient({
      connectionString: this.#databaseUrl,
      use: 'statements',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    })
    try {
      await client.connect()
      this.#keys = await watchedKeys(client)
    } catch {
      this.#keys = []
    } finally {
      await client.end().catch(() => {})
      this.#isLooking = false
    }
  }
}
