// Ranges of blocks whose digests two databases compare. Both sides must divide a range in the same way.

export interface BlockRange {
  from: number
  to: number
}

/** Limit of the parts into which a range is divided at once. */
const MAX_PARTS = 16

/**
 * Divides a range into at most 16 parts. Parts longer than a leaf end where leaves end, because the digests of leaves
 * are stored.
 *
 * @param leaf  length of the ranges whose digests are stored, blocks
 */
export function divide({ from, to }: BlockRange, leaf: number): BlockRange[] {
  const length = to - from + 1
  const isStored = length > leaf
  // An unaligned range touches one leaf more than fit in it.
  const step = isStored ? leaf * Math.ceil((Math.ceil(length / leaf) + 1) / MAX_PARTS) : Math.ceil(length / MAX_PARTS)
  const parts: BlockRange[] = []
  for (let at = from; at <= to; ) {
    const end = isStored ? Math.floor(at / leaf) * leaf + step - 1 : at + step - 1
    parts.push({ from: at, to: Math.min(end, to) })
    at = end + 1
  }
  return parts
}
