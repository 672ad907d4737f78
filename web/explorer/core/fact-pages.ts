// Pages of facts, newest first, that stay complete while new facts come and forks remove some. Pure.

interface PlacedFact {
  block: number
  /** Place in the chain, decimal text. */
  sequence: string
}

export interface FactPage<F extends PlacedFact = PlacedFact> {
  facts: readonly F[]
  /** Cursor of the next page; null at the end. */
  next: string | null
}

/** Removes the facts above a block, which a fork has replaced. */
export function withoutBlocksAbove<P extends FactPage>(pages: readonly P[], block: number): P[] {
  return pages.map((page) => ({ ...page, facts: page.facts.filter((fact) => fact.block <= block) }))
}

/**
 * Puts the first page as of now before the pages that were read earlier. It replaces all of their facts down to its last one.
 *
 * @returns only the newest page when facts between it and the others are not known, or when it has all facts
 */
export function withNewest<P extends FactPage>(pages: readonly P[], newest: P): P[] {
  const lowest = newest.facts.at(-1)
  if (lowest === undefined || newest.next === null) return [newest]
  const least = BigInt(lowest.sequence)
  const top = pages.flatMap(({ facts }) => facts)[0]
  if (top === undefined || BigInt(top.sequence) < least) return [newest]
  const older = pages.map((page) => ({ ...page, facts: page.facts.filter((fact) => BigInt(fact.sequence) < least) }))
  return [newest, ...older]
}

/**
 * Puts facts of the stream before the first page, which has not got them yet.
 *
 * @param fresh  newest first
 */
export function withFresh<F extends PlacedFact, P extends FactPage<F>>(pages: readonly P[], fresh: readonly F[]): P[] {
  const [first, ...older] = pages
  if (first === undefined) return []
  const top = first.facts[0]
  const newer = top === undefined ? fresh : fresh.filter(({ sequence }) => BigInt(sequence) > BigInt(top.sequence))
  return newer.length === 0 ? [...pages] : [{ ...first, facts: [...newer, ...first.facts] }, ...older]
}
