// SQL of what a mint, a burn or a collect was worth, as the v2 contract counts it.

/**
 * USD of a row of `ledger.position_events`: its value; where that is not known, the value of the side whose token had a price;
 * 0 where neither had one.
 */
export const LIQUIDITY_USD = `coalesce(usd, round(coalesce(amount_a * usd_price_a / 10::numeric ^ decimals_a, 0)
  + coalesce(amount_b * usd_price_b / 10::numeric ^ decimals_b, 0), 8))`
