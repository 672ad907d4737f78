// Token ids in the API.

/** `symbol-contract`, lower case: `wax-eosio.token`. */
export type TokenId = string

/**
 * @param symbol    symbol code, capital letters
 * @param contract  account of the token contract
 */
export function tokenId(symbol: string, contract: string): TokenId {
  return `${symbol.toLowerCase()}-${contract}`
}

/** The contract of a token id; the whole text if it has no hyphen. */
export function contractOf(id: TokenId): string {
  return id.slice(id.indexOf('-') + 1)
}
