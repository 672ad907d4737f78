// The expected ledger of a recording, built from the actions as wharfkit decodes them.
import type { OracleAction } from './actions.ts'
import type { Plain, RecordedBlock } from './frames.ts'
import type { TextRow } from './text-rows.ts'

export interface Profile {
  amm: string
  spot: string
  bridge: string
  hop: string
}

/** Rows by ledger table, in the order of the chain. */
export type ExpectedLedger = Map<string, TextRow[]>

/** Tables that `expectedLedger` covers completely. */
export const EXPECTED_TABLES = [
  'blocks',
  'transfers',
  'pool_creations',
  'swaps',
  'position_events',
  'protocol_fees',
  'deals',
  'order_events',
  'withdrawals',
  'deposit_events',
  'hops',
  'undecoded_actions',
] as const

export function isLedgerAction(profile: Profile, { account, name }: { account: string; name: string }): boolean {
  return name === 'transfer' || Object.values(profile).includes(account)
}

export function expectedLedger(blocks: RecordedBlock[], actions: OracleAction[], profile: Profile): ExpectedLedger {
  const ledger: ExpectedLedger = new Map(EXPECTED_TABLES.map((table) => [table, []]))
  for (const { num, id, prevId, time, producer } of blocks) {
    const row = { block_num: `${num}`, block_id: id, prev_id: prevId, block_time: iso(time), producer }
    ledger.get('blocks')!.push(row)
  }
  const senders = new Map<string, Plain>()
  for (const action of actions) {
    if (action.name === 'transfer' && action.fields?.to === profile.bridge) senders.set(action.trxId, action.fields)
    const made = rowOf(action, profile, senders)
    if (made) ledger.get(made.table)!.push({ ...place(action), ...made.row })
  }
  // Paths of a transaction that ended before a swap: their last recipient is not the AMM.
  const ended = new Map<unknown, number>()
  for (const swap of ledger.get('swaps')!) {
    const before = ended.get(swap.trx_id) ?? 0
    swap.path = `${before}`
    if (swap.recipient !== profile.amm) ended.set(swap.trx_id, before + 1)
  }
  return ledger
}

type Made = { table: string; row: TextRow } | null

function rowOf(action: OracleAction, profile: Profile, senders: Map<string, Plain>): Made {
  const { account, name, fields: f } = action
  if (name === 'transfer') return f ? { table: 'transfers', row: transfer(account, f) } : null
  if (!f) return undecoded(action)
  if (account === profile.amm) return ammRow(name, f)
  if (account === profile.spot) return spotRow(name, f)
  if (account === profile.hop) return name === 'hoplog' ? { table: 'hops', row: hop(f) } : null
  return bridgeRow(name, f, senders.get(action.trxId))
}

function place({ block, globalSeq, trxId }: OracleAction): TextRow {
  return { block_num: `${block.num}`, block_time: iso(block.time), global_seq: `${globalSeq}`, trx_id: trxId }
}

function undecoded({ account, name, data }: OracleAction): Made {
  const reason = `the ABI has no action ${name}`
  return { table: 'undecoded_actions', row: { account, name, data, reason_code: 'UNKNOWN_ACTION', reason } }
}

function transfer(contract: string, f: Plain): TextRow {
  const { amount, symbol, decimals } = asset(f.quantity)
  return { contract, symbol, decimals, from_account: f.from, to_account: f.to, amount, memo: f.memo }
}

function ammRow(name: string, f: Plain): Made {
  if (name === 'logswap') return { table: 'swaps', row: swap(f) }
  if (name === 'logpool') return { table: 'pool_creations', row: poolCreation(f) }
  if (name === 'logmint') return { table: 'position_events', row: liquidity('mint', f) }
  if (name === 'logburn') return { table: 'position_events', row: liquidity('burn', f) }
  if (name === 'logcollect') return { table: 'position_events', row: liquidity('collect', f) }
  if (name === 'logsetfee') {
    const row = { fee_protocol_old: `${f.feeProtocolOld}`, fee_protocol_new: `${f.feeProtocolNew}` }
    return { table: 'protocol_fees', row: { ...PROTOCOL_FEE, ...row, pool_id: `${f.poolId}`, type: 'set' } }
  }
  if (name === 'loggetfee') {
    const row = { recipient: f.recipient, ...assetPair(f) }
    return { table: 'protocol_fees', row: { ...PROTOCOL_FEE, ...row, pool_id: `${f.poolId}`, type: 'withdrawn' } }
  }
  return null
}

const PROTOCOL_FEE = {
  ...{ fee_protocol_old: null, fee_protocol_new: null, recipient: null },
  ...{ amount_a: null, amount_b: null, decimals_a: null, decimals_b: null },
}

function swap(f: Plain): TextRow {
  return {
    pool_id: `${f.poolId}`,
    sender: f.sender,
    recipient: f.recipient,
    ...assetPair(f),
    sqrt_price_x64: `${f.sqrtPriceX64}`,
    liquidity: `${f.liquidity}`,
    tick: `${f.tick}`,
    reserve_a: asset(f.reserveA).amount,
    reserve_b: asset(f.reserveB).amount,
    ...{ usd: null, pool_fee: null, path: null },
  }
}

function poolCreation(f: Plain): TextRow {
  const [a, b] = [asset(f.tokenA.quantity), asset(f.tokenB.quantity)]
  return {
    pool_id: `${f.poolId}`,
    ...{ contract_a: f.tokenA.contract, symbol_a: a.symbol, decimals_a: a.decimals },
    ...{ contract_b: f.tokenB.contract, symbol_b: b.symbol, decimals_b: b.decimals },
    ...{ fee: `${f.fee}`, fee_protocol: `${f.feeProtocol}`, tick_spacing: `${f.tickSpacing}` },
    ...{ sqrt_price_x64: `${f.sqrtPriceX64}`, tick: `${f.tick}` },
  }
}

function liquidity(type: string, f: Plain): TextRow {
  return {
    type,
    pool_id: `${f.poolId}`,
    position_id: `${f.posId}`,
    owner: f.owner,
    recipient: f.recipient ?? null,
    tick_lower: `${f.tickLower}`,
    tick_upper: `${f.tickUpper}`,
    liquidity: `${f.liquidity}`,
    ...assetPair(f),
    reserve_a: asset(f.reserveA).amount,
    reserve_b: asset(f.reserveB).amount,
    sqrt_price_x64: f.sqrtPriceX64 === undefined ? null : `${f.sqrtPriceX64}`,
    tick: f.tick === undefined ? null : `${f.tick}`,
    ...{
      to_position_id: null,
      to_liquidity: null,
      merged: null,
      unlock_time: null,
      usd: null,
      usd_price_a: null,
      usd_price_b: null,
    },
  }
}

function spotRow(name: string, f: Plain): Made {
  if (name === 'buymatch' || name === 'sellmatch') return { table: 'deals', row: deal(name, f.record) }
  if (name === 'buyreceipt') return { table: 'order_events', row: placed('buy', f.market_id, f.buy_order) }
  if (name === 'sellreceipt') return { table: 'order_events', row: placed('sell', f.market_id, f.sell_order) }
  if (name === 'cancelbuy' || name === 'cancelsell') {
    const ids = { market_id: `${f.market_id}`, order_id: `${f.order_id}`, account: f.executor }
    return { table: 'order_events', row: { ...NO_ORDER, ...ids, type: 'cancelled', side: name.slice('cancel'.length) } }
  }
  return null
}

function deal(type: 'buymatch' | 'sellmatch', record: Plain): TextRow {
  const [base, target] =
    type === 'buymatch' ? [asset(record.ask), asset(record.bid)] : [asset(record.bid), asset(record.ask)]
  const fee = record.fee_paid === undefined ? null : asset(record.fee_paid)
  return {
    market_id: `${record.market.id}`,
    type,
    bidder: record.bidder,
    asker: record.asker,
    ...{ amount_base: base.amount, decimals_base: base.decimals },
    ...{ amount_target: target.amount, decimals_target: target.decimals },
    unit_price: `${record.unit_price}`,
    ...{ fee_amount: fee?.amount ?? null, fee_symbol: fee?.symbol ?? null, fee_decimals: fee?.decimals ?? null },
    order_id: null,
    usd: null,
  }
}

const NO_ORDER = {
  ...{ bid_amount: null, bid_symbol: null, bid_decimals: null },
  ...{ ask_amount: null, ask_symbol: null, ask_decimals: null, unit_price: null, order_time: null },
}

function placed(side: string, marketId: Plain, order: Plain): TextRow {
  return { market_id: `${marketId}`, type: 'placed', side, ...orderColumns(order) }
}

/** Columns of an order that events and rows share. */
export function orderColumns(order: Plain): TextRow {
  const [bid, ask] = [asset(order.bid), asset(order.ask)]
  return {
    order_id: `${order.id}`,
    account: order.account,
    ...{ bid_amount: bid.amount, bid_symbol: bid.symbol, bid_decimals: bid.decimals },
    ...{ ask_amount: ask.amount, ask_symbol: ask.symbol, ask_decimals: ask.decimals },
    unit_price: `${order.unit_price}`,
    order_time: iso(order.timestamp * 1000),
  }
}

const NO_DEPOSIT = {
  ...{ account: null, amount: null, symbol: null, decimals: null },
  ...{ memo: null, refund_to: null, withdrawal_id: null },
}

function bridgeRow(name: string, f: Plain, given: Plain | undefined): Made {
  if (name === 'wdlog') {
    const { vault, token, recipient, memo } = f
    const numbers = {
      id: `${f.id}`,
      domain: `${f.domain}`,
      amount: `${f.amount}`,
      deadline: `${f.deadline}`,
      fee: `${f.fee}`,
    }
    const { symbol, decimals } = given ? asset(given.quantity) : { symbol: null, decimals: null }
    const sender = given?.from ?? null
    return { table: 'withdrawals', row: { ...numbers, vault, token, recipient, memo, sender, symbol, decimals } }
  }
  const types: Record<string, string> = {
    credlog: 'credited',
    parklog: 'parked',
    fwdlog: 'forwarded',
    bouncelog: 'bounced',
  }
  const type = types[name]
  if (!type) return null
  const { amount, symbol, decimals } = asset(f.quantity)
  const row = { ...NO_DEPOSIT, type, domain: `${f.domain}`, nonce: `${f.nonce}`, account: f.owner ?? f.receiver }
  return {
    table: 'deposit_events',
    row: { ...row, amount, symbol, decimals, memo: f.memo ?? null, refund_to: f.refund_to ?? null },
  }
}

function hop(f: Plain): TextRow {
  const numbers = {
    id: `${f.id}`,
    src_domain: `${f.src_domain}`,
    src_nonce: `${f.src_nonce}`,
    dst_domain: `${f.dst_domain}`,
  }
  const back = { back_domain: `${f.back_domain}`, back: f.back, withdrawal_id: `${f.wd_id}` }
  return { ...numbers, ...back, recipient: f.recipient, ...asset(f.quantity) }
}

function assetPair(f: Plain): TextRow {
  const [a, b] = [asset(f.tokenA), asset(f.tokenB)]
  return { amount_a: a.amount, decimals_a: a.decimals, amount_b: b.amount, decimals_b: b.decimals }
}

/** `-1.50 ABC` -> -150, ABC, 2. */
export function asset(text: string): { amount: string; symbol: string; decimals: string } {
  const [number = '', symbol = ''] = text.split(' ')
  const amount = BigInt(number.replace('.', '')).toString()
  return { amount, symbol, decimals: `${number.split('.')[1]?.length ?? 0}` }
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}
