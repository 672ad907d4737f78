// Prometheus gauges of the database connections of a process.
import type { Pool } from 'pg'
import { Gauge, Registry } from 'prom-client'

/** Reads counters of the pool alone: it works while the database is down. */
export function poolMetrics(pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>): Registry {
  const registry = new Registry()
  new Gauge({
    name: 'headwater_pool_connections',
    help: 'Database connections for requests, by state: busy, idle. Requests that wait for one have the state waiting.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  return registry
}
