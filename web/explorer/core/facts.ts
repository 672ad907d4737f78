// Facts of the ledger in words. Pure. A text part is shown as it is; other parts become links and amounts.

import { formatUnits } from '../../shared/amounts.ts'

export type Part =
  | string
  | { account: string }
  | { pool: string }
  | { market: string }
  /** Key of a bridge transfer. */
  | { transfer: string }
  /** A chain of the bridge, by its domain. */
  | { domain: string }
  /** Account whose bridge transfers are meant. */
  | { transfersOf: string }
  | { amount: string; symbol?: string; token?: string }
  /** In the token of a side of the fact's pool or market. */
  | { amount: string; side: Side }
  | { quiet: string }

export type Side = 'A' | 'B' | 'base' | 'target'

export interface FactView {
  /** `Swap`, `Transfer`. */
  label: string
  /** Colour of the label. */
  tone: 'trade' | 'transfer' | 'liquidity' | 'order' | 'bridge' | 'plain'
  parts: Part[]
  /** Text written by the sender. */
  memo: string | null
  /** USD, decimal text; null when not known. */
  usd: string | null
}

type Row = Record<string, unknown>
type Maker = (row: Row) => Omit<FactView, 'memo' | 'usd'>

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))
/** A decimal text without its sign. */
const size = (value: unknown) => text(value).replace(/^-/, '')
const isPositive = (value: unknown) => !text(value).startsWith('-') && Number(text(value)) !== 0
const WORDS: Record<string, string> = {
  mint: 'Add liquidity',
  burn: 'Remove liquidity',
  collect: 'Collect fees',
  transfer: 'Position transfer',
}

/** What an order offers and asks. The log of its end has neither: then its id. */
function offerOf(row: Row): Part[] {
  if (text(row.quantity_bid) === '') return [`${text(row.side)} order ${text(row.order_id)}`]
  const offered = { amount: text(row.quantity_bid), symbol: text(row.bid_symbol) }
  const asked = { amount: text(row.quantity_ask), symbol: text(row.ask_symbol) }
  // A buyer offers the token that prices are in.
  const words = row.side === 'buy' ? ['buy', asked, 'for', offered] : [text(row.side), offered, 'for', asked]
  return [...words, 'at', { amount: text(row.price) }]
}

const MAKERS: Record<string, Maker> = {
  transfers: (row) => ({
    label: 'Transfer',
    tone: 'transfer',
    parts: [
      { amount: text(row.quantity), symbol: text(row.symbol), token: text(row.token_id) },
      'from',
      { account: text(row.from_account) },
      'to',
      { account: text(row.to_account) },
    ],
  }),
  swaps: (row) => {
    const isAIn = isPositive(row.quantity_a)
    const [paid, got] = isAIn ? [row.quantity_a, row.quantity_b] : [row.quantity_b, row.quantity_a]
    const receiver = row.recipient === row.sender ? [] : ['for', { account: text(row.recipient) }]
    return {
      label: 'Swap',
      tone: 'trade',
      parts: [
        { amount: size(paid), side: isAIn ? 'A' : 'B' },
        '→',
        { amount: size(got), side: isAIn ? 'B' : 'A' },
        'in',
        { pool: text(row.pool_id) },
        'by',
        { account: text(row.sender) },
        ...receiver,
      ],
    }
  },
  deals: (row) => ({
    label: 'Trade',
    tone: 'trade',
    parts: [
      { amount: text(row.quantity_base), side: 'base' },
      'for',
      { amount: text(row.quantity_target), side: 'target' },
      'at',
      { amount: text(row.price) },
      'in',
      { market: text(row.market_id) },
      // The log names the account of the order that took first, whichever side it is on.
      { quiet: 'bought by' },
      { account: text(row.type === 'sellmatch' ? row.asker : row.bidder) },
      { quiet: 'sold by' },
      { account: text(row.type === 'sellmatch' ? row.bidder : row.asker) },
    ],
  }),
  order_events: (row) => ({
    label: `Order ${text(row.type)}`,
    tone: 'order',
    parts: [...offerOf(row), 'in', { market: text(row.market_id) }, 'by', { account: text(row.account) }],
  }),
  position_events: (row) => ({
    label: WORDS[text(row.type)] ?? `Position ${text(row.type)}`,
    tone: 'liquidity',
    // A position that changes its owner, or is locked, moves no amounts.
    parts:
      row.quantity_a == null
        ? [
            `position ${text(row.position_id)}`,
            'in',
            { pool: text(row.pool_id) },
            'of',
            { account: text(row.owner) },
            ...receiverOf(row),
          ]
        : [
            { amount: size(row.quantity_a), side: 'A' },
            'and',
            { amount: size(row.quantity_b), side: 'B' },
            'in',
            { pool: text(row.pool_id) },
            `position ${text(row.position_id)}`,
            'of',
            { account: text(row.owner) },
            ...receiverOf(row),
          ],
  }),
  incentive_events: farmView,
  protocol_fees: (row) =>
    row.type === 'set'
      ? {
          label: 'Protocol fee set',
          tone: 'liquidity',
          parts: [
            `${protocolShare(row.fee_protocol_new)} of the fees`,
            'in',
            { pool: text(row.pool_id) },
            { quiet: `it was ${protocolShare(row.fee_protocol_old)}` },
          ],
        }
      : {
          label: 'Protocol fees paid',
          tone: 'liquidity',
          parts: [
            { amount: size(row.quantity_a), side: 'A' },
            'and',
            { amount: size(row.quantity_b), side: 'B' },
            'in',
            { pool: text(row.pool_id) },
            'to',
            { account: text(row.recipient) },
          ],
        },
  noops: (row) => ({ label: 'CPU paid', tone: 'plain', parts: ['by', { account: text(row.account) }] }),
  undecoded_actions: (row) => ({
    label: 'Undecoded action',
    tone: 'plain',
    parts: [text(row.name), 'of', { account: text(row.account) }, { quiet: text(row.reason) }],
  }),
  pool_creations: (row) => ({ label: 'Pool created', tone: 'liquidity', parts: [{ pool: text(row.pool_id) }] }),
  deposits: (row) => ({
    label: 'Bridge deposit',
    tone: 'bridge',
    parts: [
      { amount: text(row.quantity), symbol: text(row.token_symbol) },
      'from',
      { account: text(row.sender) },
      'for',
      { account: text(row.beneficiary) },
      ...transferPart(row.key),
    ],
  }),
  withdrawals: (row) => ({
    label: 'Bridge withdrawal',
    tone: 'bridge',
    parts: [
      ...rawAmount(row),
      ...domainPart('to', row.domain),
      ...(text(row.sender) === '' ? [] : ['by', { account: text(row.sender) }]),
      ...transferPart(`w:${text(row.id)}`),
    ],
  }),
  withdrawal_events: (row) => ({
    label: `Withdrawal ${text(row.type)}`,
    tone: 'bridge',
    parts: [
      { amount: text(row.quantity), symbol: text(row.symbol) },
      ...(text(row.account) === '' ? [] : ['of', { account: text(row.account) }]),
      ...transferPart(row.key),
    ],
  }),
  deposit_events: (row) => ({
    label: `Deposit ${text(row.type)}`,
    tone: 'bridge',
    parts: [
      { amount: text(row.quantity), symbol: text(row.symbol) },
      ...domainPart('from', row.domain),
      ...(text(row.account) === '' ? [] : ['for', { account: text(row.account) }]),
      ...transferPart(row.key),
    ],
  }),
  gateway_credits: (row) => ({
    label: 'Deposit proved',
    tone: 'bridge',
    parts: [
      ...domainPart('from', row.domain),
      ...(text(row.relayer) === '' ? [] : ['by', { account: text(row.relayer) }]),
      ...transferPart(row.key),
    ],
  }),
  // A claim collects all credits of a token, so it belongs to no single transfer.
  claim_events: (row) => ({
    label: 'Bridge claim',
    tone: 'bridge',
    parts: [text(row.symbol), 'by', { account: text(row.owner) }, { transfersOf: text(row.owner) }],
  }),
  hop_returns: (row) => ({
    label: 'Bridge way back',
    tone: 'bridge',
    parts: ['sent back', ...transferPart(row.withdrawal_key)],
  }),
  hops: (row) => ({
    label: 'Bridge journey',
    tone: 'bridge',
    parts: [
      ...rawAmount(row),
      ...domainPart('from', row.src_domain),
      ...['sent on to', text(row.recipient)],
      ...domainPart('on', row.dst_domain),
      ...transferPart(`w:${text(row.withdrawal_id)}`),
    ],
  }),
}

/** Who gets the position or its fees, unless it is the owner. */
function receiverOf({ owner, recipient }: Row): Part[] {
  return text(recipient) === '' || recipient === owner ? [] : ['to', { account: text(recipient) }]
}

/** @param divisor  of the fee; 0 for none */
const protocolShare = (divisor: unknown) => (Number(divisor) === 0 ? 'none' : `1/${text(divisor)}`)

const FARM_LABELS: Record<string, string> = { staked: 'Stake in farm', unstaked: 'Unstake from farm' }

function farmView(row: Row): ReturnType<Maker> {
  const [type, farm, token] = [text(row.type), `farm ${text(row.incentive_id)}`, text(row.token_id)]
  const symbol = token.slice(0, Math.max(0, token.indexOf('-'))).toUpperCase()
  const reward = { amount: text(row.quantity), symbol, token }
  const account = text(row.account) === '' ? [] : [{ account: text(row.account) }]
  const by = account.length === 0 ? [] : ['by', ...account]
  const parts: Record<string, Part[]> = {
    created: [farm, 'in', { pool: text(row.pool_id) }, `that pays ${symbol}`, ...by],
    funded: [reward, 'for', farm],
    paid: [reward, 'to', ...account, 'from', farm],
  }
  return {
    label: FARM_LABELS[type] ?? `Farm ${type}`,
    tone: 'liquidity',
    parts: parts[type] ?? [`position ${text(row.position_id)}`, farm, ...by],
  }
}

/** The amount of a row in raw units; nothing where its decimals are unknown. */
function rawAmount({ amount, decimals, symbol }: Row): Part[] {
  if (!/^\d+$/.test(text(amount)) || !/^\d{1,2}$/.test(text(decimals))) return []
  return [{ amount: formatUnits(BigInt(text(amount)), Number(text(decimals))), symbol: text(symbol) }]
}

/** The chain at the other end, unless the row has none. */
function domainPart(word: string, domain: unknown): Part[] {
  return text(domain) === '' ? [] : [word, { domain: text(domain) }]
}

/** A link to the transfer, unless the key is unknown. */
function transferPart(key: unknown): Part[] {
  return text(key) === '' ? [] : [{ transfer: text(key) }]
}

/** Keys of the bridge transfers that facts belong to, each once. */
export function transfersOf(facts: readonly { dataset: string; row: Row }[]): string[] {
  const parts = facts.flatMap((fact) => factView(fact).parts)
  return [...new Set(parts.flatMap((part) => (typeof part === 'object' && 'transfer' in part ? [part.transfer] : [])))]
}

/** A fact in words. A dataset without words of its own gets its name and the accounts of its row. */
export function factView({ dataset, row }: { dataset: string; row: Row }): FactView {
  const view = MAKERS[dataset]?.(row) ?? otherView(dataset, row)
  return {
    ...view,
    memo: row.memo === null || row.memo === undefined || row.memo === '' ? null : text(row.memo),
    usd: row.usd === null || row.usd === undefined ? null : text(row.usd),
  }
}

function otherView(dataset: string, row: Row): Omit<FactView, 'memo' | 'usd'> {
  const name = dataset.replaceAll('_', ' ')
  const accounts = ['account', 'owner', 'sender'].flatMap((column) =>
    typeof row[column] === 'string' && row[column] !== '' ? [{ account: text(row[column]) }] : [],
  )
  const amount = typeof row.quantity === 'string' ? [{ amount: row.quantity, symbol: text(row.symbol) }] : []
  return { label: `${name.charAt(0).toUpperCase()}${name.slice(1)}`, tone: 'plain', parts: [...amount, ...accounts] }
}
