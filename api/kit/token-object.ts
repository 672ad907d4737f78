// Tokens as members of v3 answers.
import { perObject } from '../../core/cache.ts'
import type { TokenRef } from '../live-market/model.ts'

/** Members that describe a token in every answer. */
export interface TokenObject {
  id: string
  symbol: string
  contract: string
  decimals: number
}

export function tokenObject({ id, symbol, contract, decimals }: TokenRef): TokenObject {
  return { id, symbol, contract, decimals }
}

/** The same as JSON. Each token of a chain is one object, so the text is cached by object. */
export const tokenObjectText = perObject((token: TokenRef) => JSON.stringify(tokenObject(token)))
