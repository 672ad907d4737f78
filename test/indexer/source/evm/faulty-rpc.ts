// A JSON-RPC proxy that can give wrong answers, lag, refuse and stop.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Request {
  id: number
  method: string
  params: unknown[]
}

/** Changes an answer; throws to refuse. @param result  the node's answer */
export type Fault = (request: Request, result: unknown) => unknown

export class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export class FaultyRpc {
  readonly url: string
  /** Received requests, with batches split. */
  readonly requests: Request[] = []
  fault: Fault = (_, result) => result
  /** Number of next requests that are refused as too many. */
  busy = 0
  /** Address of the target server. */
  node: string
  private readonly server: Server

  private constructor(server: Server, node: string) {
    this.node = node
    this.server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(t: { teardown(work: () => Promise<void>): void }, node: string): Promise<FaultyRpc> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const proxy = new FaultyRpc(server, node)
    t.teardown(() => proxy.die())
    server.on('request', async (incoming, outgoing) => {
      let body = ''
      for await (const chunk of incoming) body += chunk
      const given = JSON.parse(body) as Request | Request[]
      const requests = Array.isArray(given) ? given : [given]
      proxy.requests.push(...requests)
      if (proxy.busy > 0) {
        proxy.busy--
        outgoing.writeHead(429, { 'retry-after': '1' }).end()
        return
      }
      const answer = await fetch(proxy.node, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const found = (await answer.json()) as { id: number; result: unknown } | { id: number; result: unknown }[]
      const results = new Map((Array.isArray(found) ? found : [found]).map((one) => [one.id, one]))
      const answers = requests.map((request) => {
        const one = results.get(request.id)!
        try {
          return 'error' in one ? one : { ...one, result: proxy.fault(request, one.result) }
        } catch (error) {
          const { code, message } = error as Refusal
          return { jsonrpc: '2.0', id: request.id, error: { code, message } }
        }
      })
      outgoing.setHeader('content-type', 'application/json')
      outgoing.end(JSON.stringify(Array.isArray(given) ? answers : answers[0]))
    })
    return proxy
  }

  async die(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve))
    this.server.closeAllConnections()
    await closed
  }
}
