// A synthetic chain with the structure of a large exchange: one hub that most pools hold, some smaller hubs, a long tail
// of tokens; pools from 10 USD to millions; order books for the larger tokens.
import type { RouteBook, RoutePool } from '../../core/route/model.ts'
import { type PricedToken, randomBook, randomPool, randomToken } from '../../test/core/route/random-market.ts'
import type { Random } from '../../test/support/random.ts'

const HUBS = 12

export interface Chain {
  tokens: PricedToken[]
  pools: RoutePool[]
  books: RouteBook[]
}

export function syntheticChain(random: Random, poolCount: number, bookCount: number): Chain {
  const tokens = Array.from({ length: Math.round(poolCount / 1.6) }, (_, i) => ({
    ...randomToken(random, i),
    id: `tok-${contract(i)}`,
  }))
  const token = (i: number) => tokens[i] as PricedToken
  const any = () => token(Math.floor(tokens.length * random.next() ** 2))
  const pairFor = (id: number): [PricedToken, PricedToken] => {
    if (id < tokens.length - 1) return [token(random.chance(0.85) ? 0 : random.integer(1, HUBS)), token(id + 1)]
    const first = random.chance(0.6) ? token(Math.floor(HUBS * random.next() ** 2)) : any()
    return [first, any()]
  }
  const pools: RoutePool[] = []
  // A pool's first token is the one whose contract sorts first.
  const ordered = (a: PricedToken, b: PricedToken): [PricedToken, PricedToken] => (a.id < b.id ? [a, b] : [b, a])
  while (pools.length < poolCount) {
    const [a, b] = ordered(...pairFor(pools.length))
    const rank = Math.max(tokens.indexOf(a), tokens.indexOf(b)) / tokens.length
    if (a === b && pools.length < tokens.length - 1)
      pools.push(randomPool(random, pools.length, token(0), token(pools.length + 1), 100))
    else if (a !== b)
      pools.push(randomPool(random, pools.length, a, b, 10 ** (1 + random.next() * 2 + 4 * (1 - rank) ** 4)))
  }
  const books: RouteBook[] = []
  while (books.length < bookCount) {
    const [base, target] = [any(), token(random.chance(0.8) ? 0 : random.integer(1, HUBS))]
    if (base !== target)
      books.push(randomBook(random, books.length, base, target, 10 ** (1 + random.next() * 3), random.integer(2, 40)))
  }
  return { tokens, pools, books }
}

/** Account names that sort as their numbers. */
function contract(index: number): string {
  const letter = (place: number) => String.fromCharCode(97 + (Math.floor(index / 26 ** place) % 26))
  return `c${letter(2)}${letter(1)}${letter(0)}`
}
