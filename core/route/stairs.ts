// Small amounts: where a path gives whole units only, its curve is a stair, and marginal prices say nothing. Moves of
// many sizes between pairs of paths are tried instead, in doubles that are rounded down as the contracts do.
import type { Path } from './path.ts'
import type { Split } from './split.ts'

/** Below this, a raw unit is worth looking at. */
export const SMALL_AMOUNT = 10_000
/** Sizes of moves, as shares of the whole: halves of each other. */
const SIZES = 8
const MOST_TRIALS = 6000

/** Whether any amount on the way is so small that its rounding counts. The flows must lie on the edges. */
export function hasStairs(split: Split): boolean {
  return split.paths.some(
    (path, i) =>
      (split.inputs[i] as number) > 0 &&
      path.some(({ flow, flowOut }) => flow < SMALL_AMOUNT || flowOut < SMALL_AMOUNT),
  )
}

/** @returns a division at least as good, over the paths of the split and of the reserve */
export function climb(split: Split, reserve: readonly Path[], maxParts: number): Split {
  const best = split.clone()
  for (const path of reserve) best.add(path, 0)
  best.inputs = best.inputs.map(Math.floor)
  const whole = split.inputs.reduce((sum, input) => sum + input, 0)
  best.inputs[0] = (best.inputs[0] as number) + Math.floor(whole) - best.inputs.reduce((sum, input) => sum + input, 0)
  best.output = best.execute()
  let trials = 0
  for (let improved = true; improved && trials < MOST_TRIALS && best.budget.left > 0; ) {
    improved = false
    for (let from = 0; from < best.paths.length; from++) {
      for (let to = 0; to < best.paths.length; to++) {
        if (to === from || !((best.inputs[from] as number) > 0)) continue
        const available = best.inputs[from] as number
        for (let size = 0; size <= SIZES; size++) {
          const amount = size === 0 ? available : Math.ceil(whole / 2 ** size)
          if (amount > available) continue
          const isNew = (best.inputs[to] as number) === 0 && amount < available
          if (isNew && best.parts >= maxParts) continue
          trials++
          if (best.tryMove(from, to, amount)) {
            improved = true
            break
          }
        }
      }
    }
  }
  best.clear()
  if (!(best.output > split.output)) return split
  best.trim()
  return best
}
