// Answers that the API's description does not type, or that a server may not have.

interface Token {
  id: string
  symbol: string
  contract: string
  decimals: number
}

/** Value as decimal text; null when a price is not known. */
interface Value {
  valueUsd: string | null
}

interface Total extends Value {
  /** Parts whose value is not known. */
  unvalued: number
}

/** `/api/v3/explore/account/{account}` */
export interface AccountAnswer {
  block: number
  balances: ({ token: Token; amount: string } & Value)[]
  orders: ({
    market: number
    id: string
    side: 'buy' | 'sell'
    base: Token
    target: Token
    price: string
    offered: { token: string; amount: string }
    wanted: { token: string; amount: string }
    placed: string
  } & Value)[]
  totals: Total & { balances: Total; positions: Total; fees: Total; orders: Total }
  truncated: boolean
}

/** `/health/status` */
export interface Status {
  version: string
  uptimeSeconds: number
  ready: boolean
  reasons: string[]
  warnings: string[]
  chains: ChainStatus[]
}

export interface ChainStatus {
  chain: string
  firstBlock: number | null
  block: number | null
  blockTime: string | null
  lib: number | null
  head: number | null
  indexed: boolean
  lagBlocks: number | null
  lagSeconds: number | null
  estimatedRows: Record<string, number>
}

/** `/api/v3/explore/search` */
export interface SearchAnswer {
  results: { kind: string; id: string; label: string; detail: string | null }[]
}

/** `/api/v3/explore/token/{tokenId}` */
export interface TokenFacts {
  supply: ({ amount: string; max: string; issuer: string } & Value) | null
  /** Null when the balances of the token are not watched. */
  top: ({ account: string; amount: string; share: string | null } & Value)[] | null
}

/** `/api/v3/explore/token/{tokenId}/prices` */
export interface TokenPrices {
  hours: { time: string; price: string | null; priceUsd: string | null }[]
}
