// Stands between the program and ClickHouse, and kills the program at a chosen statement.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** The used part of a tap test. */
interface Test {
  teardown(work: () => unknown): unknown
}

export interface Death {
  /** Statements that count. */
  at: RegExp
  /** Number of these statements that are answered before. */
  after: number
  /** Whether ClickHouse executes the statement. */
  isExecuted: boolean
  kill: () => void
}

export class KillingProxy {
  /** Statements that reached ClickHouse, in order. */
  readonly statements: string[] = []
  #death: Death | null = null
  readonly #target: URL
  readonly #server = createServer((asked, response) => {
    this.#pass(asked, response).catch(() => response.destroy())
  })
  #seen = 0

  /** @param target  address of ClickHouse */
  constructor(t: Test, target: string) {
    this.#target = new URL(target)
    t.teardown(() => {
      this.#server.close()
      this.#server.closeAllConnections()
    })
  }

  /** The next death; null once it has happened. */
  get death(): Death | null {
    return this.#death
  }

  /** Statements are counted from here. */
  set death(death: Death | null) {
    this.#death = death
    this.#seen = 0
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  url(database: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${database}`
  }

  async #pass(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(asked)
    const url = new URL(asked.url ?? '', this.#target)
    const sql = url.searchParams.get('query') ?? body.toString()
    const { death } = this
    const dies = death?.at.test(sql) === true && this.#seen++ === death.after
    if (dies) this.death = null
    if (dies && !death?.isExecuted) {
      death?.kill()
      response.destroy()
      return
    }
    const answer = await fetch(url, { method: 'POST', body: new Uint8Array(body) })
    const text = await answer.text()
    this.statements.push(sql)
    if (!dies) response.writeHead(answer.status).end(text)
    else {
      death?.kill()
      response.destroy()
    }
  }
}
