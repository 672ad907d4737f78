// Whether the rows of current state are complete. A start in the middle of a chain without its full state has only the rows
// that changed since: balances, positions and orders from before are unknown, not zero.

/** A history that begins with this block or an earlier one has every row: the first block has no events. */
export const CHAIN_START = 2

/** SQL of it, over the columns of `meta.position`. */
export const IS_WHOLE = `(first_block <= ${CHAIN_START} or state_block is not null)`
