// Token amounts and symbols: exact integers with a precision.

import { DecodeError, UserError } from '../errors.ts'

/** An amount of a token in its smallest unit, without the contract that issues it. */
export interface Asset {
  /** Raw units: a signed 64-bit integer. */
  amount: bigint
  /** Decimals: 0 to 18 in valid tokens, 0 to 255 in bytes. */
  precision: number
  /** Symbol code: up to 7 letters A-Z. */
  symbol: string
}

export interface ExtendedAsset {
  quantity: Asset
  contract: string
}

export interface TokenSymbol {
  precision: number
  code: string
}

export interface ExtendedSymbol {
  sym: TokenSymbol
  contract: string
}

const CODE = /^[A-Z]{0,7}$/
const ASSET = /^(-?)(\d{1,19})(?:\.(\d{1,18}))? ([A-Z]{1,7})$/
const AMOUNT_LIMIT = 1n << 63n

/** `1.0000 WAX`, `-0.5 A`, `7 NFT`: exact, with all decimals. */
export function formatAsset({ amount, precision, symbol }: Asset): string {
  if (precision === 0) return `${amount} ${symbol}`
  const digits = (amount < 0n ? -amount : amount).toString().padStart(precision + 1, '0')
  const point = digits.length - precision
  return `${amount < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)} ${symbol}`
}

/**
 * Parses an asset; the number of digits after the point is its precision.
 *
 * @throws UserError INVALID_ASSET for an invalid text or an amount beyond 64 bits
 */
export function parseAsset(text: string): Asset {
  const match = ASSET.exec(text)
  const decimals = match?.[3] ?? ''
  const units = match ? BigInt(`${match[2]}${decimals}`) : AMOUNT_LIMIT
  const amount = match?.[1] === '-' ? -units : units
  if (!match || amount >= AMOUNT_LIMIT || amount < -AMOUNT_LIMIT) {
    throw new UserError('INVALID_ASSET', `not an amount of a token: ${JSON.stringify(String(text).slice(0, 60))}`, {
      hint: 'write the amount with all its decimals and the symbol, as in 1.0000 WAX',
    })
  }
  return { amount, precision: decimals.length, symbol: match[4] as string }
}

/** Identifier of a token in the exchange's API: `wax-eosio.token`. */
export function tokenId(symbol: string, contract: string): string {
  return `${symbol.toLowerCase()}-${contract}`
}

/** Memoized values of symbol codes: a few hundred codes recur. Emptied at its limit. */
const codeValues = new Map<string, bigint>()
const CODE_LIMIT = 1 << 14

/**
 * Value of a symbol code: its letters as bytes, the first one lowest.
 *
 * @throws UserError INVALID_SYMBOL unless it is up to 7 letters A-Z
 */
export function symbolCodeToU64(code: string): bigint {
  const known = codeValues.get(code)
  if (known !== undefined) return known
  if (!CODE.test(code)) {
    throw new UserError('INVALID_SYMBOL', `not a symbol code: ${JSON.stringify(String(code).slice(0, 40))}`)
  }
  let value = 0n
  for (let i = code.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(code.charCodeAt(i))
  if (codeValues.size >= CODE_LIMIT) codeValues.clear()
  codeValues.set(code, value)
  return value
}

/** Symbol code of a value, the inverse of `symbolCodeToU64`. @throws DecodeError INVALID_SYMBOL for an invalid value */
export function symbolCodeOf(value: bigint): string {
  let code = ''
  for (let rest = value; rest > 0n; rest >>= 8n) code += String.fromCharCode(Number(rest & 0xffn))
  if (!CODE.test(code)) throw new DecodeError('INVALID_SYMBOL', `${value} is no symbol code`)
  return code
}

/**
 * Value of a symbol: the precision in the lowest byte, the code above it.
 *
 * @throws UserError INVALID_SYMBOL for a precision outside 0 to 255 or a bad code
 */
export function symbolToU64({ precision, code }: TokenSymbol): bigint {
  if (!Number.isInteger(precision) || precision < 0 || precision > 255) {
    throw new UserError('INVALID_SYMBOL', `not a precision from 0 to 255: ${precision}`)
  }
  return (symbolCodeToU64(code) << 8n) | BigInt(precision)
}
