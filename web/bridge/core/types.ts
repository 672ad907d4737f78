// What the page's shell and the core of a transfer say to each other. Plain data and small interfaces, no code.
// Amounts are texts in token units ("1.5") where a person reads or types them, and texts of integers in ledger units
// where a member is called `units`. Times are Unix seconds. Chains are named by the ids of the bridge API.

/** A chain as far as the page has to reach it by itself. Given by the server with the page. */
export interface ChainAccess {
  id: string
  name: string
  kind: 'evm' | 'antelope'
  /** Decimal text. */
  domain: string
  /** EIP-155 id of an EVM chain; null for an Antelope one. */
  chainId: number | null
  /** Full id of an Antelope chain, 64 hexadecimal digits; null for an EVM chain. */
  antelopeId: string | null
  /** Public node that browsers may ask (JSON-RPC of an EVM chain, `/v1/chain` of an Antelope one); null: none is configured. */
  node: string | null
  /** Address of a transaction for people, with `{tx}` in it; null: none is configured. */
  explorerTransaction: string | null
  /** The same for an account or address, with `{account}` in it. */
  explorerAccount: string | null
}

/** What the server gives the page. */
export interface BridgeConfig {
  /** Base address of the bridge API, absolute, without a slash at its end. */
  api: string
  chains: readonly ChainAccess[]
  /** Project id of WalletConnect; null: it is not offered. */
  walletConnect: string | null
  /** Seconds from one look at a transfer to the next; 10 unless given. */
  pollSeconds?: number
  /** Wallets of a demo: a script that announces one for an EVM address, and an Antelope account with its key. Never set in production. */
  demo?: { script: string; address: string; account: string; key: string } | null
}

/** What a person asks for: as typed, so anything may be missing or wrong. */
export interface Draft {
  from: string
  to: string
  token: string
  /** Token units, as typed. */
  amount: string
  recipient: string
}

/** Something to change before a transfer can start. */
export interface Problem {
  /** Member of the draft that it is about; null: about all of it. */
  field: keyof Draft | null
  /** Stable, upper case: `AMOUNT_BELOW_MINIMUM`. */
  code: string
  /** For people: what is wrong and what to do. */
  text: string
}

/** What a draft would do. */
export interface Estimate {
  /** Token units that arrive. */
  receives: string
  /** Token units that are not taken, because the ledger counts fewer decimals; null: none. */
  remainder: string | null
  /** Token units, of the route as it is now. */
  min: string
  max: string
  /** Measured time for people: "about 20 minutes". */
  time: string
  /** Steps to come, in order, as a timeline that nobody has begun. */
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
  /** Page of an explorer; empty where none is configured. */
  url: string
}

export type StageState = 'waiting' | 'active' | 'done' | 'failed' | 'skipped'

/** One step of a transfer. */
export interface Stage {
  id: string
  /** "Finality on Ethereum". */
  title: string
  /** What happens or has happened, in a sentence; may be empty. */
  detail: string
  state: StageState
  /** Who acts: shown beside the title. */
  actor: 'you' | 'automatic' | 'relayer' | 'anyone'
  /** Until when the actor has to act; null: any time. */
  deadline: number | null
  transactions: readonly TransactionRef[]
}

/** Something that the person can do now. `wallet` says which wallet the page must hand in with it. */
export interface Action {
  name: string
  /** "Collect on Telos". */
  label: string
  primary: boolean
  wallet: { kind: 'evm' | 'antelope'; chain: string } | null
  /** Why it cannot be done now; null: it can. */
  blocked: string | null
}

export type Phase =
  /** Checks before a wallet is asked. */
  | 'checking'
  /** A wallet shows something to sign. */
  | 'signing'
  /** Signed, and on its way. */
  | 'moving'
  /** Waits for an action of the person. */
  | 'waiting'
  | 'delivered'
  | 'returned'
  /** Nothing was sent: can be begun again. */
  | 'failed'

/** A transfer as it stands. A new object after each change. */
export interface JourneyView {
  phase: Phase
  /** Null until the chain has given it one. */
  key: string | null
  /** One sentence: what happens now, or what has come out. */
  headline: string
  /** 0 to 100; 100 at the end only. */
  percent: number
  /** For people, "about 12 minutes left"; null: not known, or it waits for somebody. */
  left: string | null
  draft: Draft
  sender: string | null
  /** Where it comes back when it is not delivered, for people; null: not known. */
  back: string | null
  stages: readonly Stage[]
  actions: readonly Action[]
  transactions: readonly TransactionRef[]
  /** What went wrong last; null: nothing. */
  error: { code: string; text: string } | null
  /** What is odd about it, for people. */
  warnings: readonly string[]
  /** Whether leaving the page now loses nothing: the transaction is on its chain. */
  safeToLeave: boolean
}

/** What the host of a widget is told; the shell adds `partner` and `embed`. */
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
  /** Calls back after every change, not at once. @returns stops it */
  subscribe(listener: (view: JourneyView) => void): () => void
  /** Calls back for each event, at most once for each type. @returns stops it */
  listen(listener: (event: JourneyEvent) => void): () => void
  /** Does one of the view's actions. Never rejects: what goes wrong is in the view. */
  act(name: string, wallet: Wallet | null): Promise<void>
  /** Stops polling. The transfer itself goes on. */
  close(): void
}

/** A wallet that can be chosen. */
export interface WalletChoice {
  /** Of the wallet, the same for the page's life. */
  id: string
  name: string
  /** `data:image/...` or null. */
  icon: string | null
  kind: 'evm' | 'antelope'
  /** Asks the person in the wallet. @throws Error with `code` (`WALLET_REJECTED`, ...) and a text for people */
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
  /** Calls back with the address that the wallet has changed to; null: it has let go. @returns stops it */
  onChange(listener: (address: string | null) => void): () => void
  disconnect(): Promise<void>
}

/** An action of an Antelope chain, its data as JSON values of the ABI. */
export interface AntelopeAction {
  account: string
  name: string
  authorization: readonly { actor: string; permission: string }[]
  data: Record<string, unknown>
}

export interface AntelopeWallet {
  kind: 'antelope'
  choice: WalletChoice
  /** Chain id of the bridge API. */
  chain: string
  account: string
  permission: string
  /** Signs and pushes. @returns transaction id @throws Error with `code` and a text for people */
  transact(actions: readonly AntelopeAction[]): Promise<string>
  disconnect(): Promise<void>
}

export type Wallet = EvmWallet | AntelopeWallet

/** The wallets of a page. Made by `openWallets(config)` of `wallets/index.ts`. */
export interface Wallets {
  /** Known now; more may announce themselves. Antelope ones are known without loading their code. */
  list(kind: 'evm' | 'antelope', chain: string): readonly WalletChoice[]
  /** Calls back when the list has changed. @returns stops it */
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

/** The bridge as the page sees it. Made by `openBridge(config)` of `core/index.ts`. */
export interface BridgeClient {
  /** Reads routes and chains anew. @throws Error with a text for people when the bridge does not answer */
  refresh(): Promise<void>
  /** Chains that something can be sent from, by name. */
  sources(): readonly ChainChoice[]
  destinations(from: string): readonly ChainChoice[]
  tokens(from: string, to: string): readonly TokenChoice[]
  /** What is wrong without asking anybody. Empty members are problems too. */
  check(draft: Draft): readonly Problem[]
  /** Null while the draft names no route. */
  estimate(draft: Draft): Estimate | null
  /** Whether the account or address can receive, asking its chain: null when it can, or nobody can be asked. */
  checkRecipient(chain: string, recipient: string): Promise<Problem | null>
  /** What the wallet has of the token, token units; null: not known. */
  balance(wallet: Wallet, from: string, to: string, token: string): Promise<string | null>
  /** Begins a transfer: checks, then asks the wallet. Returns at once. */
  start(draft: Draft, wallet: Wallet): Journey
  /** Follows a transfer by its key, `d:…` or `w:…`. */
  follow(key: string): Journey
  /** Finds transfers by key, transaction, account or address; newest first. @throws Error with a text for people */
  find(text: string): Promise<readonly FoundTransfer[]>
}
