// Rows of the database with the market at the same block: an answer that needs both is of one block.
import type { ChainContext } from '../chain-context.ts'
import { HttpError } from '../http/failures.ts'
import type { BlockMark, MarketState } from './model.ts'

/** Blocks come twice a second, a read takes milliseconds: it seldom takes a second attempt. */
const ATTEMPTS = 6

/**
 * @param read  reads in one snapshot and says of which block it is; null when the chain is not indexed
 * @throws HttpError 503 when the two do not meet
 */
export async function readTogether<T extends { at: BlockMark }>(
  { chain, market }: ChainContext,
  read: () => Promise<T | null>,
): Promise<{ read: T; state: MarketState }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await read()
    if (found === null) break
    if (market.state?.at.id !== found.at.id) await market.reach(found.at)
    const { state } = market
    if (state !== null && state.at.id === found.at.id) return { read: found, state }
  }
  throw new HttpError(503, `${chain}: data is being loaded. Try again in a moment.`)
}
