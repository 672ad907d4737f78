// The newest swaps of a whole chain. Searches few blocks first: on a busy chain they are enough, and on a quiet chain
// there is little to read.

import { type Page, type Queryable, readPage } from '../../kit/snapshot.ts'
import type { BlockMark } from '../../live-market/model.ts'
import type { EventRow } from './events.ts'
import { NEWEST_SWAPS } from './sql.ts'

/** Numbers of blocks to search, in turn; then the whole history. */
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
