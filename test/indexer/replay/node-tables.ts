// The node's own table rows at the end of a recording, in the columns of state.*.
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { asset, iso, orderColumns } from './expected-ledger.ts'
import type { Plain } from './frames.ts'
import type { TextRow } from './text-rows.ts'

/** Rows of one table, or of one scope of a table. */
interface NodeTable {
  table: string
  scope: string
  rows: Plain[]
}

/** The file next to a recording with forks. */
export interface ForksFile {
  canonical: Record<string, string>
  forks: { fork_block: number; depth: number }[]
}

/** Expected rows by state table, without tables that the node's answers do not cover. */
export async function nodeState(path: string): Promise<Map<string, TextRow[]>> {
  const json = JSON.parse(await readText(path))
  const state = new Map<string, TextRow[]>()
  const byContract = json.tables ?? json.final_state?.tables
  for (const { table, scope, rows } of byContract ? withContracts(byContract) : withoutContracts(json)) {
    const convert = CONVERT[table]
    if (!convert) continue
    const { name, row } = convert
    const list = state.get(name) ?? []
    state.set(name, [...list, ...rows.map((r) => row(r, scope, table))])
  }
  return state
}

export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path)
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString()
}

/** `contract/scope/table` */
function withContracts(tables: Record<string, Plain[]>): NodeTable[] {
  return Object.entries(tables).map(([key, rows]) => {
    const [, scope = '', table = ''] = key.split('/')
    return { table, scope, rows }
  })
}

/** `pools`, `positions/<pool>`, `buyorder/<market>`; the member `head` is no table. */
function withoutContracts(tables: Record<string, Plain>): NodeTable[] {
  return Object.entries(tables)
    .filter(([, rows]) => Array.isArray(rows))
    .map(([key, rows]) => {
      const [table = '', scope = ''] = key.split('/')
      return { table, scope, rows }
    })
}

/** A decoded row of a contract's table in the columns of state.*; null for a table without a counterpart. */
export function stateRow(table: string, scope: string, row: Plain): { name: string; row: TextRow } | null {
  const convert = CONVERT[table]
  return convert ? { name: convert.name, row: convert.row(row, scope, table) } : null
}

interface Conversion {
  /** Table of state. */
  name: string
  row(r: Plain, scope: string, table: string): TextRow
}

const CONVERT: Record<string, Conversion> = {
  pools: { name: 'pools', row: pool },
  positions: { name: 'positions', row: position },
  ticks: { name: 'ticks', row: tick },
  buyorder: { name: 'orders', row: order },
  sellorder: { name: 'orders', row: order },
  markets: { name: 'markets', row: market },
  routes: { name: 'bridge_routes', row: route },
  wdraws: { name: 'wdraws', row: withdrawal },
}

function pool(r: Plain): TextRow {
  const [a, b] = [asset(r.tokenA.quantity), asset(r.tokenB.quantity)]
  const slot = r.currSlot
  return {
    pool_id: `${r.id}`,
    active: bool(r.active),
    ...{ contract_a: r.tokenA.contract, symbol_a: a.symbol, decimals_a: a.decimals, reserve_a: a.amount },
    ...{ contract_b: r.tokenB.contract, symbol_b: b.symbol, decimals_b: b.decimals, reserve_b: b.amount },
    ...{ fee: `${r.fee}`, fee_protocol: `${r.feeProtocol}`, tick_spacing: `${r.tickSpacing}` },
    max_liquidity_per_tick: `${r.maxLiquidityPerTick}`,
    ...{ sqrt_price_x64: `${slot.sqrtPriceX64}`, tick: `${slot.tick}` },
    last_observation: iso(slot.lastObservationTimestamp * 1000),
    ...{ observation_num: `${slot.currentObservationNum}`, max_observation_num: `${slot.maxObservationNum}` },
    fee_growth_global_a_x64: `${r.feeGrowthGlobalAX64}`,
    fee_growth_global_b_x64: `${r.feeGrowthGlobalBX64}`,
    ...{ protocol_fee_a: asset(r.protocolFeeA).amount, protocol_fee_b: asset(r.protocolFeeB).amount },
    liquidity: `${r.liquidity}`,
  }
}

function position(r: Plain, scope: string): TextRow {
  return {
    pool_id: scope,
    position_id: `${r.id}`,
    owner: r.owner,
    ...{ tick_lower: `${r.tickLower}`, tick_upper: `${r.tickUpper}`, liquidity: `${r.liquidity}` },
    fee_growth_inside_a_last_x64: `${r.feeGrowthInsideALastX64}`,
    fee_growth_inside_b_last_x64: `${r.feeGrowthInsideBLastX64}`,
    ...{ fees_a: `${r.feesA}`, fees_b: `${r.feesB}` },
  }
}

function tick(r: Plain, scope: string): TextRow {
  return {
    ...{ pool_id: scope, tick: `${r.id}`, liquidity_gross: `${r.liquidityGross}`, liquidity_net: `${r.liquidityNet}` },
    fee_growth_outside_a_x64: `${r.feeGrowthOutsideAX64}`,
    fee_growth_outside_b_x64: `${r.feeGrowthOutsideBX64}`,
    tick_cumulative_outside: `${r.tickCumulativeOutside}`,
    seconds_per_liquidity_outside_x64: `${r.secondsPerLiquidityOutsideX64}`,
    ...{ seconds_outside: `${r.secondsOutside}`, initialized: bool(r.initialized) },
  }
}

function order(r: Plain, scope: string, table: string): TextRow {
  return { market_id: scope, side: table === 'buyorder' ? 'buy' : 'sell', ...orderColumns(r) }
}

function market(r: Plain): TextRow {
  const [base, target] = [extendedSymbol(r.quote_token), extendedSymbol(r.base_token)]
  const [minBuy, minSell] = [asset(r.min_buy), asset(r.min_sell)]
  return {
    market_id: `${r.id}`,
    ...{ base_contract: base.contract, base_symbol: base.code, base_decimals: base.decimals },
    ...{ target_contract: target.contract, target_symbol: target.code, target_decimals: target.decimals },
    ...{ min_buy: minBuy.amount, min_buy_decimals: minBuy.decimals },
    ...{ min_sell: minSell.amount, min_sell_decimals: minSell.decimals },
    ...{ frozen: bool(r.frozen), fee: `${r.fee}` },
  }
}

function route(r: Plain): TextRow {
  const wrapped = extendedSymbol(r.wrapped)
  return {
    ...{ id: `${r.id}`, domain: `${r.domain}`, vault: r.vault, token: r.token },
    ...{ wrapped_contract: wrapped.contract, wrapped_symbol: wrapped.code, wrapped_decimals: wrapped.decimals },
    ...{ scale: `${r.scale}`, min: `${r.min}`, max: `${r.max}`, backing: `${r.backing}` },
    ...{ deposits_open: bool(r.deposits_open), withdrawals_open: bool(r.withdrawals_open) },
  }
}

function withdrawal(r: Plain): TextRow {
  const { owner, recipient } = r
  const numbers = {
    id: `${r.id}`,
    domain: `${r.domain}`,
    deadline: `${r.deadline}`,
    fee: `${r.fee}`,
    status: `${r.status}`,
  }
  return { ...numbers, owner, recipient, ...asset(r.quantity) }
}

function extendedSymbol(token: Plain): { contract: string; code: string; decimals: string } {
  const [decimals = '', code = ''] = (token.sym ?? token.symbol).split(',')
  return { contract: token.contract, code, decimals }
}

/** Nodes write booleans of tables as 0 and 1. */
function bool(value: number | boolean): string {
  return value ? 'true' : 'false'
}
