// Symbol and precision of tokens, from the routes of the ledger. The bridge API names both too, and it is not trusted with
// them: a worthless token under the name of a dear one would make a fee look large, or a transfer small.

export interface Token {
  symbol: string
  decimals: number
}

/** A route of the ledger, whose token there is one of the bridge's token contract. */
export interface TokenRoute extends Token {
  /** At the other end. */
  domain: string
  /** Token at the other end: an address, or an account that may have several tokens. */
  token: string
}

const place = (domain: string, token: string): string => `${domain} ${token.toLowerCase()}`

export class Tokens {
  readonly #byPlace = new Map<string, Token[]>()
  readonly #byDomain = new Map<string, Token[]>()

  constructor(routes: readonly TokenRoute[]) {
    for (const { domain, token, symbol, decimals } of routes) {
      add(this.#byPlace, place(domain, token), { symbol, decimals })
      add(this.#byDomain, domain, { symbol, decimals })
    }
  }

  /**
   * Token of a withdrawal.
   *
   * @param token   at the destination
   * @param symbol  said by the bridge API: it counts only where several tokens have one account
   * @returns null when no route of the ledger has it, or several have it with different symbols
   */
  of(domain: string, token: string, symbol: string | null): Token | null {
    return oneOf(this.#byPlace.get(place(domain, token)), symbol)
  }

  /** Token of a deposit, by its symbol. @param domain  where it comes from */
  deposited(domain: string, symbol: string | null): Token | null {
    const found = this.#byDomain.get(domain)?.filter((one) => one.symbol === symbol)
    return oneOf(found, symbol)
  }
}

function add(map: Map<string, Token[]>, key: string, token: Token): void {
  const known = map.get(key) ?? []
  const isKnown = known.some(({ symbol, decimals }) => symbol === token.symbol && decimals === token.decimals)
  map.set(key, isKnown ? known : [...known, token])
}

function oneOf(tokens: readonly Token[] = [], symbol: string | null): Token | null {
  const found = tokens.length === 1 ? tokens : tokens.filter((one) => one.symbol === symbol)
  return found.length === 1 ? (found[0] ?? null) : null
}
