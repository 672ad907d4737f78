// Data of a token transfer in the standard layout (from, to, quantity, memo). In another layout the recipient could not
// be read.
import { isUtf8 } from 'node:buffer'
import { Reader } from '../core/antelope/reader.ts'
import { DecodeError } from '../core/errors.ts'
import { Refusal } from './refusal.ts'
import type { Action } from './transaction.ts'

export interface Transfer {
  from: string
  to: string
}

/** Largest amount of a token: 2^62 - 1. */
const MAX_AMOUNT = (1n << 62n) - 1n
const MAX_DECIMALS = 18n

/** @throws Refusal when the data have another layout or trailing bytes */
export function readTransfer({ account, data }: Action): Transfer {
  const reader = new Reader(data)
  try {
    const from = reader.name()
    const to = reader.name()
    const amount = reader.i64()
    const symbol = reader.u64()
    const start = reader.pos
    const size = reader.varuint32()
    const isShort = reader.pos - start === lengthOf(size)
    // Wallets and libraries cannot read a memo that is not UTF-8.
    const isText = isUtf8(reader.bytes(size))
    if (reader.remaining === 0 && isShort && isText && amount > 0n && amount <= MAX_AMOUNT && isSymbol(symbol))
      return { from, to }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
  }
  throw new Refusal(
    'transfer',
    `The data of ${account}::transfer are not (from, to, quantity, memo) with a quantity above 0`,
  )
}

/** Length of the shortest encoding of a variable-length integer, bytes. */
function lengthOf(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5
}

/** Decimals in the lowest byte, then one to seven capital letters, then zero bytes. */
function isSymbol(value: bigint): boolean {
  if ((value & 0xffn) > MAX_DECIMALS) return false
  let rest = value >> 8n
  if (rest === 0n) return false
  for (; rest > 0n; rest >>= 8n) {
    const letter = rest & 0xffn
    if (letter < 0x41n || letter > 0x5an) return false
  }
  return true
}
