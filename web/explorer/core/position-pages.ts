// Pages of a pool's positions, the most liquidity first, of which only the first is read again. Pure.

interface Ranked {
  /** Decimal text. */
  id: string
  /** Whole number as text. */
  liquidity: string
}

interface PositionPage<P extends Ranked> {
  positions: readonly P[]
  /** Cursor of the next page; null at the end. */
  next: string | null
}

/**
 * All positions in order, each once.
 *
 * @param pages  as they were loaded
 * @param first  the first page as of now. Loaded positions below its last one stay; others that it does not have go
 */
export function positionsOf<P extends Ranked>(pages: readonly PositionPage<P>[], first: PositionPage<P>): P[] {
  const last = first.positions.at(-1)
  if (last === undefined || first.next === null) return [...first.positions]
  const known = new Set(first.positions.map(({ id }) => id))
  const later = pages.flatMap(({ positions }) => positions).filter((one) => !known.has(one.id) && comesAfter(one, last))
  return [...first.positions, ...new Map(later.map((one) => [one.id, one])).values()]
}

/** By liquidity, then by id, both descending: the order of the API. */
function comesAfter(one: Ranked, other: Ranked): boolean {
  const [mine, its] = [BigInt(one.liquidity), BigInt(other.liquidity)]
  return mine === its ? BigInt(one.id) < BigInt(other.id) : mine < its
}
