// Prometheus gauges read from the database: every process reports the same values.
import type { Pool } from 'pg'
import { Gauge, Registry } from 'prom-client'
import { type ChainPosition, readPositions } from './positions.ts'
import { type Replication, readReplication } from './replication.ts'

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

const SERVER_GAUGES: [name: string, help: string, read: (replication: Replication) => number][] = [
  ['standby', '1 if the database is a physical standby.', ({ standby }) => Number(standby)],
  [
    'replay_lag_seconds',
    'Age of the last transaction that the standby has replayed; 0 if it has replayed all, and on a primary.',
    ({ replayLagSeconds }) => replayLagSeconds,
  ],
  ['replay_lag_bytes', 'Bytes that the standby has received and not replayed.', ({ replayLagBytes }) => replayLagBytes],
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
  let replication: Promise<Replication> | undefined
  for (const [name, help, read] of SERVER_GAUGES)
    new Gauge({
      name: `headwater_${name}`,
      help,
      registers: [registry],
      async collect() {
        replication ??= readReplication(pool).finally(() => {
          replication = undefined
        })
        this.set(read(await replication))
      },
    })
  return registry
}

/** The statement for the size reads the file system, so a value is used for a minute. */
const SIZE_MS = 60_000

/** The size of the database. A registry of its own: a login may have no right to it. */
export function sizeMetrics(pool: Pool): Registry {
  const registry = new Registry()
  let known: { bytes: number; at: number } | null = null
  new Gauge({
    name: 'headwater_database_bytes',
    help: 'Size of the database on its disk.',
    registers: [registry],
    async collect() {
      if (known === null || performance.now() - known.at > SIZE_MS) {
        const { rows } = await pool.query<{ bytes: string }>(
          'select pg_database_size(current_database())::text as bytes',
        )
        known = { bytes: Number(rows[0]?.bytes), at: performance.now() }
      }
      this.set(known.bytes)
    },
  })
  return registry
}
