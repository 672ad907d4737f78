// The linear replay that the database is compared with: folds the blocks of one branch into plain maps.
import type { OracleAction } from '../indexer/replay/actions.ts'
import { expectedCandles } from '../indexer/replay/expected-candles.ts'
import { asset, expectedLedger } from '../indexer/replay/expected-ledger.ts'
import type { Plain } from '../indexer/replay/frames.ts'
import { stateRow } from '../indexer/replay/node-tables.ts'
import type { TextRow } from '../indexer/replay/text-rows.ts'
import { type BlockFacts, PROFILE, type RowFact } from './facts.ts'

/** Rows as sorted lines, by relation. */
export type Image = Map<string, string[]>

/** Tables that the oracle computes; in the simulation, all others stay empty. */
export const LEDGER = [
  ...['blocks', 'abis', 'transfers', 'swaps', 'position_events', 'deals', 'order_events', 'undecoded_actions'],
  'market_fees',
] as const
export const STATE = ['pools', 'positions', 'ticks', 'orders', 'markets', 'balances', 'balance_hours'] as const
/** Columns that are not compared: reasons are texts of the indexer, the others come from its valuation. */
export const OWN_WORDS = new Set(['reason', 'reason_code', 'usd', 'usd_price_a', 'usd_price_b', 'volume_usd'])

/** @param path  blocks of a branch, oldest first */
export function linearReplay(path: readonly BlockFacts[]): Image {
  const image: Image = new Map()
  const actions = path.flatMap((facts) => facts.actions.filter((action) => action.name !== 'run'))
  const blocks = path.map(({ block }) => block)
  const ledger = expectedLedger(blocks, actions, PROFILE)
  setOrdersOfDeals(path, ledger.get('deals') ?? [])
  ledger.set('undecoded_actions', actions.filter(isUndecoded).map(undecoded))
  ledger.set('abis', path.flatMap(abiRows))
  ledger.set('market_fees', path.flatMap(feeRows))
  for (const table of LEDGER) image.set(`ledger.${table}`, lines(ledger.get(table)!))
  const state = currentRows(path)
  state.set('balance_hours', balanceHours(path))
  for (const table of STATE) image.set(`state.${table}`, lines(state.get(table) ?? []))
  image.set('derive.candles', lines(expectedCandles(ledger)))
  return image
}

function lines(rows: readonly TextRow[]): string[] {
  return rows.map(lineOf).sort()
}

/** The row as a line, columns in the order of their names. */
function lineOf(row: TextRow): string {
  const columns = Object.keys(row).filter((column) => !OWN_WORDS.has(column))
  return columns
    .sort()
    .map((column) => `${column}=${row[column] ?? '∅'}`)
    .join('|')
}

function isUndecoded({ account, fields }: OracleAction): boolean {
  return fields === undefined && (account === PROFILE.amm || account === PROFILE.spot)
}

function undecoded({ block, globalSeq, trxId, account, name, data }: OracleAction): TextRow {
  const place = { block_num: `${block.num}`, block_time: new Date(block.time).toISOString() }
  return { ...place, global_seq: `${globalSeq}`, trx_id: trxId, account, name, data }
}

function abiRows({ block, abis }: BlockFacts): TextRow[] {
  return abis.map(({ account, globalSeq, abi }) => ({
    ...{ account, block_num: `${block.num}`, global_seq: `${globalSeq}`, abi },
  }))
}

/**
 * Sets the order that each deal hit, from the books before and after its block: the only order of the asker at the price
 * that differs between them or was placed in between.
 */
function setOrdersOfDeals(path: readonly BlockFacts[], deals: readonly TextRow[]): void {
  const book = new Map<string, RowFact>()
  for (const { block, actions, rows } of path) {
    const changed: { market: string; side: string; order: Plain }[] = []
    for (const fact of rows) {
      if (fact.table !== 'buyorder' && fact.table !== 'sellorder') continue
      const order = fact.value ?? book.get(fact.key)?.value
      changed.push({ market: scopeNumber(fact.scope), side: fact.table, order })
      if (fact.value === null) book.delete(fact.key)
      else book.set(fact.key, fact)
    }
    const receipts = actions.filter(({ account, name }) => account === PROFILE.spot && name.endsWith('receipt'))
    if (receipts.some(isUndecoded)) continue
    for (const { name, fields } of receipts) {
      const side = name === 'buyreceipt' ? 'buyorder' : 'sellorder'
      changed.push({ market: `${fields?.market_id}`, side, order: fields?.buy_order ?? fields?.sell_order })
    }
    for (const deal of deals.filter(({ block_num: num }) => num === `${block.num}`)) {
      const hit = deal.type === 'buymatch' ? 'sellorder' : 'buyorder'
      const same = changed.filter(
        ({ market, side, order }) =>
          side === hit &&
          market === deal.market_id &&
          order.account === deal.asker &&
          `${order.unit_price}` === deal.unit_price,
      )
      const ids = new Set(same.map(({ order }) => `${order.id}`))
      deal.order_id = ids.size === 1 ? ([...ids][0] ?? null) : null
    }
  }
}

/** The fee rate and the tokens of a market, at each change of its row. */
function feeRows({ block, rows }: BlockFacts): TextRow[] {
  const place = { block_num: `${block.num}`, block_time: new Date(block.time).toISOString() }
  const markets = rows
    .filter(({ table, value }) => table === 'markets' && value !== null)
    .map((fact) => convert(fact).row)
  const told = [
    'market_id',
    'fee',
    'base_contract',
    'base_symbol',
    'base_decimals',
    'target_contract',
    'target_symbol',
    'target_decimals',
  ]
  return markets.map((row) => ({ ...place, ...Object.fromEntries(told.map((name) => [name, row[name]!])) }))
}

function currentRows(path: readonly BlockFacts[]): Map<string, TextRow[]> {
  const current = new Map<string, RowFact>()
  for (const { rows } of path) {
    for (const row of rows) {
      if (row.value === null) current.delete(row.key)
      else current.set(row.key, row)
    }
  }
  const tables = new Map<string, TextRow[]>()
  for (const fact of current.values()) {
    const { name, row } = convert(fact)
    tables.set(name, [...(tables.get(name) ?? []), row])
  }
  return tables
}

/** Each balance as the last change of an hour left it; 0 when its row was removed. */
function balanceHours(path: readonly BlockFacts[]): TextRow[] {
  const hours = new Map<string, TextRow>()
  for (const { block, rows } of path) {
    const hour = new Date(block.time - (block.time % 3_600_000)).toISOString()
    for (const { key, code, table, scope, value, primaryKey } of rows) {
      if (table !== 'accounts') continue
      const amount = value === null ? removedAmount(primaryKey) : asset(value.balance)
      hours.set(`${key} ${hour}`, { contract: code, account: scope, hour, ...amount })
    }
  }
  return [...hours.values()]
}

/** The tokens of the simulated balances, by their symbol's code. */
function removedAmount(symbolCode: string): TextRow {
  const symbol = Buffer.from(BigInt(symbolCode).toString(16), 'hex').reverse().toString()
  return asset(symbol === 'WAX' ? '0.00000000 WAX' : `0 ${symbol}`)
}

const converted = new WeakMap<RowFact, { name: string; row: TextRow }>()

function convert(fact: RowFact): { name: string; row: TextRow } {
  const known = converted.get(fact)
  if (known) return known
  const { code, table, scope, value } = fact
  const made =
    table === 'accounts'
      ? { name: 'balances', row: { contract: code, account: scope, ...asset(value.balance) } }
      : stateRow(table, scopeNumber(scope), value)
  if (!made) throw new Error(`the simulation has no such table: ${table}`)
  converted.set(fact, made)
  return made
}

/** Scopes of pools and markets are numbers encoded as names: base 32, the first character in the highest bits. */
function scopeNumber(scope: string): string {
  const digits = '.12345abcdefghijklmnopqrstuvwxyz'
  let value = 0n
  for (let i = 0; i < 13; i++) {
    const digit = BigInt(Math.max(0, digits.indexOf(scope[i] ?? '.')))
    value = i < 12 ? (value << 5n) | digit : (value << 4n) | digit
  }
  return `${value}`
}
