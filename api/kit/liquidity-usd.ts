// SQL of the USD value of a mint, burn or collect, as the v2 contract defines it.

/**
 * USD of a row of `ledger.position_events`: its value; if unknown, the value of the tokens that had a price; 0 if
 * neither had one.
 */
export const LIQUIDITY_USD = `coalesce(usd, round(coalesce(amount_a * usd_price_a / 10::numeric ^ decimals_a, 0)
  + coalesce(amount_b * usd_price_b / 10::numeric ^ decimals_b, 0), 8))`
