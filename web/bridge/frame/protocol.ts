// Messages between a host page and the widget in its frame or window. Shared by the SDK and the widget.
//
// Six messages go from the widget to its host by `postMessage`; all their members are public. Messages to the widget,
// and wallet requests, use a port that the SDK hands over once and that no other page can read.

export const SOURCE = 'svc-bridge'
export const VERSION = 1
/** `source` of the message that hands over the port. */
export const HOST_SOURCE = 'svc-bridge-host'

export const MESSAGE_TYPES = ['ready', 'sent', 'failed', 'finished', 'close', 'resize'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

export interface Message {
  source: typeof SOURCE
  version: typeof VERSION
  type: MessageType
  data: unknown
}

/** Wallet methods allowed through the port. Both ends check. */
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

/** Wallet events allowed through the port. */
export const WALLET_EVENTS = ['accountsChanged', 'chainChanged', 'disconnect'] as const
export type WalletEvent = (typeof WALLET_EVENTS)[number]

/** A wallet of the host page, in the form of EIP-6963. */
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

/** Messages from the host, through the port. */
export type ToWidget =
  | { type: 'wallets'; wallets: WalletInfo[] }
  | { type: 'answer'; id: number; result?: unknown; error?: WalletError }
  | { type: 'event'; wallet: string; event: WalletEvent; value: unknown }
  /** The user wants to close the widget: answered by a message `close` or `stays`. */
  | { type: 'close' }
  /** The keyboard focus enters from one end. */
  | { type: 'focus'; at: 'start' | 'end' }

/** Messages from the widget, through the port. */
export type ToHost =
  | { type: 'request'; id: number; wallet: string; method: string; params: unknown }
  /** The widget asks the user before it closes. */
  | { type: 'stays' }
