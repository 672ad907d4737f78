// Plans in doubles. First the division among any number of paths (column generation): a path joins while it gives more
// for a share of the amount than the marginal rate of the used paths. Then the best division among few paths (greedy
// elimination, then swaps).
import { EPSILON } from './curve.ts'
import { FEW_UNITS, LARGEST_INPUT, NOTABLE, RATIO, SHARES, SHORTLIST, SLIGHT, TRIES, TRIFLE } from './model.ts'
import { clearFlows, type Path, pour } from './path.ts'
import type { FoundPath, PathSearch } from './path-search.ts'
import { MAX_MOVES, Split } from './split.ts'

/**
 * Smaller shares follow where an amount exceeds what venues hold: a venue that takes next to nothing may give most of the
 * output. That is where the last unit gives less than this share of what a first one may give.
 */
const DRAINED = 1 / 50
/** Multiples of the least amount that a path may take: pools that it shares with others let less arrive at the market. */
const OFFERS = [1.01, 1.1, 1.3]
/** Paths whose removal is tried before one is taken away. With three, single requests lose their route. */
const REMOVALS = 6

/** A division among any number of paths. */
export interface Plan {
  split: Split
  /** Whether none gives more: no book is used up, no pool is full, and no market's minimum keeps out a path that would. */
  isCertain: boolean
}

/** @returns the best division among any number of paths; null when there is none. No flows are left */
export function relax(search: PathSearch, amount: number): Plan | null {
  const split = firstSplit(search, amount)
  if (split === null) return null
  split.balance(TRIFLE)
  for (let k = 1; ; k++) {
    const share = RATIO ** -k
    if (k > SHARES && (amount * share < 1 || split.marginalRate() > search.promise * DRAINED)) break
    joinFor(share, split, search, amount)
  }
  split.balance(EPSILON)
  const isCertain = !split.isFull && !split.isDrained()
  const isBarred = joinBarred(split, search, amount)
  return { split, isCertain: isCertain && !isBarred }
}

/** Adds paths that no small amount can enter. @returns whether one gives more with about the least that it takes */
function joinBarred(split: Split, search: PathSearch, amount: number): boolean {
  const least = amount * RATIO ** -SHARES
  const floor = split.output < FEW_UNITS ? 0 : split.marginalRate() * least
  split.clear()
  const options = { limit: SHORTLIST, floor, smooth: true, minimums: false, complete: true }
  let isBetter = false
  for (const { path } of search.query.books && !split.isFull ? search.find(least, options) : []) {
    let [low, high] = [least, amount]
    for (let input = least; high - low > low * NOTABLE; input = (low + high) / 2) {
      if (pour(path, input, split.guaranteed, false) > 0) high = input
      else low = input
      clearFlows(path)
    }
    if (high === least || !split.add(path, 0)) continue
    if (split.offered(OFFERS.map((more) => high * more)) > split.output) isBetter = true
  }
  return isBetter
}

/** All on the best path, or laid out over several when none takes it all. */
function firstSplit(search: PathSearch, amount: number): Split | null {
  const split = new Split(search.query.guaranteed)
  let [left, chunk] = [amount, amount]
  while (left > 0 && !split.isFull) {
    const piece = Math.min(chunk, left)
    const [found] = search.find(piece, { limit: 1 })
    if (found === undefined) {
      if (chunk < amount * SLIGHT) break
      chunk /= 2
      continue
    }
    split.add(found.path, piece)
    left -= piece
    split.execute()
  }
  const [first] = split.paths
  // The first path gets the rest. The part that it cannot take has no output until the division is fitted to capacities.
  if (left > 0 && first !== undefined) split.add(first, left)
  if (first !== undefined && split.execute() >= 0) return split
  split.clear()
  return null
}

function joinFor(share: number, split: Split, search: PathSearch, amount: number): void {
  const chunk = amount * share
  for (let i = 0; i < TRIES && !split.isFull; i++) {
    const floor = split.marginalRate() * chunk
    let joined = false
    for (const { path, output } of joining(search, split, chunk, floor)) {
      if (!(output - floor > split.output * TRIFLE)) continue
      if (split.add(path, 0)) joined = true
      // Next to nothing is below a market's minimum: such a path begins with its share.
      if (path.some(({ minimum }) => minimum > 1)) split.shift(path, share)
    }
    if (!joined) return
    split.balance(TRIFLE)
  }
}

/** Paths for a chunk. Paths over full venues, whose output others must give up, take no place from the rest. */
function joining(search: PathSearch, split: Split, chunk: number, floor: number): FoundPath[] {
  const options = { limit: TRIES, floor, smooth: true }
  const found = search.find(chunk, options)
  return split.isDrained() ? [...found, ...search.find(chunk, { ...options, yields: false })] : found
}

/**
 * The best divisions among few paths of a plan: with at most `maxParts`, then with one less each time. Paths that are
 * taken away stay away. No flows are left.
 *
 * @param from  a division without flows; it is not changed
 */
export function* fewerParts(from: Split, maxParts: number): Generator<Split, null> {
  let fewest: Split | null = from.clone()
  fewest.trim()
  if (fewest.parts < 2) return null
  for (let parts = maxParts; ; parts--) {
    while (fewest !== null && fewest.parts > parts) fewest = withoutOne(fewest, 0)
    if (fewest === null) return null
    let best = fewest.clone()
    if (from.output - best.output > best.output * SLIGHT) best = swapPaths(best, from.paths, parts)
    // Without input, a path must not join again: the division would have too many parts.
    best.trim()
    best.balance(EPSILON)
    best.trim()
    yield best
  }
}

/** The best division without one of its paths. @returns null when none gives more than the floor */
function withoutOne(split: Split, floor: number): Split | null {
  let best: Split | null = null
  for (const at of split.leastMissed(REMOVALS)) {
    const trial = split.clone()
    trial.trim(at)
    trial.balance(TRIFLE)
    trial.trim()
    if (best === null ? trial.output > floor : trial.output > best.output) best = trial
  }
  split.clear()
  return best
}

/** Lets other paths take the place of used ones, where that is better. */
function swapPaths(split: Split, others: readonly Path[], maxParts: number): Split {
  let best = split
  for (let gain = Number.POSITIVE_INFINITY; gain >= best.output * SLIGHT; ) {
    const before = best.output
    for (const path of best.promising(others).slice(0, SHORTLIST)) {
      let trial: Split | null = best.clone()
      trial.add(path, 0)
      trial.balance(TRIFLE)
      trial.trim()
      // More than one: a path without input may have got some too.
      while (trial !== null && trial.parts > maxParts) trial = withoutOne(trial, best.output)
      if (trial !== null && trial.output > best.output) best = trial
    }
    gain = best.output - before
  }
  for (const path of others) clearFlows(path)
  return best
}

/** Input at the price of a small trade: a lower bound. @returns null when there is no route */
export function leastInput(search: PathSearch, wanted: number): number | null {
  const enough = Math.min(wanted, FEW_UNITS)
  let guess: number | null = null
  for (let amount = 1; amount < LARGEST_INPUT; amount *= RATIO) {
    const [found] = search.find(amount, { limit: 1 })
    if (found === undefined) continue
    guess = (wanted / found.output) * amount
    if (found.output >= enough) break
  }
  return guess
}

/**
 * Changes the input of a division until its output is as wanted. The output is concave in the input, so Newton's steps
 * come from below and do not overshoot.
 *
 * @returns outputs by path; null when it cannot be. No flows are left
 */
export function scaleToOutput(split: Split, wanted: number): number[] | null {
  const outputs: number[] = []
  let isPossible = true
  for (let move = 0; isPossible && move < MAX_MOVES; move++) {
    const missing = wanted - split.execute(split.inputs, outputs)
    if (Math.abs(missing) <= Math.max(1, wanted * EPSILON)) break
    const next = split.input + missing / split.marginalRate()
    isPossible = next > 0 && next < LARGEST_INPUT
    const factor = next / split.input
    split.inputs = split.inputs.map((input) => input * factor)
    if (Number.isNaN(split.balance(EPSILON))) isPossible = false
  }
  split.clear()
  return isPossible ? outputs : null
}
