// Routes for operators: liveness, readiness, status, audits and Prometheus metrics.
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { Registry } from 'prom-client'
import { busy } from '../http/failures.ts'
import type { MarketAudit } from '../live-market/audit.ts'
import { Audits } from './audits.ts'
import { positionMetrics, sizeMetrics } from './metrics.ts'
import { type ChainPosition, readPositions } from './positions.ts'
import { type Readiness, readiness } from './readiness.ts'
import { type Replication, readReplication } from './replication.ts'
import { readReports } from './reports.ts'
import { readRowEstimates } from './row-estimates.ts'

export interface OperateOptions {
  pool: Pool
  /** Names of the exchange chains that are served. */
  chains: readonly string[]
  /** Names of the EVM chains of the bridge. */
  evm: readonly string[]
  /** Age of the last indexed block above which the service is not ready, seconds. */
  maxLagSeconds: number
  /** Lag of a standby above which the service is not ready, seconds. Default 10. */
  maxReplayLagSeconds?: number
  version: string
  /** Whether the market of a chain is loaded; until then its endpoints answer 503. */
  isLoaded: (chain: string) => boolean
  /** Compares the market of a chain with the database; null if it cannot be compared now. */
  audit: (chain: string) => Promise<MarketAudit | null>
  /** Metrics of other parts of the process. */
  registries?: readonly Registry[]
  /** Metrics that are read from the database at each scrape. */
  databaseRegistries?: readonly Registry[]
}

export function operateRoutes(app: FastifyInstance, options: OperateOptions): void {
  const { pool, chains, evm, maxLagSeconds, maxReplayLagSeconds = 10, version, isLoaded } = options
  const started = Date.now()
  const fromDatabase = [positionMetrics(pool), sizeMetrics(pool), ...(options.databaseRegistries ?? [])]

  app.get('/health/live', async () => ({ live: true }))

  const readinessOf = async (positions: readonly ChainPosition[], replication: Replication): Promise<Readiness> => {
    const reports = await readReports(pool)
    return readiness({ chains, evm, positions, reports, replication, maxLagSeconds, maxReplayLagSeconds, isLoaded })
  }
  const ready = async () => readinessOf(...(await Promise.all([readPositions(pool), readReplication(pool)])))

  app.get('/health/ready', async (_request, reply) => {
    const state = await ready().catch((error: Error) => ({
      ready: false,
      reasons: [`the database does not answer: ${error.message}`],
      warnings: [],
    }))
    return reply.code(state.ready ? 200 : 503).send(state)
  })

  const status = async () => {
    const [positions, replication, estimates] = await Promise.all([
      readPositions(pool),
      readReplication(pool),
      readRowEstimates(pool),
    ])
    return {
      version,
      uptimeSeconds: Math.round((Date.now() - started) / 1000),
      ...(await readinessOf(positions, replication)),
      replication,
      chains: positions.map((at) => ({ ...at, estimatedRows: estimates.get(at.chain) ?? {} })),
    }
  }
  app.get('/status', status)
  // On the feed's own host, `/status` belongs to the feed, so pages use this path.
  app.get('/health/status', { schema: { hide: true } }, status)

  const audits = new Audits(chains, options.audit)
  app.get('/health/market', async (_request, reply) => {
    const found = await audits.all()
    if (found === null) return busy(reply, 'A market is not at the block of the database.')
    const isRight = found.every(({ differences }) => differences.length === 0)
    return reply.code(isRight ? 200 : 500).send({ isRight, chains: found })
  })

  app.get('/metrics', async (_request, reply) => {
    // The process's own metrics are needed most when the database is down or slow, so they do not wait for it.
    const [own, known] = await Promise.all([
      Promise.all((options.registries ?? []).map((registry) => registry.metrics())),
      Promise.all(fromDatabase.map((registry) => textInTime(registry.metrics()))),
    ])
    return reply
      .type(Registry.PROMETHEUS_CONTENT_TYPE)
      .send([...known, ...own].filter((text) => text !== '').join('\n'))
  })
}

/** Time limit of metrics from the database, ms. Prometheus gives up after ten seconds. */
const METRICS_MS = 3000

/** The text; an empty text after an error or the time limit. */
async function textInTime(text: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(''), METRICS_MS)
  })
  return Promise.race([text.catch(() => ''), late]).finally(() => clearTimeout(timer))
}
