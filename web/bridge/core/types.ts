// Interface between the page's shell and the core of a transfer. Plain data and small interfaces, no code.
// Amounts are text in token units ("1.5") where a user reads or types them, and integers as text in ledger units
// in members called `units`. Times are Unix seconds. Chains are named by the ids of the bridge API.

import type { Costs } from './costs.ts'

/** A chain that the page accesses itself. The server configures it with the page. */
export interface ChainAccess {
  id: string
  name: string
  kind: 'evm' | 'antelope'
  /** As decimal text. */
  domain: string
  /** EIP-155 id of an EVM chain; null for an Antelope one. */
  chainId: number | null
  /** Full id of an Antelope chain, 64 hexadecimal digits; null for an EVM chain. */
  antelopeId: string | null
  /** Public node for browsers (JSON-RPC of an EVM chain, `/v1/chain` of an Antelope one); null if not configured. */
  node: string | null
  /** Explorer's URL of a transaction, with placeholder `{tx}`; null when none is configured. */
  explorerTransaction: string | null
  /** Explorer's URL of an account or address, with placeholder `{account}`; null when none is configured. */
  explorerAccount: string | null
}

/** Configuration of the page, from the server. */
export interface BridgeConfig {
  /** Absolute base URL of the bridge API, without a trailing slash. */
  api: string
  chains: readonly ChainAccess[]
  /** Project id of WalletConnect; null when it is not offered. */
  walletConnect: string | null
  /** Polling interval of a transfer in seconds; default 10. */
  pollSeconds?: number
  /** Demo wallets: script that announces an EVM wallet, and an Antelope account with its key. Not in production. */
  demo?: { script: string; address: string; account: string; key: string } | null
}

/** The user's input as typed, so any member may be missing or wrong. */
export interface Draft {
  from: string
  to: string
  token: string
  /** Token units, as typed. */
  amount: string
  recipient: string
}

/** A problem that must be fixed before a transfer can start. */
export interface Problem {
  /** Affected member of the draft; null for the draft as a whole. */
  field: keyof Draft | null
  /** Stable, upper case: `AMOUNT_BELOW_MINIMUM`. */
  code: string
  /** For users: the problem and what to do. */
  text: string
}

/** Estimated result of a draft. */
export interface Estimate {
  /** Token units that arrive. */
  receives: string
  /** Token units that are not taken, because the ledger has fewer decimals; null for none. */
  remainder: string | null
  /** Limits in token units of the current route. */
  min: string
  max: string
  /** Measured duration as text: "about 20 minutes". */
  time: string
  /** Steps in order, as a timeline that has not begun. */
  stages: readonly Stage[]
}

/** A token on a route. */
export interface TokenChoice {
  symbol: string
  precision: number
  open: boolean
}

export interface ChainChoice {
  id: string
  name: string
  kind: 'evm' | 'antelope'
}

export interface TransactionRef {
  /** As in the bridge API: `mainnet`. */
  chain: string
  /** What it did: `Approve`, `Deposit`, `Collect`. */
  label: string
  /** Transaction id or hash. */
  ref: string
  /** URL at an explorer; empty when none is configured. */
  url: string
}

export type StageState = 'waiting' | 'active' | 'done' | 'failed' | 'skipped'

/** One step of a transfer. */
export interface Stage {
  id: string
  /** "Finality on Ethereum". */
  title: string
  /** One sentence on what happens or happened; may be empty. */
  detail: string
  state: StageState
  /** Who acts; shown next to the title. */
  actor: 'you' | 'automatic' | 'relayer' | 'anyone'
  /** Time by which the actor must act; null for none. */
  deadline: number | null
  transactions: readonly TransactionRef[]
}

/** An action that the user can take now. `wallet` names the wallet that the page must pass with it. */
export interface Action {
  name: string
  /** "Collect on Telos". */
  label: string
  primary: boolean
  wallet: { kind: 'evm' | 'antelope'; chain: string } | null
  /** Why it is not possible now; null when it is. */
  blocked: string | null
}

export type Phase =
  /** Checks before the wallet is asked. */
  | 'checking'
  /** A wallet shows something to sign. */
  | 'signing'
  /** Signed and in progress. */
  | 'moving'
  /** Waits for an action of the user. */
  | 'waiting'
  | 'delivered'
  | 'returned'
  /** Nothing was sent: the user can begin again. */
  | 'failed'

/** Presentation of a transfer. A new object after each change. */
export interface JourneyView {
  phase: Phase
  /** Null until the chain has assigned one. */
  key: string | null
  /** One sentence: what happens now, or the result. */
  headline: string
  /** 0 to 100; 100 only at the end. */
  percent: number
  /** Text such as "about 12 minutes left"; null when unknown, or when the transfer waits for an action. */
  left: string | null
  draft: Draft
  sender: string | null
  /** Where it returns when it cannot be delivered, as text; null when unknown. */
  back: string | null
  stages: readonly Stage[]
  actions: readonly Action[]
  transactions: readonly TransactionRef[]
  /** The last error; null for none. */
  error: { code: string; text: string } | null
  /** Warnings as text. */
  warnings: readonly string[]
  /** Whether the user can leave without loss: the transaction is on its chain. */
  safeToLeave: boolean
}

/** Data of an event for the host of a widget; the shell adds `partner` and `embed`. */
export interface SentData {
  direction: 'hop' | 'deposit' | 'withdrawal'
  from_chain: string
  to_chain: string
  token: string
  amount: string
  sender: string
  recipient: string
  transactions: TransactionRef[]
}
export interface FailedData extends SentData {
  errorCode: string
  error: string
}
export interface FinishedData {
  key: string
  outcome: 'delivered' | 'returned'
  token: string
  amount: string
  transactions: TransactionRef[]
}
export type JourneyEvent =
  | { type: 'sent'; data: SentData }
  | { type: 'failed'; data: FailedData }
  | { type: 'finished'; data: FinishedData }

/** One transfer, from its first check to its end. */
export interface Journey {
  readonly view: JourneyView
  /** Calls the listener after every change, asynchronously. @returns unsubscribes */
  subscribe(listener: (view: JourneyView) => void): () => void
  /** Calls the listener for each event, at most once for each type. @returns unsubscribes */
  listen(listener: (event: JourneyEvent) => void): () => void
  /** Takes one of the view's actions. Never rejects: errors are in the view. */
  act(name: string, wallet: Wallet | null): Promise<void>
  /** Stops polling. The transfer itself continues. */
  close(): void
}

/** A wallet that can be chosen. */
export interface WalletChoice {
  /** Id of the wallet, stable while the page is open. */
  id: string
  name: string
  /** `data:image/...` or null. */
  icon: string | null
  kind: 'evm' | 'antelope'
  /** Asks the user in the wallet. @throws Error with `code` (`WALLET_REJECTED`, ...) and a text for users */
  connect(chain: string): Promise<Wallet>
}

/** EIP-1193. */
export interface Eip1193Provider {
  request(call: { method: string; params?: readonly unknown[] | object }): Promise<unknown>
  on?(event: string, listener: (...values: never[]) => void): unknown
  removeListener?(event: string, listener: (...values: never[]) => void): unknown
}

export interface EvmWallet {
  kind: 'evm'
  choice: WalletChoice
  /** Checksummed address. */
  address: string
  provider: Eip1193Provider
  /** Calls the listener with the wallet's new address; null when it disconnected. @returns unsubscribes */
  onChange(listener: (address: string | null) => void): () => void
  disconnect(): Promise<void>
}

/** An action of an Antelope chain, with its data as JSON values of the ABI. */
export interface AntelopeAction {
  account: string
  name: string
  authorization: readonly { actor: string; permission: string }[]
  data: Record<string, unknown>
}

export interface AntelopeWallet {
  kind: 'antelope'
  choice: WalletChoice
  /** Chain id as in the bridge API. */
  chain: string
  account: string
  permission: string
  /** Signs and pushes. @returns transaction id @throws Error with `code` and a text for users */
  transact(actions: readonly AntelopeAction[]): Promise<string>
  disconnect(): Promise<void>
}

export type Wallet = EvmWallet | AntelopeWallet

/** The wallets of a page. Made by `openWallets(config)` of `wallets/index.ts`. */
export interface Wallets {
  /** Wallets known so far; more may announce themselves. Antelope wallets are known before their code is loaded. */
  list(kind: 'evm' | 'antelope', chain: string): readonly WalletChoice[]
  /** Calls the listener when the list has changed. @returns unsubscribes */
  subscribe(listener: () => void): () => void
  close(): void
}

/** A transfer found by its key, transaction or party. */
export interface FoundTransfer {
  key: string
  from: string
  to: string
  token: string | null
  /** Token units. */
  amount: string
  status: string
  time: number
}

/** The bridge as the page uses it. Made by `openBridge(config)` of `core/index.ts`. */
export interface BridgeClient {
  /** Fetches routes and chains again. @throws Error with a text for users when the bridge does not answer */
  refresh(): Promise<void>
  /** Chains from which something can be sent, by name. */
  sources(): readonly ChainChoice[]
  destinations(from: string): readonly ChainChoice[]
  tokens(from: string, to: string): readonly TokenChoice[]
  /** Problems that can be found without a request. Empty members are problems too. */
  check(draft: Draft): readonly Problem[]
  /** Null while the draft names no route. */
  estimate(draft: Draft): Estimate | null
  /** Asks the chain whether a recipient can receive: null when it can, or when no node can be asked. */
  checkRecipient(chain: string, recipient: string): Promise<Problem | null>
  /** The wallet's balance in token units; null when unknown. */
  balance(wallet: Wallet, from: string, to: string, token: string): Promise<string | null>
  /** Gas of the user's transactions on the route's EVM chain, and prices; null while the draft names no route. */
  costs(wallet: Wallet | null, draft: Draft): Promise<Costs | null>
  /** Begins a transfer: checks, then asks the wallet. Returns immediately. */
  start(draft: Draft, wallet: Wallet): Journey
  /** Follows a transfer by its key, `d:…` or `w:…`. */
  follow(key: string): Journey
  /** Finds transfers by key, transaction, account or address; newest first. @throws Error with a text for users */
  find(text: string): Promise<readonly FoundTransfer[]>
}
