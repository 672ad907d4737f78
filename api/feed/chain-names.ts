// How the feed calls chains: as in hosts, but for one.
const DIALECT: ReadonlyMap<string, string> = new Map([['proton', 'xpr']])

/** A chain as the feed calls it, from its name in configuration and database. */
export function feedChain(chain: string): string {
  return DIALECT.get(chain) ?? chain
}

/** `<chain>:<symbol>-<contract>`. */
export function currencyId(chain: string, tokenId: string): string {
  return `${feedChain(chain)}:${tokenId}`
}
