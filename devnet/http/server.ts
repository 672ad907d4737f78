// The chain API of a devnet over HTTP, on the local interface.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Chain } from '../chain/chain.ts'
import { chainApi } from './chain-api.ts'
import { ChainApiError } from './error.ts'

export interface HttpServer {
  /** `http://127.0.0.1:…` */
  url: string
  stop(): Promise<void>
}

async function answer(chain: Chain, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const handler = chainApi[new URL(request.url ?? '/', 'http://localhost').pathname]
  if (!handler) return void send(404, { code: 404, message: 'Not Found' })
  try {
    const body = await text(request)
    send(200, handler(chain, (body === '' ? {} : JSON.parse(body)) as never))
  } catch (error) {
    if (error instanceof ChainApiError) send(500, error.body)
    else if (error instanceof SyntaxError) send(400, { code: 400, message: 'Invalid Request' })
    else throw error
  }
}

/** @param port  0 takes any free one */
export async function startHttp(chain: Chain, port = 0): Promise<HttpServer> {
  const server = createServer((request, response) => void answer(chain, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
