// Reads rows of the database and the market at the same block, for answers that need both.
import type { ChainContext } from '../chain-context.ts'
import { HttpError } from '../http/failures.ts'
import type { BlockMark, MarketState } from './model.ts'

/** Blocks come twice a second and a read takes milliseconds, so a second attempt is rare. */
const ATTEMPTS = 6

/**
 * @param read  reads in one snapshot and returns its block; null when the chain is not indexed
 * @throws HttpError 503 when rows and market never are at the same block
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
