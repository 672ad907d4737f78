// Domains of the bridge: chain numbers, and the encoding of accounts.
import { bridgedChain, isEvmDomain } from '../../../core/chains.ts'
import { fromHex } from '../../../core/hex.ts'

export const ETHEREUM_DOMAIN = bridgedChain('mainnet').domain
export const WAX_DOMAIN = bridgedChain('wax').domain
export const TELOS_DOMAIN = bridgedChain('telos').domain

/** Bytes of a recipient or token: 20 for an EVM address in hexadecimal digits, otherwise the UTF-8 text. */
export function partyBytes(domain: bigint, text: string): Uint8Array {
  if (!isEvmDomain(domain)) return new TextEncoder().encode(text)
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? fromHex(text.slice(2).toLowerCase()) : new Uint8Array()
}

/** Inverse of `partyBytes`. */
export function partyText(domain: bigint, bytes: Uint8Array): string {
  return isEvmDomain(domain) ? `0x${Buffer.from(bytes).toString('hex')}` : new TextDecoder().decode(bytes)
}
