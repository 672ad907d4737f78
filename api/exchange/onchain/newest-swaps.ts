// The newest swaps of a whole chain. Looks back over few blocks first: on a busy chain they are enough, on a quiet one
// there is little to read.
import type { BlockMark } from '../../market/model.ts'
import { type Page, type Queryable, readPage } from '../snapshot.ts'
import type { EventRow } from './events.ts'
import { NEWEST_SWAPS } from './sql.ts'

/** Blocks to look back over, one after the other; then over all. */
const SPANS = [1200, 40_000, 1_000_000]

/** @returns newest first; null when the chain is not indexed */
export async function newestSwaps(
  database: Queryable,
  chain: string,
  at: BlockMark,
  limit: number,
): Promise<Page<EventRow> | null> {
  for (const span of [...SPANS, at.block]) {
    const values = [chain, Math.max(0, at.block - span), limit]
    const page = await readPage<EventRow>(database, { name: 'newest-swaps', text: NEWEST_SWAPS, values }, 'sequence')
    if (page === null || page.rows.length >= limit || span >= at.block) return page
  }
  return null
}
