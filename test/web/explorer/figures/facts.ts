// What pages say about facts of the ledger, from the columns that the API gives.
import { grouped, percent, short, usd, when } from './format.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers and rows have every shape.
export type Json = any
export type Get = (path: string) => Promise<Json>

export interface Names {
  /** By pool id: symbols of A and B. */
  pools: Map<string, readonly [string, string]>
  /** By market id: symbols of what is traded and of what prices are in. */
  books: Map<string, readonly [string, string]>
  /** By domain: names of the chains of the bridge. */
  domains: Map<string, string>
}

export async function namesFrom(get: Get): Promise<Names> {
  const { pools } = await get('/api/v3/market/pools')
  const { orderbooks } = await get('/api/v3/market/orderbooks')
  const { sources, ledger } = await get('/api/bridge/v1/chains')
  return {
    pools: new Map(pools.map(({ id, tokenA, tokenB }: Json) => [String(id), [tokenA.symbol, tokenB.symbol]])),
    books: new Map(orderbooks.map(({ id, base, quote }: Json) => [String(id), [quote.symbol, base.symbol]])),
    domains: new Map([...sources, ledger].map(({ domain, name }: Json) => [String(domain), name])),
  }
}

/** Parts of a line; empty ones are left out. */
export const cells = (...parts: string[]) => parts.filter((part) => part !== '').join(' | ')

export function amount(exact: string, symbol = ''): string {
  return `‹${`${grouped(exact)} ${symbol}`.trim()}› ${short(exact)} ${symbol}`.trim()
}

export function dollars(value: number | string | null | undefined): string {
  if (value === null || value === undefined || value === '') return '‹The value in US dollars is not known.› –'
  return `‹$${plain(value)}› ${usd(value)}`
}

/** Percent in short, with the exact value as title. */
export function share(value: number | string | null | undefined): string {
  return value === null || value === undefined ? percent(null) : `‹${plain(value)}%› ${percent(value)}`
}

/** A number without an exponent, in groups. */
export function plain(value: number | string): string {
  const text = String(value)
  if (!text.includes('e')) return grouped(text)
  // As many digits as the number has.
  const [mantissa = '', exponent] = text.split('e')
  const digits = Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent))
  return grouped(Number(text).toFixed(digits))
}

export const transaction = (id: string) => `‹${id}› ${id.slice(0, 8)}…`

const unsigned = (text: string) => text.replace(/^-/, '')
const bridgeTransfer = (key: string | null) => (key ? ` ‹Time line of the bridge transfer› bridge transfer ${key}` : '')
const LABELS: Record<string, string> = {
  swaps: 'Swap',
  deals: 'Trade',
  transfers: 'Transfer',
  pool_creations: 'Pool created',
  deposits: 'Bridge deposit',
  withdrawals: 'Bridge withdrawal',
  gateway_credits: 'Deposit proved',
  claim_events: 'Bridge claim',
  hop_returns: 'Bridge way back',
  hops: 'Bridge journey',
  noops: 'CPU paid',
  undecoded_actions: 'Undecoded action',
}
const FARM_LABELS: Record<string, string> = { staked: 'Stake in farm', unstaked: 'Unstake from farm' }
const POSITION_LABELS: Record<string, string> = {
  mint: 'Add liquidity',
  burn: 'Remove liquidity',
  collect: 'Collect fees',
  transfer: 'Position transfer',
}

function labelOf({ dataset, row }: Json): string {
  if (dataset === 'order_events') return `Order ${row.type}`
  if (dataset === 'position_events') return POSITION_LABELS[row.type] ?? `Position ${row.type}`
  if (dataset === 'incentive_events') return FARM_LABELS[row.type] ?? `Farm ${row.type}`
  if (dataset === 'protocol_fees') return row.type === 'set' ? 'Protocol fee set' : 'Protocol fees paid'
  if (dataset === 'withdrawal_events') return `Withdrawal ${row.type}`
  if (dataset === 'deposit_events') return `Deposit ${row.type}`
  const name = dataset.replaceAll('_', ' ')
  return LABELS[dataset] ?? `${name[0].toUpperCase()}${name.slice(1)}`
}

/** An amount of smallest units. */
function units({ amount: raw, decimals, symbol }: Json): string {
  if (raw === null || decimals === null) return ''
  const digits = raw.padStart(Number(decimals) + 1, '0')
  const point = digits.length - Number(decimals)
  const fraction = digits.slice(point).replace(/0+$/, '')
  return `${amount(`${digits.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`, symbol ?? '')} `
}

function wordsOf({ dataset, row }: Json, { pools, books, domains }: Names): string {
  const [a = '', b = ''] = pools.get(row.pool_id) ?? []
  const [traded = '', priced = ''] = books.get(row.market_id) ?? []
  const pool = `‹Pool ${row.pool_id}› ${a}/${b}`
  const book = `‹Order book ${row.market_id}› ${traded}/${priced}`
  const place = (domain: string) => domains.get(domain) ?? `domain ${domain}`
  switch (dataset) {
    case 'swaps': {
      const paidA = !row.quantity_a.startsWith('-') && Number(row.quantity_a) !== 0
      const [paid, got] = paidA
        ? [amount(unsigned(row.quantity_a), a), amount(unsigned(row.quantity_b), b)]
        : [amount(unsigned(row.quantity_b), b), amount(unsigned(row.quantity_a), a)]
      const receiver = row.recipient === row.sender ? '' : ` for ${row.recipient}`
      return `${paid} → ${got} in ${pool} by ${row.sender}${receiver}`
    }
    case 'deals': {
      const [buyer, seller] = row.type === 'buymatch' ? [row.bidder, row.asker] : [row.asker, row.bidder]
      return `${amount(row.quantity_base, traded)} for ${amount(row.quantity_target, priced)} at ${amount(row.price)} in ${book} bought by ${buyer} sold by ${seller}`
    }
    case 'transfers':
      return `${amount(row.quantity, row.symbol)} from ${row.from_account} to ${row.to_account}`
    case 'order_events': {
      const offer =
        row.quantity_bid === null
          ? `${row.side} order ${row.order_id}`
          : row.side === 'buy'
            ? `buy ${amount(row.quantity_ask, row.ask_symbol)} for ${amount(row.quantity_bid, row.bid_symbol)} at ${amount(row.price)}`
            : `sell ${amount(row.quantity_bid, row.bid_symbol)} for ${amount(row.quantity_ask, row.ask_symbol)} at ${amount(row.price)}`
      return `${offer} in ${book} by ${row.account}`
    }
    case 'position_events': {
      const people = `of ${row.owner}${row.recipient && row.recipient !== row.owner ? ` to ${row.recipient}` : ''}`
      if (row.quantity_a === null) return `position ${row.position_id} in ${pool} ${people}`
      return `${amount(unsigned(row.quantity_a), a)} and ${amount(unsigned(row.quantity_b), b)} in ${pool} position ${row.position_id} ${people}`
    }
    case 'incentive_events':
      return farmWords(row, pool)
    case 'protocol_fees': {
      const part = (divisor: string) => (divisor === '0' ? 'none' : `1/${divisor}`)
      return row.type === 'set'
        ? `${part(row.fee_protocol_new)} of the fees in ${pool} it was ${part(row.fee_protocol_old)}`
        : `${amount(row.quantity_a, a)} and ${amount(row.quantity_b, b)} in ${pool} to ${row.recipient}`
    }
    case 'noops':
      return `by ${row.account}`
    case 'undecoded_actions':
      return `${row.name} of ${row.account} ${row.reason}`
    case 'gateway_credits':
      return `from ${place(row.domain)}${row.relayer ? ` by ${row.relayer}` : ''}${bridgeTransfer(row.key)}`
    case 'hop_returns':
      return `sent back${bridgeTransfer(row.withdrawal_key)}`
    case 'pool_creations':
      return pool
    case 'deposits':
      return `${amount(row.quantity ?? '', row.token_symbol ?? '')} from ${row.sender} for ${row.beneficiary}${bridgeTransfer(row.key)}`
    case 'withdrawals':
      return `${units(row)}to ${place(row.domain)}${row.sender ? ` by ${row.sender}` : ''}${bridgeTransfer(`w:${row.id}`)}`
    case 'withdrawal_events':
      return `${amount(row.quantity ?? '', row.symbol ?? '')}${row.account ? ` of ${row.account}` : ''}${bridgeTransfer(row.key)}`
    case 'deposit_events':
      return `${amount(row.quantity ?? '', row.symbol ?? '')} from ${place(row.domain)}${row.account ? ` for ${row.account}` : ''}${bridgeTransfer(row.key)}`
    case 'hops':
      return `${units(row)}from ${place(row.src_domain)} sent on to ${row.recipient} on ${place(row.dst_domain)}${bridgeTransfer(`w:${row.withdrawal_id}`)}`
    case 'claim_events':
      return `${row.symbol} by ${row.owner} bridge transfers of ${row.owner}`
    default:
      throw new Error(`no words are known for facts of ${dataset}`)
  }
}

function farmWords(
  { type, incentive_id: id, account, token_id: token, quantity, position_id: position }: Json,
  pool: string,
) {
  const symbol = (token ?? '').split('-')[0].toUpperCase()
  const by = account ? ` by ${account}` : ''
  if (type === 'created') return `farm ${id} in ${pool} that pays ${symbol}${by}`
  if (type === 'funded') return `${amount(quantity, symbol)} for farm ${id}`
  if (type === 'paid') return `${amount(quantity, symbol)} to ${account} from farm ${id}`
  return `position ${position} farm ${id}${by}`
}

function parts(fact: Json, names: Names) {
  const { row } = fact
  return {
    label: labelOf(fact),
    words: `${wordsOf(fact, names)}${row.memo ? ` ${row.memo.replace(/\s+/g, ' ').trim()}` : ''}`,
    value: row.usd === null || row.usd === undefined ? '' : dollars(row.usd),
  }
}

/** A row of a table of facts. @param now  the page's clock; null: no column of times */
export function factRow(fact: Json, names: Names, now: number | null): string {
  const { label, words, value } = parts(fact, names)
  const kind = fact.final ? label : `${label} not final`
  return cells(now === null ? '' : when(fact.time, now), kind, words, value, transaction(fact.transaction))
}

/** A fact on the page of its transaction: with every column of its row. */
export function factDetails(fact: Json, names: Names): string {
  const { label, words, value } = parts(fact, names)
  const columns = columnsOf(fact).map(([name, exact]) => `${name} | ${grouped(exact).replace(/\s+/g, ' ').trim()}`)
  const line = `${label} ${words} ${value}`.trim()
  return `${line} ${fact.dataset}, sequence ${fact.sequence} ${cells(...columns)}`
}

/** Columns that have a value, with the exact text that their buttons copy. */
export function columnsOf({ row }: Json): [name: string, exact: string][] {
  return Object.entries(row)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)])
}
