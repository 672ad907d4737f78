// Formats the numbers of routes.

import type { TokenRef } from '../live-market/model.ts'
import { decimalText } from './numbers.ts'

/** Raw units as a plain decimal with all decimals of the token. */
export function amountText(amount: bigint, { decimals }: TokenRef): string {
  return decimalText(amount, decimals)
}

/** A fee in whole units of 10^-decimals percent, without trailing zeros: 3000 with 4 decimals is 0.3. */
export function percentText(units: number, decimals: number): string {
  return withoutZeros(decimalText(BigInt(units), decimals))
}

/** A percentage to six decimals, without exponent and trailing zeros. */
export function impactText(percent: number): string {
  return withoutZeros(Math.max(0, percent).toFixed(6))
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
