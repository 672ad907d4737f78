// What the actions and headers of a chain determine, and what they do not.

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

/** Columns of other tables that the actions do not determine. They are printed. */
export const MASKED: Readonly<Record<string, readonly string[]>> = {
  'ledger.swaps': ['usd', 'pool_fee'],
  // From table rows.
  'ledger.deals': ['order_id', 'usd'],
  'ledger.position_events': ['usd', 'usd_price_a', 'usd_price_b'],
  // Depends on when a certificate arrived.
  'ledger.certificates': ['verified'],
  // A sentence of the program; its code is compared.
  'ledger.undecoded_actions': ['reason'],
}
