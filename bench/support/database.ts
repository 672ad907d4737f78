// A fresh, migrated database for a benchmark: on the server of HEADWATER_BENCH_DATABASE, else on an embedded one that
// is as durable as in production.
import pg from 'pg'
import { migrate } from '../../migrations/migrate.ts'
import { startTestCluster } from '../../test/support/cluster.ts'

export interface BenchDatabase {
  url: string
  close(): Promise<void>
}

export async function benchDatabase(name: string): Promise<BenchDatabase> {
  const given = process.env.HEADWATER_BENCH_DATABASE
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
