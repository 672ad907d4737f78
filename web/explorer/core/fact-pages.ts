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

/**
 * All facts of a list, page after page, up to a number of them.
 *
 * @param read  a page by the cursor of the one before; null for the first
 * @param tell  called with the number of facts after each page
 * @returns the facts, and whether the list ended with them
 */
export async function everyFact<F extends PlacedFact>(
  read: (cursor: string | null) => Promise<FactPage<F>>,
  most: number,
  tell: (facts: number) => void,
): Promise<{ facts: F[]; isComplete: boolean }> {
  const facts: F[] = []
  let cursor: string | null = null
  do {
    const page: FactPage<F> = await read(cursor)
    for (const fact of page.facts) facts.push(fact)
    tell(facts.length)
    cursor = page.next
  } while (cursor !== null && facts.length < most)
  return { facts, isComplete: cursor === null }
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
