// Amounts that people type. Pure.

/** A typed amount, or the reason why it is none. */
export type Typed = { amount: string } | { problem: string } | null

/**
 * Reads a typed amount: digits with at most one decimal point. A comma before the last digits counts as the point.
 *
 * @param decimals  of the token
 * @returns null for an empty field
 */
export function typedAmount(text: string, decimals: number): Typed {
  const trimmed = text.trim().replaceAll(/[\s_’']/g, '')
  if (trimmed === '') return null
  const plain = /^\d*,\d*$/.test(trimmed) ? trimmed.replace(',', '.') : trimmed
  const parts = /^(\d*)\.?(\d*)$/.exec(plain)
  if (parts === null || (parts[1] === '' && parts[2] === '')) return { problem: 'Write digits and one decimal point.' }
  const whole = (parts[1] as string).replace(/^0+(?=\d)/, '') || '0'
  const fraction = (parts[2] as string).replace(/0+$/, '')
  if (fraction.length > decimals) return { problem: `This token has ${decimals} decimals.` }
  if (/^0*$/.test(whole + fraction)) return { problem: 'The amount is zero.' }
  return { amount: fraction === '' ? whole : `${whole}.${fraction}` }
}
