import { feedChain } from '../chain-names.ts'

/** A token as the feed names it: `<chain>:<symbol>-<contract>`. @param chain  name in configuration and database */
export function currencyId(chain: string, tokenId: string): string {
  return `${feedChain(chain)}:${tokenId}`
}
