// Reads requests of the Hyperion API: which transfers are wanted. Everything else is refused.
import type { ChainConfig } from '../../config/schema.ts'
import { HyperionRefusal } from './refusal.ts'

/** Transfers that a request wants. */
export interface TransferFilter {
  /** Account that sent or received, or whose contract the token is of. */
  account: string | null
  from: string | null
  to: string | null
  /** Null: all contracts. */
  contracts: readonly string[] | null
  symbol: string | null
}

export interface TransferRequest extends TransferFilter {
  skip: number
  limit: number
  sort: 'asc' | 'desc'
  /** ISO time or block number, inclusive; undefined without a bound. */
  after?: string
  before?: string
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Parameters without an influence on which rows are answered. */
const IGNORED = new Set(['noBinary', 'hot_only', 'hot', 'checkLib', 'track', 'noCache', 'simple'])
const RANGE = ['skip', 'limit', 'sort', 'after', 'before']
const OF_ACTIONS = new Set([
  'account',
  'filter',
  'act.account',
  'act.name',
  'transfer.from',
  'transfer.to',
  'transfer.symbol',
  ...RANGE,
])
const OF_TRANSFERS = new Set(['from', 'to', 'symbol', 'contract', ...RANGE])

export const LIMITS = { limit: 10, limitMost: 1000, reach: 10_000 } as const
const ACCOUNT = /^[a-z1-5.]{1,12}[a-j1-5.]?$/
const MOMENT = /^(\d{1,10}|\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?)$/

/** `/v2/history/get_actions`. @throws HyperionRefusal */
export function actionsRequest(query: Query, config: ChainConfig): TransferRequest {
  refuseUnknown(query, OF_ACTIONS)
  const contracts = new Set<string>()
  let isAll = false
  const filters = textOf(query.filter)?.split(',') ?? []
  for (const filter of filters) {
    const [contract = '', name = ''] = filter.split(':')
    if (name !== 'transfer') throw notTransfer(filter)
    if (contract === '*') isAll = true
    else contracts.add(accountOf(contract, 'filter'))
  }
  const name = textOf(query['act.name'])
  if (filters.length === 0 && name === undefined) throw notTransfer('all actions')
  if (name !== undefined && name !== 'transfer') throw notTransfer(name)
  const contract = optionalAccount(query['act.account'], 'act.account')
  const all = filters.length === 0 || isAll ? null : [...contracts]
  return checked(
    {
      account: optionalAccount(query.account, 'account'),
      from: optionalAccount(query['transfer.from'], 'transfer.from'),
      to: optionalAccount(query['transfer.to'], 'transfer.to'),
      contracts: contract === null ? all : all === null || all.includes(contract) ? [contract] : [],
      symbol: textOf(query['transfer.symbol']) ?? null,
      ...rangeOf(query),
    },
    config,
  )
}

/** `/v2/history/get_transfers`. @throws HyperionRefusal */
export function transfersRequest(query: Query, config: ChainConfig): TransferRequest {
  refuseUnknown(query, OF_TRANSFERS)
  const contract = optionalAccount(query.contract, 'contract')
  return checked(
    {
      account: null,
      from: optionalAccount(query.from, 'from'),
      to: optionalAccount(query.to, 'to'),
      contracts: contract === null ? null : [contract],
      symbol: textOf(query.symbol) ?? null,
      ...rangeOf(query),
    },
    config,
  )
}

function checked(request: TransferRequest, config: ChainConfig): TransferRequest {
  const { account, from, to, contracts } = request
  if (account === null && from === null && to === null && contracts === null)
    throw new HyperionRefusal('unbounded', 'name an account, a sender, a receiver or a token contract')
  for (const contract of contracts ?? []) checkContract(contract, config)
  return request
}

/** @throws HyperionRefusal 404 when the transfers of a contract are not indexed */
function checkContract(contract: string, { tokens }: ChainConfig): void {
  if (tokens.contracts !== '*' && !tokens.contracts.includes(contract))
    throw new HyperionRefusal(
      'contract',
      `transfers of ${contract} are not indexed: this service indexes ${tokens.contracts.join(', ')}`,
      404,
    )
}

/** Refuses a parameter that this call does not follow. @throws HyperionRefusal */
export function refuseUnknown(query: Query, known: ReadonlySet<string>): void {
  const unknown = Object.keys(query).find((name) => !known.has(name) && !IGNORED.has(name))
  if (String(query.simple) === 'true')
    throw new HyperionRefusal('parameter', 'simple: answers have one form here; ask without it')
  if (unknown !== undefined)
    throw new HyperionRefusal(
      'parameter',
      `${unknown} is not supported here: leave it out, or ask a node with full history`,
    )
}

function rangeOf({ skip, limit, sort, after, before }: Query) {
  const range = { skip: wholeOf(skip, 'skip') ?? 0, limit: wholeOf(limit, 'limit') ?? LIMITS.limit }
  if (range.limit > LIMITS.limitMost) throw new HyperionRefusal('parameter', `limit is at most ${LIMITS.limitMost}`)
  if (range.skip + range.limit > LIMITS.reach)
    throw new HyperionRefusal('depth', `skip and limit reach ${LIMITS.reach} rows: continue with before or after`)
  const order = textOf(sort)?.toLowerCase() ?? 'desc'
  if (!['asc', 'desc', '1', '-1'].includes(order)) throw new HyperionRefusal('parameter', 'sort is asc or desc')
  return {
    ...range,
    sort: order === 'asc' || order === '1' ? ('asc' as const) : ('desc' as const),
    after: momentOf(after, 'after'),
    before: momentOf(before, 'before'),
  }
}

function momentOf(value: Query[string], name: string): string | undefined {
  const text = textOf(value)
  if (text === undefined) return undefined
  const isTime = MOMENT.test(text) && (/^\d+$/.test(text) || !Number.isNaN(Date.parse(text)))
  if (!isTime) throw new HyperionRefusal('parameter', `${name} is a time in ISO 8601 or the number of a block`)
  if (/^\d+$/.test(text)) return text
  const year = new Date(text).getUTCFullYear()
  if (year < 1970 || year > 9999) throw new HyperionRefusal('parameter', `${name} is of the years 1970 to 9999`)
  // Hyperion's times are UTC without a zone.
  return /(Z|[+-]\d\d:?\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`
}

function wholeOf(value: Query[string], name: string): number | undefined {
  const text = textOf(value)
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new HyperionRefusal('parameter', `${name} is a whole number`)
  return Number(text)
}

function optionalAccount(value: Query[string], name: string): string | null {
  const text = textOf(value)
  return text === undefined ? null : accountOf(text, name)
}

/** @throws HyperionRefusal */
export function accountOf(text: string, name: string): string {
  if (!ACCOUNT.test(text))
    throw new HyperionRefusal('parameter', `${name} must be an account name: 1 to 13 of a-z, 1-5 and dots`)
  return text
}

function textOf(value: Query[string]): string | undefined {
  return value === undefined || value === '' ? undefined : String(value)
}

function notTransfer(what: string): HyperionRefusal {
  return new HyperionRefusal(
    'action',
    `${what}: this server answers transfers of tokens only. Add filter=*:transfer or filter=CONTRACT:transfer; other facts are at /api/v3/explore`,
  )
}
