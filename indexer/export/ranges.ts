// Selects the files to write, given the existing ones. Pure.

/** A block range, both ends inclusive. */
export interface BlockRange {
  fromBlock: number
  toBlock: number
}

/**
 * Divides the missing blocks into files. Files begin and end at multiples of `blocksPerFile`, at existing files, and at
 * the first and last block.
 *
 * @param done    existing ranges, ordered, without overlaps
 * @param isOpen  whether more blocks will follow the last one: then a last file that is not full is left for later
 */
export function missingFiles(
  done: readonly BlockRange[],
  { fromBlock: first, toBlock: last }: BlockRange,
  blocksPerFile: number,
  isOpen: boolean,
): BlockRange[] {
  const found: BlockRange[] = []
  for (const gap of gapsOf(done, first, last)) {
    for (let fromBlock = gap.fromBlock; fromBlock <= gap.toBlock; ) {
      const full = (Math.floor(fromBlock / blocksPerFile) + 1) * blocksPerFile - 1
      const toBlock = Math.min(full, gap.toBlock)
      const waits = isOpen && toBlock === last && toBlock < full
      if (!waits) found.push({ fromBlock, toBlock })
      fromBlock = toBlock + 1
    }
  }
  return found
}

/** First block from `first` on that is in none of the ordered ranges. */
export function firstMissing(done: readonly BlockRange[], first: number): number {
  let next = first
  for (const { fromBlock, toBlock } of done) if (fromBlock <= next && toBlock >= next) next = toBlock + 1
  return next
}

function gapsOf(done: readonly BlockRange[], first: number, last: number): BlockRange[] {
  const gaps: BlockRange[] = []
  let next = first
  for (const { fromBlock, toBlock } of done) {
    if (fromBlock > last) break
    if (fromBlock > next) gaps.push({ fromBlock: next, toBlock: fromBlock - 1 })
    next = Math.max(next, toBlock + 1)
  }
  if (next <= last) gaps.push({ fromBlock: next, toBlock: last })
  return gaps
}
