// Results of a search, and their order.

export const KINDS = ['bridge', 'transaction', 'block', 'account', 'token', 'market', 'pool'] as const
export type Kind = (typeof KINDS)[number]

/** Scores: how well a text names a thing. */
export const SCORE = {
  /** An id that names one thing only. */
  id: 100,
  accountName: 95,
  tokenId: 95,
  tokenSymbol: 90,
  blockNumber: 85,
  number: 80,
  tokenContract: 75,
  pair: 70,
  symbolStart: 60,
  contractStart: 50,
  pairPart: 45,
  accountStart: 40,
  venueOfToken: 35,
  tokenPart: 20,
  venuePart: 10,
} as const

export interface Found {
  kind: Kind
  /** Id in the path of the thing's endpoint. */
  id: string
  chain: string
  label: string
  detail: string | null
  score: number
  /** Whether its block is irreversible; null for what has no block. */
  final: boolean | null
}

/** A result with its weight among results of the same kind and score. */
export interface Weighed extends Found {
  /** Liquidity or another size; 0 when unknown. */
  weight: number
}

/** Best first; equal ones by kind, weight and id. */
function compare(x: Weighed, y: Weighed): number {
  return (
    y.score - x.score ||
    KINDS.indexOf(x.kind) - KINDS.indexOf(y.kind) ||
    y.weight - x.weight ||
    x.id.length - y.id.length ||
    (x.id < y.id ? -1 : x.id > y.id ? 1 : 0)
  )
}

/**
 * The best results.
 *
 * @param kind  only this kind; without it no kind fills more than half of the list
 */
export function ranked(all: readonly Weighed[], limit: number, kind?: Kind): Found[] {
  const share = kind === undefined ? Math.ceil(limit / 2) : limit
  const counts = new Map<Kind, number>()
  const best = all
    .filter((one) => kind === undefined || one.kind === kind)
    .sort(compare)
    .filter((one) => {
      const count = (counts.get(one.kind) ?? 0) + 1
      counts.set(one.kind, count)
      return count <= share
    })
  return best.slice(0, limit).map(({ weight: _, ...found }) => found)
}
