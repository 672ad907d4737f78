// What a page and the widget in its frame or window tell each other. Shared by the SDK and the widget.
//
// Six messages go out of the widget by `postMessage` to whoever shows it: everything in them is public. What goes in, and
// requests to wallets, pass through a port that the SDK hands over once and that nobody else can hear.

export const SOURCE = 'svc-bridge'
export const VERSION = 1
/** `source` of the one message that hands over the port. */
export const HOST_SOURCE = 'svc-bridge-host'

export const MESSAGE_TYPES = ['ready', 'sent', 'failed', 'finished', 'close', 'resize'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

export interface Message {
  source: typeof SOURCE
  version: typeof VERSION
  type: MessageType
  data: unknown
}

/** Requests that pass the port. Both ends check. */
export const WALLET_METHODS: readonly string[] = [
  'eth_requestAccounts',
  'eth_accounts',
  'eth_chainId',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'eth_sendTransaction',
  'eth_call',
  'eth_getBalance',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_blockNumber',
  'eth_estimateGas',
]

/** Events of a wallet that pass the port. */
export const WALLET_EVENTS = ['accountsChanged', 'chainChanged', 'disconnect'] as const
export type WalletEvent = (typeof WALLET_EVENTS)[number]

/** A wallet of the host page, as EIP-6963 describes it. */
export interface WalletInfo {
  uuid: string
  name: string
  icon: string
  rdns: string
}

export interface WalletError {
  code: number
  message: string
  data?: unknown
}

/** From the host, through the port. */
export type ToWidget =
  | { type: 'wallets'; wallets: WalletInfo[] }
  | { type: 'answer'; id: number; result?: unknown; error?: WalletError }
  | { type: 'event'; wallet: string; event: WalletEvent; value: unknown }
  /** The person wants to close it: answered by a message `close`, or by `stays`. */
  | { type: 'close' }
  /** The keyboard comes in from one side. */
  | { type: 'focus'; at: 'start' | 'end' }

/** From the widget, through the port. */
export type ToHost =
  | { type: 'request'; id: number; wallet: string; method: string; params: unknown }
  /** It asks the person first. */
  | { type: 'stays' }
