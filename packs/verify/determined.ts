// What the actions and headers of a chain determine, and what they do not.
import type { Catalog } from '../../indexer/store/catalog.ts'
import { isOfRange, isOfState, OF_STATE } from '../format/sql.ts'

/**
 * Tables of a range whose rows come from table deltas, price servers or the state: no block commits to them. The reasons
 * are printed.
 */
export const UNCOMMITTED: Readonly<Record<string, string>> = {
  'ledger.market_fees': 'versions of table rows',
  'ledger.oracle_points': 'versions of table rows',
  'ledger.undecoded_rows': 'table rows',
  'ledger.usd_prices': 'made of oracle points or answers of price servers',
  'ledger.hour_snapshots': 'made of table rows and prices',
  'ledger.price_hours': 'made of table rows and prices',
  'ledger.pool_hours': 'made of table rows and prices',
  'derive.score_snapshots': 'made of table rows and prices',
}

/**
 * Tables where a missing row is not found.
 *
 * @param isWhole  whether the rows of all ranges were computed again
 */
export function unverifiedTables(catalog: Catalog, isWhole: boolean): string[] {
  const tables = [...catalog.keys()]
  return [
    ...Object.keys(UNCOMMITTED),
    ...OF_STATE,
    ...tables.filter(isOfState),
    ...(isWhole ? [] : tables.filter(isOfRange)),
  ]
}

/** Columns of other tables that the actions do not determine: they are not compared. They are printed. */
export const MASKED: Readonly<Record<string, readonly string[]>> = {
  'ledger.swaps': ['usd', 'pool_fee'],
  // From table rows.
  'ledger.deals': ['order_id', 'usd'],
  'ledger.position_events': ['usd', 'usd_price_a', 'usd_price_b'],
  // Set here, where a certificate was verified.
  'ledger.certificates': ['verified'],
  // A sentence of the program; its code is compared.
  'ledger.undecoded_actions': ['reason'],
}

/**
 * Columns that are compared, and that rest on what no action and no certificate commits to: which actions are of one
 * transaction. They are printed.
 */
const OF_TRANSACTIONS: Readonly<Record<string, readonly string[]>> = {
  'ledger.swaps': ['path'],
  'ledger.withdrawals': ['sender', 'symbol', 'decimals'],
}

/** Columns of headers to which no certificate commits in a form that can be checked here: a block id does. */
const OF_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'ledger.blocks': ['block_id', 'prev_id', 'producer'],
  // Of the first blocks under Savanna, whose headers are still those of before.
  'ledger.legacy_blocks': ['version', 'nodes', 'header'],
  'ledger.producer_schedules': ['version', 'schedule'],
}

/**
 * Columns of what blocks have next to their headers, to which no id commits: certificates, which are verified when
 * something rests on them, and signatures of producers.
 */
const OF_BLOCKS: Readonly<Record<string, readonly string[]>> = {
  'ledger.certificates': ['strong', 'certificate'],
  'ledger.legacy_blocks': ['signatures'],
}

/**
 * Columns that were not verified, of tables whose rows were, by table.
 *
 * @param hasHeaders  whether a trusted block id confirms the headers
 */
export function unverifiedColumns(
  tables: readonly string[],
  catalog: Catalog,
  hasHeaders: boolean,
): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const table of [...tables].sort()) {
    const sets = [MASKED, OF_BLOCKS, OF_TRANSACTIONS, ...(hasHeaders ? [] : [OF_HEADERS])]
    const columns = sets.flatMap((set) => set[table] ?? [])
    if (catalog.get(table)?.columns.some(({ name }) => name === 'trx_id')) columns.push('trx_id')
    if (columns.length > 0) found[table] = columns
  }
  return found
}
