// Amounts as people write them and as contracts count them. Conversions are exact: no floating-point numbers.

/** Maximum number of digits in a typed amount; more than any token has. */
const MAX_DIGITS = 60
const PATTERN = /^(\d*)(?:\.(\d*))?$/

/** A decimal number without rounding. */
export interface Decimal {
  units: bigint
  decimals: number
}

/** @returns null unless the text is digits with at most one point: no signs, exponents or separators */
export function parseDecimal(text: string): Decimal | null {
  const found = PATTERN.exec(text.trim())
  if (found === null) return null
  const [, whole = '', part = ''] = found
  if (whole + part === '' || whole.length + part.length > MAX_DIGITS) return null
  const fraction = part.replace(/0+$/, '')
  return { units: BigInt(whole + fraction), decimals: fraction.length }
}

/** A typed amount; or both readings when the separator is ambiguous; null when malformed. */
export type Typed = { amount: string } | { readings: [string, string] } | null

/** Two or more separated groups of three digits, or one and decimals: the separator cannot be a decimal point. */
const GROUPED = [
  { form: /^\d{1,3}(,\d{3})+\.\d*$|^\d{1,3}(,\d{3}){2,}$/, group: /,/g },
  { form: /^\d{1,3}(\.\d{3})+,\d*$|^\d{1,3}(\.\d{3}){2,}$/, group: /\./g },
  { form: /^\d{1,3}([\u0020\u00a0\u2009\u202f'\u2019]\d{3})+([.,]\d*)?$/, group: /[\u0020\u00a0\u2009\u202f'\u2019]/g },
]

/** One separator before three digits: they may be a group of thousands or decimals. `0.125` can only be decimals. */
const TWOFOLD = /^([1-9]\d{0,2})[.,](\d{3})$/

/**
 * Reads a typed amount. A point or a comma separates decimals, or groups of three digits, by what else the text has.
 * `10,000` and `10.000` are ambiguous: both readings are returned, each in a form that has one reading.
 *
 * @returns the amount; its two readings when it is ambiguous; null when it is malformed
 */
export function readTyped(text: string): Typed {
  const typed = text.trim()
  const twofold = TWOFOLD.exec(typed)
  if (twofold !== null) {
    const [, whole = '', part = ''] = twofold
    return { readings: [whole + part, unambiguous(formatUnits(BigInt(whole + part), 3))] }
  }
  if (parseDecimal(typed) !== null) return { amount: typed }
  const group = GROUPED.find(({ form }) => form.test(typed))?.group
  const amount = (group === undefined ? typed : typed.replace(group, '')).replace(',', '.')
  return parseDecimal(amount) === null ? null : { amount }
}

/**
 * A decimal number in a form that `readTyped` reads one way, with the same value: `1.2340` for `1.234`. For amounts
 * that the page fills in: the user may edit them, and they are checked as typed ones are.
 */
export function unambiguous(amount: string): string {
  return TWOFOLD.test(amount) ? `${amount}0` : amount
}

/** An amount that a person typed, in smallest units; or why it is none, with what to write instead. */
export type TypedAmount = { units: bigint } | { code: 'MALFORMED' | 'AMBIGUOUS' | 'TOO_PRECISE'; problem: string }

interface Token {
  symbol: string
  decimals: number
}

/**
 * The rule of every field in which a person types an amount: it is read exactly, or refused.
 *
 * @returns null for an empty field
 */
export function typedAmount(text: string, { symbol, decimals }: Token): TypedAmount | null {
  if (text.trim() === '') return null
  const typed = readTyped(text)
  if (typed === null)
    return { code: 'MALFORMED', problem: 'Write the amount with digits and at most one point, as in 12.5.' }
  if ('readings' in typed) {
    const [one, other] = typed.readings
    const problem = `${text.trim()} can mean ${one} or ${other}: write the one that you mean.`
    return { code: 'AMBIGUOUS', problem }
  }
  const units = parseUnits(typed.amount, decimals)
  if (units === null) return { code: 'TOO_PRECISE', problem: `${symbol} has at most ${decimals} decimals here.` }
  return { units }
}

/** Content of an amount field, for a page that has no limits of its own. */
export interface AmountField {
  /** For the API: `10000.5`; null when there is no amount. */
  amount: string | null
  /** What was understood, with all decimals: `10,000.5000 TLM`. */
  full: string | null
  problem: string | null
}

export function amountField(text: string, token: Token): AmountField {
  const typed = typedAmount(text, token)
  const none = { amount: null, full: null, problem: null }
  if (typed === null) return none
  if ('problem' in typed) return { ...none, problem: typed.problem }
  if (typed.units === 0n) return { ...none, problem: 'The amount is zero.' }
  const amount = formatUnits(typed.units, token.decimals)
  return { amount, full: `${formatFull(amount, token.decimals)} ${token.symbol}`, problem: null }
}

const WHOLE = /^(?:\d+|\d{1,3}([.,\u0020\u00a0\u2009\u202f'\u2019])\d{3}(?:\1\d{3})*)$/

/**
 * Reads a typed whole number, such as the number of a block. It has no decimals, so `10,000` has one reading.
 *
 * @returns its digits; null when it is malformed
 */
export function readWhole(text: string): string | null {
  const typed = text.trim()
  return WHOLE.test(typed) ? typed.replaceAll(/\D/g, '') : null
}

/** `10000.000000` as `10,000.000000`: with all decimals of the token, so that it is unambiguous. */
export function formatFull(amount: string, precision: number): string {
  const units = parseUnits(amount, precision)
  if (units === null) return amount
  const [quantity = ''] = formatQuantity(units, precision, '').split(' ')
  const [whole = '', part] = quantity.split('.')
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return part === undefined ? groups : `${groups}.${part}`
}

/** Parses an amount into units. @returns null when it is malformed or has more decimals than `precision` */
export function parseUnits(text: string, precision: number): bigint | null {
  const decimal = parseDecimal(text)
  if (decimal === null || decimal.decimals > precision) return null
  return decimal.units * 10n ** BigInt(precision - decimal.decimals)
}

/** `1.5` for 1500000 units with 6 decimals: no trailing zeros, no separators. */
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

/** Units and precision of a quantity such as `1.500000 USDC`. @returns null when it is malformed */
export function parseQuantity(text: string): { units: bigint; precision: number; symbol: string } | null {
  const found = /^(\d+)(?:\.(\d+))? ([A-Z]{1,7})$/.exec(text)
  if (found === null) return null
  const [, whole = '', part = '', symbol = ''] = found
  return { units: BigInt(whole + part), precision: part.length, symbol }
}

/** An amount in raw units of the source chain, split by the ledger's coarser unit. */
export interface Taken {
  /** Ledger units. */
  units: bigint
  /** Raw units of the source that are locked: a whole number of ledger units. */
  raw: bigint
  /** Raw units that are not taken, because the ledger has fewer decimals. */
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
