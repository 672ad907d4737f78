// Amounts as people write them and as contracts count them. Exact: a text becomes an integer and back, never a double.

/** Digits that are read at most: more than any token has units. */
const MOST_DIGITS = 60
const PATTERN = /^(\d*)(?:\.(\d*))?$/

/** A decimal number that is written exactly. */
export interface Decimal {
  units: bigint
  decimals: number
}

/** @returns null for anything but digits with at most one point: no signs, exponents or separators */
export function parseDecimal(text: string): Decimal | null {
  const found = PATTERN.exec(text.trim())
  if (found === null) return null
  const [, whole = '', part = ''] = found
  if (whole + part === '' || whole.length + part.length > MOST_DIGITS) return null
  const fraction = part.replace(/0+$/, '')
  return { units: BigInt(whole + fraction), decimals: fraction.length }
}

/** Units of a text. @returns null when it is malformed or has more decimals than `precision` */
export function parseUnits(text: string, precision: number): bigint | null {
  const decimal = parseDecimal(text)
  if (decimal === null || decimal.decimals > precision) return null
  return decimal.units * 10n ** BigInt(precision - decimal.decimals)
}

/** `1.5` for 1500000 units with 6 decimals: no zeros at the end, no separators. */
export function formatUnits(units: bigint, precision: number): string {
  const digits = units.toString().padStart(precision + 1, '0')
  const whole = digits.slice(0, digits.length - precision)
  const part = digits.slice(digits.length - precision).replace(/0+$/, '')
  return part === '' ? whole : `${whole}.${part}`
}

/** `1.500000 USDC`: with every decimal, as Antelope contracts take quantities. */
export function formatQuantity(units: bigint, precision: number, symbol: string): string {
  const digits = units.toString().padStart(precision + 1, '0')
  const whole = digits.slice(0, digits.length - precision)
  return `${precision === 0 ? whole : `${whole}.${digits.slice(digits.length - precision)}`} ${symbol}`
}

/** Units of a quantity's text with its precision. @returns null when it is none */
export function parseQuantity(text: string): { units: bigint; precision: number; symbol: string } | null {
  const found = /^(\d+)(?:\.(\d+))? ([A-Z]{1,7})$/.exec(text)
  if (found === null) return null
  const [, whole = '', part = '', symbol = ''] = found
  return { units: BigInt(whole + part), precision: part.length, symbol }
}

/** An amount at its source: what the ledger takes of it, and what it leaves because it counts fewer decimals. */
export interface Taken {
  /** Ledger units. */
  units: bigint
  /** Raw units of the source that are locked: a whole number of ledger units. */
  raw: bigint
  /** Raw units of the source that are not taken. */
  remainder: bigint
}

/** @param scale  raw units of a ledger unit */
export function take(raw: bigint, scale: bigint): Taken {
  const units = raw / scale
  return { units, raw: units * scale, remainder: raw - units * scale }
}

/** Decimals at the source of a token that has `precision` on the ledger; null when the scale is no power of ten. */
export function sourcePrecision(precision: number, scale: bigint): number | null {
  const text = scale.toString()
  return /^10*$/.test(text) ? precision + text.length - 1 : null
}
