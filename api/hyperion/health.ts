// Health in the form of Hyperion's.
import { HttpError } from '../http/failures.ts'
import type { Api } from '../http/typed.ts'
import { historyStart } from '../kit/history-start.ts'
import { coverageOf, timeText } from './answer.ts'
import { HealthAnswer } from './schema.ts'
import { HEALTH } from './sql.ts'

interface HealthRow {
  block: number
  id: string
  /** Unix milliseconds. */
  time: number
  lib: number
  head: number
  first: number
  chainId: string | null
  indexed: boolean
  ended: number
}

/** Seconds after which the last block is old. */
const OLD_SECONDS = 30

export function healthRoute(api: Api): void {
  const schema = {
    tags: ['Hyperion'],
    summary: 'Health, as Hyperion answers it',
    response: { 200: HealthAnswer },
  }
  const config = { withoutMarket: true }
  api.get('/v2/health', { schema, config }, async (request, reply) => {
    const started = performance.now()
    const { chain, pool, config } = request.chain
    const { rows } = await pool.query<HealthRow>({ name: 'hyperion-health', text: HEALTH, values: [chain] })
    const [row] = rows
    if (row === undefined) throw new HttpError(503, `${chain}: nothing is indexed yet. Try again in a moment.`)
    reply.header('cache-control', 'no-store').removeHeader('etag')
    const now = Date.now()
    const isOld = now - row.time > OLD_SECONDS * 1000 || row.ended > 0
    const entry = (service: string, status: string, data: Record<string, unknown>) => ({
      service,
      status,
      service_data: data,
      time: now,
    })
    return {
      version: '2',
      host: request.host,
      health: [
        entry('NodeosRPC', isOld ? 'Warning' : 'OK', {
          head_block_num: row.head,
          head_block_time: timeText(row.time),
          time_offset: Math.round(now - row.time),
          last_irreversible_block: row.lib,
          chain_id: row.chainId,
        }),
        // The name that clients look for. The database is PostgreSQL.
        entry('Elasticsearch', row.indexed && !isOld ? 'OK' : 'Warning', {
          engine: 'PostgreSQL',
          first_indexed_block: row.first,
          last_indexed_block: row.block,
          total_indexed_blocks: row.block - row.first + 1,
          missing_blocks: 0,
          missing_pct: '0.00%',
          head_offset: Math.max(0, row.head - row.block),
          active_shards: null,
        }),
      ],
      features: {
        streaming: { enable: false, traces: false, deltas: false },
        tables: { accounts: true, proposals: false, voters: false },
        index_deltas: false,
        index_transfer_memo: true,
        index_all_deltas: false,
        calls: ['get_actions', 'get_transfers', 'get_transaction', 'get_tokens'],
      },
      query_time_ms: Math.round((performance.now() - started) * 1000) / 1000,
      coverage: coverageOf(config, await historyStart(pool, chain)),
    }
  })
}
