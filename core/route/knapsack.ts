// The best division in equal steps if no path took anything from another one: a knapsack problem, solved by dynamic
// programming. It knows minimum orders, full venues and rounding, which no margin shows; paths that share a venue it
// overrates.

/**
 * @param outputs   by path: output for 1 to `all` steps, at that index; −∞ where the path cannot take them
 * @param all       steps of the whole amount, at most 255
 * @param maxParts  parts at most
 * @returns for each number of parts the best division: steps by path; only those that are possible
 */
export function knapsack(outputs: readonly Float64Array[], all: number, maxParts: number): number[][] {
  const width = all + 1
  const best = new Float64Array((maxParts + 1) * width).fill(Number.NEGATIVE_INFINITY)
  best[0] = 0
  // Steps that each path takes in the best division of so many parts and steps among the paths up to it.
  const taken = outputs.map(() => new Uint8Array((maxParts + 1) * width))
  outputs.forEach((output, path) => {
    // Downwards, so that each path is used once.
    for (let parts = maxParts; parts > 0; parts--) {
      for (let steps = all; steps > 0; steps--) {
        const at = parts * width + steps
        for (let own = 1; own <= steps; own++) {
          const value = (best[at - width - own] as number) + (output[own] as number)
          if (!(value > (best[at] as number))) continue
          best[at] = value
          ;(taken[path] as Uint8Array)[at] = own
        }
      }
    }
  })
  const found: number[][] = []
  for (let parts = 1; parts <= maxParts; parts++) {
    if (!((best[parts * width + all] as number) > 0)) continue
    const division = outputs.map(() => 0)
    let [at, left] = [parts * width + all, all]
    for (let path = outputs.length - 1; path >= 0 && left > 0; path--) {
      const own = (taken[path] as Uint8Array)[at] as number
      if (own === 0) continue
      division[path] = own
      left -= own
      at -= width + own
    }
    found.push(division)
  }
  return found
}
