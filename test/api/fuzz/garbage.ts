// Random invalid and nearly valid values for every parameter of a described endpoint.
import type { Random } from '../../support/random.ts'

/** A parameter as in the API description. */
export interface Parameter {
  name: string
  description?: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  schema?: ParameterSchema
}

interface ParameterSchema {
  type?: string
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  anyOf?: ParameterSchema[]
}

/** Existing values in the test's database, by kind of parameter. */
export interface Known {
  tokens: readonly string[]
  tickers: readonly string[]
  accounts: readonly string[]
  pools: readonly number[]
  transactions: readonly string[]
  /** Keys of legs of the bridge. */
  legs: readonly string[]
  /** Unix milliseconds of the chain's last block. */
  now: number
}

const NUMBERS = [
  ...['0', '-0', '1', '-1', '2', '50', '200', '1000', '4999', '5000', '5001', '10000', '10001', '0.5', '-0.5', '1.5'],
  ...['1e3', '1E3', '1e-7', '1e21', '1e308', '1e309', '-1e309', '5e-324', '4294967295', '4294967296', '2147483648'],
  ...['9007199254740991', '9007199254740992', '9223372036854775807', '9223372036854775808', '18446744073709551616'],
  ...['8640000000000000', '8640000000000001', '-8640000000000000', '253402300800000', '-62135596800001', '0x10', '0b1'],
  ...[
    'NaN',
    'nan',
    'Infinity',
    '-Infinity',
    '+1',
    ' 1',
    '1 ',
    '1,000',
    '01',
    '1n',
    '١',
    '1_000',
    '.5',
    '5.',
    '--1',
    '1e',
  ],
]

const TEXTS = [
  ...['', ' ', '.', '..', '../../etc/passwd', '/', '\\', '%', '%00', '%zz', '\u0000', '\u0001', '\n', '\r\nx: y', '\t'],
  ...['null', 'undefined', 'true', 'false', '[]', '{}', '[object Object]', '__proto__', 'constructor', 'toString'],
  ...["'", '"', "' or 1=1 --", '"; drop table ledger.swaps; --', '$1', '#{x}', '{{7*7}}', '<script>alert(1)</script>'],
  ...['é', 'İ', 'ß', '名', '\u{1f480}', '\u202e', '\ufeff', '\ud800', '\udfff', 'a\u0300', '\uffff', '☃_☃'],
  ...['_', '__', '-', '_-_', '-_-', 'a_b', 'a-b_c-d', '-eosio.token', 'wax-', 'wax-eosio.token_', '_wax-eosio.token'],
  ...['.............', 'zzzzzzzzzzzzz', '1111111111111', 'zzzzzzzzzzzzj', 'ABC', 'eosio.token@active', 'a'.repeat(13)],
  ...[
    'a'.repeat(255),
    'a'.repeat(256),
    'a'.repeat(257),
    'a_'.repeat(300),
    '9'.repeat(400),
    '%25'.repeat(200),
    'é'.repeat(900),
  ],
  ...['0-0', '1-1', '999999999999999-9223372036854775808', '1773826877500-100000', '-1--1', '1-', '8640000000000001-1'],
  ...[
    '2026-03-18',
    '2026-03-18T09:41:17.500Z',
    'now',
    'infinity',
    '-infinity',
    '1D',
    '1W',
    '1M',
    '1d',
    '3',
    '1440',
    '60m',
  ],
]

/** Maximum of parameters that are block numbers, whatever their names. */
const MAX_BLOCK = 2 ** 32

const KINDS: [name: RegExp, from: keyof Omit<Known, 'now'>][] = [
  [/token|base|target|asset|currency|quote|^input$|^output$/i, 'tokens'],
  [/ticker|symbol|pair|market|query/i, 'tickers'],
  [/account|owner|actor|wallet|receiver|permission/i, 'accounts'],
  [/pool|position/i, 'pools'],
  [/^key$/i, 'legs'],
  [/trx|hash|^tx$/i, 'transactions'],
]

/**
 * A value for a parameter: valid, nearly valid, or arbitrary.
 *
 * @param share  probability of a valid value, 0 to 1
 */
export function valueFor(random: Random, parameter: Parameter, known: Known, share: number): string {
  const kind = random.next()
  if (kind < share) return plausible(random, parameter, known)
  if (kind < (1 + share) / 2 - 0.1) return bent(random, plausible(random, parameter, known))
  return random.pick(random.chance(0.5) ? NUMBERS : TEXTS)
}

function plausible(random: Random, { name, description, schema = {} }: Parameter, known: Known): string {
  if (schema.enum !== undefined) return String(random.pick(schema.enum))
  if (schema.anyOf !== undefined)
    return plausible(random, { name, in: 'query', schema: random.pick(schema.anyOf) }, known)
  if (schema.const !== undefined) return String(schema.const)
  if (schema.maximum === MAX_BLOCK) return String(random.integer(0, 100))
  // A block may be given by its id or its number.
  const hasChoice = schema.pattern?.includes('|') === true
  if (schema.pattern?.includes('{64}') && !hasChoice) return String(random.pick(known.transactions))
  if (description?.includes('64 hexadecimal digits') && !hasChoice) return random.pick(known.transactions)
  if (name === 'filter') return '*:transfer'
  if (name === 'act.name') return 'transfer'
  if (name === 'table') return random.pick(['swaps', 'blocks', 'transfers', 'deals'])
  if (schema.type === 'boolean') return random.pick(['true', 'false', '1', '0', 'TRUE'])
  if (/^(from|to|start_time|end_time|time|before|after)$/i.test(name)) {
    const at = known.now - random.integer(-2, 120) * 43_200_000 + random.integer(0, 1000)
    return String(random.chance(0.5) ? at : Math.floor(at / 1000))
  }
  if (/resolution/i.test(name)) return random.pick(['1', '5', '15', '30', '60', '240', '1D', '1W', '1M', 'D', 'W', 'M'])
  if (name === 'amount') return (10 ** random.integer(-4, 6)).toFixed(random.integer(0, 8))
  if (name === 'impact') return random.pick(['0.5', '1,2', '0.5,1,2,5', '100,0', '3,2,1,0.1,50'])
  if (name === 'id') return String(random.pick<string | number>(random.pick([known.pools, known.tokens])))
  // The domain of an EVM chain of the bridge.
  if (name === 'domain') return '1'
  if (name === 'marketId') return String(random.pick(known.pools))
  if (name === 'status') return random.pick(['seen', 'provable', 'burned', 'released,credited', 'parked'])
  if (name === 'slippage') return random.pick(['0', '0.3', '1', '12.5', '99.99'])
  if (name === 'maxHops') return String(random.integer(1, 3))
  if (/block/i.test(name)) return String(random.integer(0, random.chance(0.7) ? 100 : 18_000_000))
  const match = KINDS.find(([pattern]) => pattern.test(name))
  if (match !== undefined) return String(random.pick<string | number>(known[match[1]]))
  if (schema.type === 'integer' || schema.type === 'number') return String(random.integer(0, 600))
  return random.pick([...known.tokens, ...known.tickers, ...known.accounts])
}

/** A valid value with one small error. */
function bent(random: Random, text: string): string {
  const at = random.integer(0, text.length)
  const change = random.pick(['cut', 'double', 'insert', 'upper', 'swap', 'digits'] as const)
  if (change === 'cut') return text.slice(0, at)
  if (change === 'double') return text + text
  if (change === 'upper') return text.toUpperCase()
  if (change === 'swap') return [...text].reverse().join('')
  if (change === 'digits') return text.replace(/\d/g, () => String(random.integer(0, 9)))
  return text.slice(0, at) + random.pick(TEXTS) + text.slice(at)
}

/** Escapes as browsers do, or as careless clients do: only characters that would end the request line. */
export function escaped(random: Random, text: string): string {
  if (random.chance(0.85)) {
    try {
      return encodeURIComponent(text)
    } catch {
      // Half of a surrogate pair is not encodable: it is sent as bytes that are not UTF-8.
    }
  }
  return text.replace(/[^\x21-\x7e]/gu, (one) => `%${(one.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`)
}

export const HOSTS = [
  ...['wax.localhost:7700', 'WAX.localhost', 'wax.localhost.', 'telos.localhost', 'telos.anything.example'],
  ...['localhost', 'nowhere.localhost', '127.0.0.1', '[::1]:80', '[', ']', ':', '.', '..', '', 'wax', '__proto__.x'],
  ...[
    'wax.localhost:99999',
    'wax..localhost',
    'a'.repeat(300),
    'xn--wx-uia.localhost',
    'constructor',
    'wax.localhost, b',
  ],
]

export const HEADERS: [name: string, values: readonly string[]][] = [
  ['if-none-match', ['*', '""', 'W/', 'W/"1-0"', ',,,', '"', 'x'.repeat(500), 'W/"99000000-5e5e5e5e5e5e5e5e"']],
  ['if-modified-since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday', '']],
  ['accept', ['application/json', 'text/html', '*/*;q=0', 'nonsense', '']],
  ['accept-encoding', ['gzip', 'br', 'gzip;q=0', 'identity;q=0', '*;q=0', ';;;', 'deflate, zstd', 'br;q=abc, gzip']],
  ['accept-language', ['de', '*', 'x'.repeat(200)]],
  ['range', ['bytes=0-1', 'bytes=-', 'items=0-9']],
  ['origin', ['https://example.org', 'null', 'x']],
  ['x-forwarded-for', ['1.2.3.4', 'x', '::1, ::2']],
  ['x-forwarded-host', ['telos.localhost', 'evil.example']],
  ['content-type', ['application/json', 'text/plain', 'multipart/form-data', 'x']],
  ['cookie', ['a=b', '=;=', 'x'.repeat(1000)]],
  ['x-request-id', ['1', 'x'.repeat(1000)]],
]
