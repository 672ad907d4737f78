// Requests to an EIP-1193 provider that a transfer needs, with their errors as texts.
import { evmFault, Fault } from '../faults.ts'
import { sameAddress } from '../parties.ts'
import type { ChainAccess, Eip1193Provider, EvmWallet } from '../types.ts'
import { words } from './abi.ts'
import type { EvmCall, EvmLog } from './calls.ts'

export interface Receipt {
  hash: string
  ok: boolean
  logs: readonly EvmLog[]
}

const hex = (value: bigint | number): string => `0x${value.toString(16)}`
const UNKNOWN_CHAIN = 4902
/** Error codes of wallets in which only the user can change the chain: EIP-1193's and JSON-RPC's. */
const UNSUPPORTED: readonly unknown[] = [4200, -32601]

/** Switches the wallet to a chain; adds the chain when the wallet lacks it and a node is configured. @throws Fault */
export async function useChain({ provider }: EvmWallet, chain: ChainAccess): Promise<void> {
  if ((await currentChain(provider)) === chain.chainId) return
  try {
    await switchTo(provider, chain)
  } catch (error) {
    if (!UNSUPPORTED.includes(codeOf(error))) throw evmFault(error)
  }
  if ((await currentChain(provider)) !== chain.chainId)
    throw new Fault('WRONG_CHAIN', `The wallet is on another chain. Switch it to ${chain.name} and try again.`)
}

async function switchTo(provider: Eip1193Provider, chain: ChainAccess): Promise<void> {
  const chainId = hex(chain.chainId ?? 0)
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CHAIN || chain.node === null) throw error
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const added = { chainId, chainName: chain.name, rpcUrls: [chain.node], nativeCurrency }
    await provider.request({ method: 'wallet_addEthereumChain', params: [added] })
  }
}

/** @throws Fault WALLET_ACCOUNT when the wallet changed its account after it was connected */
export async function useAccount({ provider, address }: EvmWallet): Promise<void> {
  const accounts = await ask<string[]>(provider, 'eth_accounts', [])
  if (Array.isArray(accounts) && accounts.some((one) => sameAddress(one, address))) return
  throw new Fault(
    'WALLET_ACCOUNT',
    'The wallet uses another account now. Choose the one you connected, or connect again.',
  )
}

async function currentChain(provider: Eip1193Provider): Promise<number> {
  return Number(await ask<string>(provider, 'eth_chainId', []))
}

/** Has the wallet sign and send. @returns hash @throws Fault */
export async function send({ provider, address }: EvmWallet, chain: ChainAccess, call: EvmCall): Promise<string> {
  const { to, data, value } = call
  const transaction = { from: address, to, data, value: hex(value), chainId: hex(chain.chainId ?? 0) }
  const hash = await ask<unknown>(provider, 'eth_sendTransaction', [transaction])
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash))
    throw new Fault('WALLET_FAILED', 'The wallet has answered without a transaction. Look there whether it was sent.')
  return hash.toLowerCase()
}

/** Runs a call without sending it. @returns the result @throws Fault with the contract's error */
export function trial({ provider, address }: EvmWallet, { to, data, value }: EvmCall): Promise<unknown> {
  return ask(provider, 'eth_call', [{ from: address, to, data, value: hex(value) }, 'latest'])
}

/** Result words of a view call. @returns null when there is no contract at the address */
export async function view(wallet: EvmWallet, call: EvmCall, count: number): Promise<bigint[] | null> {
  return words(await trial(wallet, call), count)
}

/** Balance of an account in wei; null when the wallet does not answer. */
export async function coins({ provider, address }: EvmWallet): Promise<bigint | null> {
  try {
    return BigInt(await ask<string>(provider, 'eth_getBalance', [address, 'latest']))
  } catch {
    return null
  }
}

/** Receipt of a transaction; null while the wallet's node sees it in no block. */
export async function receiptOf({ provider }: EvmWallet, hash: string): Promise<Receipt | null> {
  const found = await ask<{ status?: string; logs?: EvmLog[] } | null>(provider, 'eth_getTransactionReceipt', [hash])
  return found === null || found === undefined ? null : { hash, ok: found.status !== '0x0', logs: found.logs ?? [] }
}

/** Whether the node no longer knows a transaction (replaced or dropped). Null when the node cannot be asked. */
export async function isGone({ provider }: EvmWallet, hash: string): Promise<boolean | null> {
  try {
    const found = await provider.request({ method: 'eth_getTransactionByHash', params: [hash] })
    return found === null
  } catch {
    return null
  }
}

async function ask<T>(provider: Eip1193Provider, method: string, params: readonly unknown[]): Promise<T> {
  try {
    return (await provider.request({ method, params })) as T
  } catch (error) {
    throw evmFault(error)
  }
}

function codeOf(error: unknown): unknown {
  const { code, data } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    data?: { originalError?: { code?: unknown } }
  }
  return data?.originalError?.code === UNKNOWN_CHAIN ? UNKNOWN_CHAIN : code
}
