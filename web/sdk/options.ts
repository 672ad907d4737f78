// Options of `SvcBridge`, and the widget's URL that follows from them. No DOM: works on a server too.
import { CHAINS, EVM_CHAINS } from './chains.ts'

/** Aliases of the main EVM chain. */
const MAIN_ALIASES = ['ethereum', '1']
const ACCOUNT = /^[a-z1-5.]{0,11}[a-z1-5]$/
const ADDRESS = /^0x[0-9a-f]{40}$/i
const TOKENS = ['USDC', 'USDT', 'ETH', 'BNB', 'POL', 'WAX', 'XPR', 'A']
const CALLBACKS = ['onReady', 'onSent', 'onFailed', 'onFinished', 'onClose'] as const
const OPTIONS = ['to', 'recipient', 'from', 'token', 'amount', 'partner', 'origin', 'theme'].concat(CALLBACKS)
const MAX_LENGTH = 128

export type Callback = (typeof CALLBACKS)[number]

export interface Options extends Partial<Record<Callback, (data: unknown) => void>> {
  /** Destination: `wax`, `telos`, `mainnet`, ... */
  to: string
  /** Receiving account or address; the user cannot change it. */
  recipient?: string
  from?: string
  token?: string
  /** Token units. */
  amount?: string | number
  /** Identifies the referring site, for attribution. */
  partner?: string
  /** Origin of the widget; default: the script's own. */
  origin?: string
  theme?: 'light' | 'dark'
}

export interface Place {
  origin: string
  address: string
}

/**
 * @param own   origin of the script; null when unknown
 * @param mode  `inline` hides the widget's close button
 * @throws TypeError that names the option, before anything is shown
 */
export function placeOf(options: Options, own: string | null, mode?: 'inline'): Place {
  if (typeof options !== 'object' || options === null) throw problem('options', 'must be an object')
  for (const name of Object.keys(options))
    if (OPTIONS.indexOf(name) < 0) throw problem(name, `is no option; there are ${OPTIONS.join(', ')}`)
  for (const name of CALLBACKS)
    if (options[name] != null && typeof options[name] !== 'function') throw problem(name, 'must be a function')
  const origin = originOf(options.origin, own)
  const query = new URLSearchParams()
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined) query.append(name, value)
  }
  const to = chain('to', options.to)
  if (to === undefined) throw problem('to', `is required: one of ${CHAINS.join(', ')}`)
  add('to', to)
  add('recipient', recipient(to, options.recipient))
  add('token', token(options.token))
  add('partner', text('partner', options.partner))
  const from = chain('from', options.from)
  if (from === to) throw problem('from', 'is the destination')
  add('from', from)
  add('amount', amount(options.amount))
  if (options.theme != null && options.theme !== 'light' && options.theme !== 'dark')
    throw problem('theme', 'must be light or dark')
  add('theme', options.theme ?? undefined)
  add('mode', mode)
  return { origin, address: `${origin}/embed/bridge?${query}` }
}

function originOf(given: unknown, own: string | null): string {
  if (given == null) {
    if (own === null) throw problem('origin', 'is needed: the script does not know where it came from')
    return own
  }
  try {
    const { protocol, origin } = new URL(given as string)
    if (protocol === 'https:' || protocol === 'http:') return origin
  } catch {}
  throw problem('origin', 'must be an address such as https://example.org')
}

/** Null and undefined count as absent; an empty text is an error like any other. */
function chain(name: string, value: unknown): string | undefined {
  if (value == null) return undefined
  const id = MAIN_ALIASES.indexOf(asText(value)) < 0 ? value : 'mainnet'
  if (CHAINS.indexOf(id as string) < 0) throw problem(name, `must be one of ${CHAINS.join(', ')}`)
  return id as string
}

function token(value: unknown): string | undefined {
  if (value == null) return undefined
  const symbol = asText(value).toUpperCase()
  if (TOKENS.indexOf(symbol) < 0) throw problem('token', `must be one of ${TOKENS.join(', ')}`)
  return symbol
}

function recipient(to: string, value: unknown): string | undefined {
  if (value == null) return undefined
  const isEvm = EVM_CHAINS.indexOf(to) >= 0
  if (typeof value === 'string' && (isEvm ? ADDRESS : ACCOUNT).test(value)) return value
  throw problem('recipient', isEvm ? `must be an address on ${to}: 0x and 40 digits` : `must be an account on ${to}`)
}

function text(name: string, value: unknown): string | undefined {
  if (value == null) return undefined
  if (typeof value !== 'string' || value === '' || value.length > MAX_LENGTH)
    throw problem(name, `must be a text of 1 to ${MAX_LENGTH} characters`)
  return value
}

function amount(value: unknown): string | undefined {
  if (value == null) return undefined
  const digits = asText(value)
  if (!/^\d{1,30}(\.\d{1,18})?$/.test(digits)) throw problem('amount', 'must be a decimal number such as "1.5"')
  return digits
}

/** A text or number as text; empty for any other type. */
function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function problem(option: string, what: string): TypeError {
  return new TypeError(`SvcBridge: ${option} ${what}`)
}
