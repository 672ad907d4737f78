// Starts the HTTP server of a process and says where it listens.

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { Registry } from 'prom-client'
import { createServer } from '../api/server.ts'
import type { Config } from '../config/schema.ts'
import { UserError } from '../core/errors.ts'
import type { Log } from './cli/log.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export interface Served {
  /** `http://127.0.0.1:7700` */
  url: string
  close(): Promise<void>
}

/** @throws UserError PORT_IN_USE */
export async function serve(
  config: Config,
  databaseUrl: string,
  log: Log,
  options: { port?: number; registries?: readonly Registry[] } = {},
): Promise<Served> {
  const { host, maxLagSeconds } = config
  const port = options.port ?? config.port
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 5000,
    statement_timeout: 10_000,
  })
  // A connection that the server ended is no reason to end: the pool opens another.
  pool.on('error', (error) => log.warn('lost a database connection', { reason: error.message }))
  const chains = config.chains.map(({ chain }) => chain)
  const server = createServer({ pool, chains, maxLagSeconds, version, registries: options.registries })
  try {
    await server.listen({ host, port })
  } catch (cause) {
    await pool.end()
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause
    throw new UserError('PORT_IN_USE', `port ${port} of ${host} is taken`, {
      hint: 'set PORT to another one, or to 0',
      cause,
    })
  }
  const address = server.server.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
  log.info('serves', { url })
  return {
    url,
    async close() {
      await server.close()
      await pool.end()
    },
  }
}
