// Amounts as people write them and as contracts count them. Exact: a text becomes an integer and back, never a double.

/** Digits that are read at most: more than any token has units. */
const MAX_DIGITS = 60
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
  if (whole + part === '' || whole.length + part.length > MAX_DIGITS) return null
  const fraction = part.replace(/0+$/, '')
  return { units: BigInt(whole + fraction), decimals: fraction.length }
}

/** What a person typed: an amount in digits with at most one point, or why it is none. */
export type Typed = { amount: string } | { readings: [string, string] } | null

/** Groups of three digits, three or more of them or followed by decimals: the separator cannot be that of decimals. */
const GROUPED = [
  { form: /^\d{1,3}(,\d{3})+\.\d*$|^\d{1,3}(,\d{3}){2,}$/, group: /,/g },
  { form: /^\d{1,3}(\.\d{3})+,\d*$|^\d{1,3}(\.\d{3}){2,}$/, group: /\./g },
  { form: /^\d{1,3}([\u0020\u00a0\u2009\u202f'\u2019]\d{3})+([.,]\d*)?$/, group: /[\u0020\u00a0\u2009\u202f'\u2019]/g },
]

/**
 * Reads an amount as people write it. The point stands before decimals; a comma does where it cannot stand between
 * groups of three digits. `10,000` can mean both, so it is none of them.
 *
 * @returns the amount; its two readings when it is ambiguous; null when it is malformed
 */
export function readTyped(text: string): Typed {
  const typed = text.trim()
  if (parseDecimal(typed) !== null) return { amount: typed }
  if (/^[1-9]\d{0,2},\d{3}$/.test(typed)) return { readings: [typed.replace(',', ''), typed.replace(',', '.')] }
  const group = GROUPED.find(({ form }) => form.test(typed))?.group
  const amount = (group === undefined ? typed : typed.replace(group, '')).replace(',', '.')
  return parseDecimal(amount) === null ? null : { amount }
}

/** `10000.000000` as `10,000.000000`: every decimal of the token, so that it reads one way only. */
export function formatFull(amount: string, precision: number): string {
  const units = parseUnits(amount, precision)
  if (units === null) return amount
  const [quantity = ''] = formatQuantity(units, precision, '').split(' ')
  const [whole = '', part] = quantity.split('.')
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return part === undefined ? groups : `${groups}.${part}`
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
