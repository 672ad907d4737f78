// PostgreSQL servers that replicate to each other, for tests.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../indexer/store/embedded/server.ts'
import { migrate } from '../../../migrations/migrate.ts'

/** A server that can send its changes; it can be stopped and started again. */
export class Server {
  private readonly dataDir: string
  private running: EmbeddedPostgres | null = null

  constructor() {
    this.dataDir = mkdtempSync(join(tmpdir(), 'headwater-test-'))
    chmodSync(this.dataDir, 0o755)
  }

  get url(): string {
    return (this.running as EmbeddedPostgres).url
  }

  /** How another server connects. */
  get conninfo(): string {
    const { hostname, port, password } = new URL((this.running as EmbeddedPostgres).tcpUrl)
    return `host=${hostname} port=${port} user=postgres password=${password} dbname=headwater`
  }

  async start(): Promise<void> {
    this.running = await startEmbeddedPostgres({ dataDir: this.dataDir, durable: false })
  }

  async stop(): Promise<void> {
    await this.running?.stop()
    this.running = null
  }

  /** The WAL level takes effect at a start. */
  async setUp(): Promise<void> {
    await this.start()
    await this.ask(`alter system set wal_level = 'logical'`)
    await this.stop()
    await this.start()
    await migrate(this.url)
  }

  async ask(sql: string, ...values: unknown[]): Promise<pg.QueryResultRow[]> {
    const client = new pg.Client(this.url)
    await client.connect()
    try {
      return (await client.query(sql, values)).rows
    } finally {
      await client.end()
    }
  }

  remove(): void {
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}
