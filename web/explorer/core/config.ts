/** A chain of the bridge. */
export interface BridgePlace {
  /** As in the bridge API. */
  id: string
  /** For people. */
  name: string
  /** Its domain in the bridge's rows, decimal; null when its chain id is not known. */
  domain: string | null
  /** Its name in the explorer's addresses; null when the explorer has no pages of it. */
  chain: string | null
  /** Page of another explorer, with `{tx}`; null when none is configured. */
  transactionPage: string | null
}

/** Before the name of a chain and the id of a token. */
export const LOGO_PATH = '/explorer/logos/'

/** By chain: ids of the tokens whose logo the server has as a file. */
export type OwnLogos = Readonly<Record<string, readonly string[]>>

/** What the server writes into the page. */
export interface ExplorerConfig {
  /** Names of the exchange chains. */
  chains: readonly string[]
  /** The chain of the host; null when it has none. */
  home: string | null
  hasBridge: boolean
  places: readonly BridgePlace[]
  logos: OwnLogos
  version: string
}
