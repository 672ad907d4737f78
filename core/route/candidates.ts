// Tokens that a path between two tokens can cross, the most promising first. The promise of a token is the product of the
// best first rates on the way there and onward. No amount does better than its first unit, so a search stops at the
// first token that promises too little. Made once for a pair and a block.
import type { Edge, Link, TokenNode } from './graph.ts'

/** A token before the output. */
export interface Candidate {
  node: TokenNode
  /** From the token to the output. */
  ends: readonly Edge[]
  /** From the input to the token: null when they have nothing in common. */
  first: Link | null
  /** From other neighbours of the input to the token. */
  seconds: readonly Second[]
  /** Output for one unit of input at the very most. */
  promise: number
}

export interface Second {
  first: Link
  /** From that neighbour to the token. */
  edges: readonly Edge[]
  /** At the token for one unit of input at the very most. */
  rate: number
}

export interface Candidates {
  direct: readonly Edge[]
  /** The best promise first. */
  through: readonly Candidate[]
  /** Whether a path may cross a market. */
  hasBooks: boolean
}

/** Rates are products of doubles. */
const SLACK = 1 + 1e-9
const NONE: readonly Second[] = []

export function findCandidates(input: TokenNode, output: TokenNode, maxHops: number, books: boolean): Candidates {
  const direct = usable(input.linkTo.get(output)?.out ?? [], books)
  const through: Candidate[] = []
  if (maxHops < 2) return { direct, through, hasBooks: hasMarket(direct) }
  const rates = new Map<TokenNode, number>()
  for (const link of input.links) {
    const rate = bestRate(link.out, books)
    if (rate > 0) rates.set(link.node, rate)
  }
  for (const link of output.links) {
    const { node } = link
    if (node === input) continue
    const near = rates.get(node)
    const seconds = maxHops > 2 && node.links.length > 1 ? secondsOf(input, node, output, rates, books) : NONE
    let arriving = near ?? 0
    for (const second of seconds) arriving = Math.max(arriving, second.rate)
    if (arriving === 0) continue
    const onward = bestRate(link.in, books)
    if (onward === 0) continue
    const first = near === undefined ? null : (input.linkTo.get(node) as Link)
    through.push({ node, ends: usable(link.in, books), first, seconds, promise: arriving * onward * SLACK })
  }
  through.sort((a, b) => b.promise - a.promise)
  return { direct, through, hasBooks: hasMarket(direct) || through.some(crossesMarket) }
}

function hasMarket(edges: readonly Edge[]): boolean {
  return edges.some(({ isPool }) => !isPool)
}

function crossesMarket({ ends, first, seconds }: Candidate): boolean {
  const leads = seconds.some((second) => hasMarket(second.first.out) || hasMarket(second.edges))
  return leads || hasMarket(ends) || hasMarket(first?.out ?? [])
}

function usable(edges: readonly Edge[], books: boolean): readonly Edge[] {
  return books || edges.every((edge) => edge.isPool) ? edges : edges.filter((edge) => edge.isPool)
}

/** Ways from the input to a token over one other token. */
function secondsOf(
  input: TokenNode,
  node: TokenNode,
  output: TokenNode,
  rates: ReadonlyMap<TokenNode, number>,
  books: boolean,
): readonly Second[] {
  let found: Second[] | null = null
  const isInputSmaller = input.links.length < node.links.length
  for (const { node: middle } of isInputSmaller ? input.links : node.links) {
    const rate = middle === output ? undefined : rates.get(middle)
    if (rate === undefined) continue
    const edges = node.linkTo.get(middle)?.in
    const step = edges === undefined ? 0 : bestRate(edges, books)
    if (edges === undefined || step === 0) continue
    if (found === null) found = []
    found.push({ first: input.linkTo.get(middle) as Link, edges: usable(edges, books), rate: rate * step })
  }
  return found ?? NONE
}

/** Output for the first unit over the best of some edges; 0 when none takes anything. */
function bestRate(edges: readonly Edge[], books: boolean): number {
  let best = 0
  for (const edge of edges) {
    if (!books && !edge.isPool) continue
    const { top } = edge.curve
    if (top > best) best = top
  }
  return best
}
