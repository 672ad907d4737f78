import { feedChain } from '../../core/chains.ts'

/** The feed's id of a token: `<chain>:<symbol>-<contract>`. @param chain  name in configuration and database */
export function currencyId(chain: string, tokenId: string): string {
  return `${feedChain(chain)}:${tokenId}`
}
