// Runs `headwater api` in its own process, as an operator does, with a client for it.
import { type ChildProcess, spawn } from 'node:child_process'
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
  /** Milliseconds from the request to the last byte. */
  ms: number
}

/** A client of an API, or of a balancer before several. */
export class ApiClient {
  readonly port: number
  protected readonly agent = new http.Agent({ keepAlive: true, maxSockets: 4 })

  constructor(port: number) {
    this.port = port
  }

  close(): void {
    this.agent.destroy()
  }

  /** GETs a path of a chain. @returns the answer with its body as sent, not decompressed */
  get(chain: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const request = http.get(
        {
          host: '127.0.0.1',
          port: this.port,
          path,
          agent: this.agent,
          headers: { host: `${chain}.localhost`, ...headers },
        },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts),
              ms: performance.now() - started,
            }),
          )
          response.on('error', reject)
        },
      )
      request.on('error', reject)
    })
  }
}

export class ApiProcess extends ApiClient {
  private readonly child: ChildProcess

  get pid(): number {
    return this.child.pid ?? 0
  }

  private constructor(port: number, child: ChildProcess) {
    super(port)
    this.child = child
  }

  /** Starts the process and waits until the markets of all chains are loaded. */
  static async start(
    databaseUrl: string,
    chains: readonly string[],
    port: number,
    environment: Record<string, string> = {},
  ): Promise<ApiProcess> {
    const child = spawn(
      process.execPath,
      ['--max-semi-space-size=64', '--v8-pool-size=1', 'bin/headwater.js', 'api', '--chain', chains.join(',')],
      {
        cwd: new URL('../..', import.meta.url),
        env: {
          ...process.env,
          DATABASE_URL: databaseUrl,
          PORT: String(port),
          HEADWATER_RATE_LIMIT: '0',
          HEADWATER_LOG_LEVEL: 'warn',
          ...environment,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const api = new ApiProcess(port, child)
    for (const chain of chains) {
      for (;;) {
        if (child.exitCode !== null) throw new Error('the API ended')
        const answer = await api.get(chain, '/api/v2/swap/pools/0').catch(() => null)
        if (answer?.status === 200) break
        await delay(200)
      }
    }
    return api
  }

  /** Sum of the series of a metric by one of its labels. */
  async metric(name: string, label: string): Promise<Map<string, number>> {
    const text = (await this.get('localhost', '/metrics')).body.toString()
    const sums = new Map<string, number>()
    for (const line of text.split('\n')) {
      if (!line.startsWith(`${name}{`)) continue
      const value = new RegExp(`[{,]${label}="([^"]*)"`).exec(line)?.[1] ?? ''
      sums.set(value, (sums.get(value) ?? 0) + Number(line.slice(line.lastIndexOf(' '))))
    }
    return sums
  }

  async stop(): Promise<void> {
    this.close()
    if (this.child.exitCode !== null) return
    const ended = new Promise((resolve) => this.child.once('exit', resolve))
    this.child.kill('SIGTERM')
    await ended
  }
}
