// Prometheus gauges read from the database: every process reports the same values.
import type { Pool } from 'pg'
import { Gauge, Registry } from 'prom-client'
import { type ChainPosition, readPositions } from './positions.ts'

const GAUGES: [name: string, help: string, read: (at: ChainPosition) => number][] = [
  ['head_block', 'Head of the node when it sent the last indexed block.', (at) => at.head],
  ['irreversible_block', 'Last irreversible block among the indexed ones.', (at) => at.lib],
  ['indexed_block', 'Last indexed block.', (at) => at.block],
  [
    'lag_blocks',
    'Blocks between the last head seen and the last indexed block, plus the estimated blocks since that head.',
    (at) => at.lagBlocks,
  ],
  ['lag_seconds', 'Age of the last indexed block.', (at) => at.lagSeconds],
  ['stale_rows', 'Current rows whose last change could not be decoded.', (at) => at.staleRows],
  ['backfilled', '1 once history is indexed and its indexes are built.', (at) => Number(at.indexed)],
]

/** A registry whose gauges read the database at each scrape. */
export function positionMetrics(pool: Pool): Registry {
  const registry = new Registry()
  let positions: Promise<ChainPosition[]> | undefined
  for (const [name, help, read] of GAUGES)
    new Gauge({
      name: `headwater_${name}`,
      help,
      labelNames: ['chain'],
      registers: [registry],
      async collect() {
        // The gauges are collected concurrently and share one query.
        positions ??= readPositions(pool).finally(() => {
          positions = undefined
        })
        for (const at of await positions) this.set({ chain: at.chain }, read(at))
      },
    })
  return registry
}
