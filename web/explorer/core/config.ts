/** What the server writes into the page. */
export interface ExplorerConfig {
  /** Names of the exchange chains. */
  chains: readonly string[]
  /** The chain of the host; null when it has none. */
  home: string | null
  hasBridge: boolean
  version: string
}
