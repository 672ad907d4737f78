// Senders and recipients: checksummed addresses of EVM chains, names of Antelope accounts.
import { keccak_256 } from '@noble/hashes/sha3.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const ACCOUNT = /^[a-z1-5.]{0,11}[a-z1-5]$/
const LETTERS = '.12345abcdefghijklmnopqrstuvwxyz'
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** keccak-256 of a text, in hexadecimal digits without 0x. */
export function keccakOfText(text: string): string {
  return [...keccak_256(new TextEncoder().encode(text))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Applies the EIP-55 checksum. @param address  0x and 40 digits in any case */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = keccakOfText(digits)
  return `0x${[...digits].map((digit, i) => (Number.parseInt(hash[i] as string, 16) > 7 ? digit.toUpperCase() : digit)).join('')}`
}

export type AddressFault = 'malformed' | 'checksum' | 'zero'

/** The fault of an address; null when it is valid. An address in a single case carries no checksum. */
export function addressFault(text: string): AddressFault | null {
  if (!ADDRESS.test(text)) return 'malformed'
  if (text.toLowerCase() === ZERO_ADDRESS) return 'zero'
  const digits = text.slice(2)
  const plain = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return plain || checksummed(text) === text ? null : 'checksum'
}

/** Whether a text is a well-formed account name. */
export function isAccountName(text: string): boolean {
  return ACCOUNT.test(text)
}

/** An account name as the 64-bit value that EVM contracts take. @param name  well-formed */
export function accountValue(name: string): bigint {
  let value = 0n
  for (let i = 0; i < 12; i++) value = (value << 5n) | BigInt(i < name.length ? LETTERS.indexOf(name[i] as string) : 0)
  return value << 4n
}

export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
