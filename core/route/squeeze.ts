// A division that asks for more than a venue has, where every way that is worth something leads through that venue: the
// whole amount has to be spent all the same, so some of it goes over a path that makes less of it, just so much that what
// arrives at the venue fits. The output of any division that fills the venue is about the same; which path takes the
// excess decides what the others still give.
import { type Path, samePath } from './path.ts'
import type { Split } from './split.ts'

/** Halvings of the gap between a division that fits and one that does not. */
const HALVINGS = 40
/** Rounds of moves between two paths within what fits, and halvings for each. */
const ROUNDS = 3
const MOVE_HALVINGS = 24

/**
 * @param overfull   a division that does not fit
 * @param absorbers  paths each of which takes the whole amount
 * @returns the best division that fits, from the way between the overfull one and one of the absorbers; null when there is
 *          none. No flows are left
 */
export function squeeze(overfull: Split, absorbers: readonly Path[], maxParts: number): Split | null {
  let best: Split | null = null
  for (const path of absorbers) {
    const trial = overfull.clone()
    if (towards(trial, path, maxParts) && trial.output > (best?.output ?? 0)) best = trial
    trial.clear()
  }
  if (best === null) return null
  for (let round = 0; round < ROUNDS && moveWithin(best); round++);
  best.clear()
  return best
}

/** Moves as much to the absorber as is needed, by the same share from all others. @returns false when nothing is enough */
function towards(split: Split, absorber: Path, maxParts: number): boolean {
  split.trim()
  if (!split.paths.some((path) => samePath(path, absorber))) {
    if (split.parts >= maxParts) split.trim(smallest(split.inputs))
    split.add(absorber, 0)
  }
  const at = split.paths.findIndex((path) => samePath(path, absorber))
  const from = split.inputs.slice()
  const whole = from.reduce((sum, input) => sum + input, 0)
  const mixed = (share: number) => {
    const others = from.map((input, i) => (i === at ? 0 : Math.floor(input * (1 - share))))
    return others.with(at, whole - others.reduce((sum, input) => sum + input, 0))
  }
  let [low, high] = [0, 1]
  if (!split.takes(mixed(high))) return false
  for (let i = 0; i < HALVINGS && split.budget.left > 0; i++) {
    const middle = (low + high) / 2
    if (split.takes(mixed(middle))) high = middle
    else low = middle
  }
  split.inputs = mixed(high)
  split.output = split.execute()
  return true
}

function smallest(inputs: readonly number[]): number {
  return inputs.reduce((least, input, i) => (input < (inputs[least] as number) ? i : least), 0)
}

/** Moves between each two paths as far as all still fit, where that gives more. @returns whether any did */
function moveWithin(split: Split): boolean {
  const before = split.output
  for (let from = 0; from < split.paths.length; from++) {
    for (let to = 0; to < split.paths.length; to++) {
      if (to === from || !((split.inputs[from] as number) > 0) || split.budget.left <= 0) continue
      const moved = (amount: number) =>
        split.inputs.with(from, (split.inputs[from] as number) - amount).with(to, (split.inputs[to] as number) + amount)
      let [low, high] = [0, split.inputs[from] as number]
      if (split.takes(moved(high))) low = high
      for (let i = 0; i < MOVE_HALVINGS && high - low > 1; i++) {
        const middle = Math.floor((low + high) / 2)
        if (split.takes(moved(middle))) low = middle
        else high = middle
      }
      const inputs = moved(low)
      const output = low > 0 ? split.execute(inputs) : 0
      if (!(output > split.output)) continue
      split.inputs = inputs
      split.output = output
    }
  }
  return split.output > before
}
