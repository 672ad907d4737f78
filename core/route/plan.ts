// Which paths to divide an amount among: starting with the best one, further paths join when the next share of the
// amount would gain more over them than over those that are used.

import { clearFlows, type Path } from './path.ts'
import { joins, recombine } from './recombine.ts'
import type { PathSearch } from './search.ts'
import { type Budget, Split } from './split.ts'
import { squeeze } from './squeeze.ts'

/** Shares of the amount with which further paths are looked for. */
const SHARES = [1 / 4, 1 / 12, 1 / 40, 1 / 150, 1 / 800, 1 / 5000]
/** The same where an amount goes far beyond what venues hold: one that takes less than all these may give most of the output. */
const TINY_SHARES = [1 / 40_000, 1 / 300_000, 1 / 2_500_000]
/** That is where the last unit gives less than this share of what a first one may give. */
const DRAINED = 1 / 50
/** Searches for each share, paths that join at once, and paths at most. */
const SEARCHES = 3
const JOINING = 3
const MOST_PATHS = 24
/** A path joins when its share gains this much of the whole output over what is used already. */
const WORTH = 1e-7
/** Or when it is better by this factor than a path with which it shares an edge: what that has may move over. */
const BETTER = 1 + 1e-3
/** Paths whose removal is tried at each turn, and the loss, relative to the output, that is worth trying others. */
const REMOVALS = 3
/** Where the flows are led along other paths, one whose edges all serve others is missed less than is estimated. */
const RECOMBINED_REMOVALS = 6
const EXCHANGES = 14
/** By more than this factor a path is hardly ever missed less than is estimated. */
const DOUBTFUL = 10
/** Rounds of such exchanges, as long as each gains much. */
const ROUNDS = 3
/** More paths too many than these are taken away several at a time. */
const FEW = 4
const WORTH_TRYING = 1e-5
/** And the loss that is worth leading the flows along other paths. */
const WORTH_RECOMBINING = 1e-3
/** A balance is good enough when the next move would gain this much of the output. */
const ROUGH = 1e-7
const FINE = 1e-10
/** Paths that take all of the amount, to try where the best division does not fit. */
const ABSORBERS = 12
/** Divisions that may be tried for it, whatever was tried before. */
const SQUEEZE_BUDGET = 600
/** An amount that no path takes completely is laid out in pieces down to this share. */
const SMALLEST_SHARE = 2 ** -20

/**
 * @param isRounded  whether paths join by what they give in whole units: where a path is down to a few of them, what it
 *                   would give without rounding misleads
 * @returns the best division among at most `maxParts` paths; null when there is none
 */
export function planSplit(
  search: PathSearch,
  amount: number,
  maxParts: number,
  budget: Budget,
  { start, isRounded = false }: { start?: Split; isRounded?: boolean } = {},
): Split | null {
  const split = start ?? firstSplit(search, amount, budget)
  if (split === null) return null
  split.balance(ROUGH, 40)
  join(split, search, amount, isRounded)
  // What a full venue cannot take gives nothing: anything is better, once it has been given to others.
  if (split.isOverfull() && split.fit()) join(split, search, amount, isRounded)
  split.balance(FINE, 60)
  // What comes to a pool from both sides can pass by each other.
  if (split.opposes() && joins(split).filter((path) => split.add(path, 0)).length > 0) split.balance(FINE, 60)
  const every = split.paths.slice()
  const ideal = split.output
  if (!isRounded && split.dropCoarse()) split.balance(FINE, 40)
  const reduced = reduce(split, maxParts, () => search.enumerate(amount, ABSORBERS).map(({ path }) => path))
  for (const path of every) clearFlows(path)
  if (reduced !== null) reduced.ideal = Math.max(ideal, reduced.output, reduced.ideal)
  return reduced
}

/** Lets further paths join, those that take large shares first. */
function join(split: Split, search: PathSearch, amount: number, isRounded: boolean): void {
  for (const share of SHARES) joinWith(share, split, search, amount, isRounded)
  for (const share of TINY_SHARES) {
    if (amount * share < 1 || split.marginalRate() > search.promise * DRAINED) return
    joinWith(share, split, search, amount, isRounded)
  }
}

function joinWith(share: number, split: Split, search: PathSearch, amount: number, isRounded: boolean): void {
  for (let i = 0; i < SEARCHES && split.paths.length < MOST_PATHS; i++) {
    const rate = isRounded ? split.marginalRate() : split.price()
    const chunk = amount * share
    let joined = false
    const least = rate * chunk
    const found = isRounded ? search.best(chunk, JOINING, least) : search.bestBeside(chunk, JOINING, least)
    if (!isRounded) split.unprice()
    for (const { path, output } of found) {
      const isWorthIt = output - least > split.output * WORTH
      if (isWorthIt || (output > least * BETTER && split.shares(path))) joined = split.add(path, 0) || joined
    }
    if (!joined) break
    split.balance(ROUGH, 40)
  }
}

/** A plan for another amount, made to fit this one: where much is lost by having few parts, others may be chosen there. */
export function planFrom(
  search: PathSearch,
  amount: number,
  other: number,
  maxParts: number,
  budget: Budget,
): Split | null {
  const split = planSplit(search, other, maxParts, budget)
  if (split === null) return null
  split.scale(amount / other)
  split.balance(FINE, 40)
  split.trim()
  const fits = split.fit()
  split.clear()
  return fits ? split : null
}

/**
 * All on the best path, or laid out over several when none takes it all. Where even those do not, the first one gets what
 * is left: what it cannot take gives nothing more until the division is made to fit.
 */
function firstSplit(search: PathSearch, amount: number, budget: Budget): Split | null {
  const split = new Split(search.query.kept, budget)
  let left = amount
  let chunk = amount
  while (left > 0 && split.paths.length < MOST_PATHS) {
    const piece = Math.min(chunk, left)
    const [found] = search.best(piece, 1)
    if (found === undefined) {
      if (chunk < amount * SMALLEST_SHARE) break
      chunk /= 2
      continue
    }
    split.add(found.path, piece)
    left -= piece
    split.execute()
  }
  const first = split.paths[0]
  if (left > 0 && first !== undefined) split.add(first, left)
  if (first === undefined || Number.isNaN(split.execute())) {
    split.clear()
    return null
  }
  return split
}

/** Takes away the paths that are missed least until few enough are left; then tries the others in place of those. */
function reduce(split: Split, maxParts: number, absorbers: () => readonly Path[]): Split | null {
  const reserve = split.paths.slice()
  const ideal = split.output
  const whole = split.clone()
  let best = cut(split, maxParts)
  if (best === null) return null
  if (ideal - best.output > best.output * WORTH_TRYING) {
    const all = [...reserve, ...joins(whole)]
    for (let round = 0; round < ROUNDS && ideal - best.output > best.output * WORTH_TRYING; round++) {
      const before = best.output
      best = exchange(best, all, maxParts)
      if (best.output - before < before * WORTH_TRYING) break
    }
    const other = ideal - best.output > best.output * WORTH_RECOMBINING ? recombine(whole) : null
    if (other !== null) {
      other.balance(ROUGH, 20)
      best = better(best, cut(other, maxParts, RECOMBINED_REMOVALS))
    }
  }
  best.balance(FINE, 40)
  best.trim()
  const asked = best.clone()
  const isOverfull = best.isOverfull()
  const fits = best.fit()
  if (!isOverfull && fits) best.output = Math.max(asked.output, best.output)
  if (!isOverfull) return fits ? best : null
  // Next to nothing is lost where a few units had to move.
  if (fits && asked.output - best.output <= best.output * WORTH_TRYING) return best
  best.clear()
  split.budget.left = Math.max(split.budget.left, SQUEEZE_BUDGET)
  const squeezed = squeeze(asked, absorbers(), maxParts)
  const chosen = fits && best.output >= (squeezed?.output ?? 0) ? best : squeezed
  // What it would be if all found room: who compares that with an exact quote sees that the plan was misled.
  if (chosen !== null) chosen.output = Math.max(asked.output, chosen.output)
  // How much better another division is cannot be told.
  if (chosen !== null) chosen.ideal = Number.POSITIVE_INFINITY
  return chosen
}

/** Takes away the paths that are missed least until few enough are left. */
function cut(split: Split, maxParts: number, removals = REMOVALS): Split | null {
  split.trim()
  let best: Split | null = split
  // Far from the end, several go at once: what matters is who is among the last.
  for (let excess = split.parts - maxParts; excess > FEW; excess = split.parts - maxParts) {
    const out: Path[] = []
    for (const path of split.leastMissed(split.parts).map(({ at }) => split.paths[at] as Path)) {
      // Each of two that have an edge in common may be missed little because the other one is there.
      if (!out.some((other) => path.some((edge) => other.includes(edge)))) out.push(path)
      if (out.length === Math.ceil((excess - FEW) / 2)) break
    }
    for (const path of out) split.trim(split.paths.indexOf(path))
    split.balance(ROUGH, 20)
    split.trim()
  }
  while (best !== null && best.parts > maxParts) best = withoutOne(best, removals)
  return best
}

function better(one: Split, other: Split | null): Split {
  return other !== null && other.output > one.output ? other : one
}

/**
 * The best division without one of its paths.
 *
 * @param least  output that it must be above
 */
function withoutOne(split: Split, tries: number, least = 0): Split | null {
  let best: Split | null = null
  for (const { at, loss } of split.leastMissed(tries)) {
    if (loss > DOUBTFUL * (split.output - (best?.output ?? least))) break
    const trial = split.clone()
    trial.trim(at)
    trial.balance(ROUGH, 20)
    trial.trim()
    if (trial.output > (best?.output ?? least)) best = trial
  }
  return best
}

/** Lets each path of the reserve that promises more take the place of one that is used, when that is better. */
function exchange(split: Split, reserve: readonly Path[], maxParts: number): Split {
  let best = split
  for (const path of split.promising(reserve).slice(0, EXCHANGES)) {
    let trial: Split | null = best.clone()
    if (!trial.add(path, 0)) continue
    trial.balance(ROUGH, 20)
    trial.trim()
    if (trial.parts > maxParts) trial = withoutOne(trial, 4, best.output)
    if (trial !== null && trial.output > best.output) best = trial
  }
  return best
}

/** How often a plan for an output is corrected, and how near it must come, relatively. */
const CORRECTIONS = 30
const NEAR = 1e-10
const LARGEST = 2 ** 62
/** Output whose rounding does not matter for a price. */
const ENOUGH_DIGITS = 10_000

/**
 * @param isRounded  as for `planSplit`
 * @returns the division whose output is `wanted`, with the least input; null when there is none
 */
export function planOutput(
  search: PathSearch,
  wanted: number,
  maxParts: number,
  budget: Budget,
  isRounded: boolean,
): Split | null {
  let split: Split | null = null
  let input = firstGuess(search, wanted)
  if (input === null) return null
  for (let round = 0; round < 2; round++) {
    split = planSplit(search, input, maxParts, budget, split === null ? { isRounded } : { start: split, isRounded })
    if (split === null) return null
    // The output bends down as the input grows: Newton's steps come from below and do not overshoot.
    for (let i = 0; i < CORRECTIONS && budget.left > 0; i++) {
      const missing = wanted - split.execute()
      if (Math.abs(missing) <= Math.max(1, wanted * NEAR)) break
      const next: number = input + missing / split.marginalRate()
      if (!(next > 0 && next < LARGEST)) return giveUp(split)
      split.scale(next / input)
      input = next
      if (!Number.isNaN(split.balance(FINE, 20))) continue
      split.clear()
      split = planSplit(search, input, maxParts, budget, { isRounded })
      if (split === null) return null
    }
    split.clear()
  }
  return split
}

function giveUp(split: Split): null {
  split.clear()
  return null
}

/** The input at the price of a small trade: not more than is needed. */
export function firstGuess(search: PathSearch, wanted: number): number | null {
  const enough = Math.min(wanted, ENOUGH_DIGITS)
  let guess: number | null = null
  for (let amount = 1; amount < LARGEST; amount *= 16) {
    const [found] = search.best(amount, 1)
    if (found === undefined) continue
    guess = (wanted / found.output) * amount
    if (found.output >= enough) break
  }
  return guess
}
