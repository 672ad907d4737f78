// A new, migrated database for a benchmark: on the server of HEADWATER_BENCH_DATABASE; with `stock` on Debian's
// PostgreSQL 15 with default settings; else on an embedded server with the durability of production.
import pg from 'pg'
import { migrate } from '../../migrations/migrate.ts'
import { startTestCluster } from '../../test/support/cluster.ts'
import { startStockServer } from '../../test/support/stock-server.ts'

export interface BenchDatabase {
  url: string
  close(): Promise<void>
}

export async function benchDatabase(name: string): Promise<BenchDatabase> {
  const given = process.env.HEADWATER_BENCH_DATABASE
  if (given === 'stock') return await stockDatabase(name)
  const cluster = given ? null : await startTestCluster({ durable: true })
  const server = given ?? (cluster as { url: string }).url
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  await migrate(url.href)
  return {
    url: url.href,
    close: async () => {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
      await cluster?.stop()
    },
  }
}

/** The owner of this database is no superuser. */
async function stockDatabase(name: string): Promise<BenchDatabase> {
  const server = await startStockServer()
  if ('missing' in server) throw new Error(server.missing)
  const admin = new pg.Client({ connectionString: server.adminUrl })
  await admin.connect()
  await admin.query(`create database ${name} owner keeper`)
  await admin.end()
  const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  await migrate(url)
  return { url, close: server.stop }
}
