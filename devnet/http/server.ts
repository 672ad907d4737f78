// The devnet's chain API over HTTP, on the loopback interface.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Chain } from '../chain/chain.ts'
import type { Inbox } from '../chain/inbox.ts'
import { chainApi } from './chain-api.ts'
import { ChainApiError } from './error.ts'
import { pushTransaction } from './push.ts'
import { TRIALS, tryTransaction } from './trial.ts'

export interface HttpServer {
  /** `http://127.0.0.1:…` */
  url: string
  stop(): Promise<void>
}

/** Paths that accept transactions. */
const PUSH: readonly string[] = ['/v1/chain/push_transaction', '/v1/chain/send_transaction']

/** CORS for any origin, like most public nodes. */
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
}

async function answer(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { chain, inbox, isAccount } = served
  const send = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json', ...ANY_ORIGIN }).end(JSON.stringify(body))
  if (request.method === 'OPTIONS') return void response.writeHead(204, ANY_ORIGIN).end()
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const push = inbox !== null && PUSH.includes(pathname)
  const handler = chainApi[pathname]
  const mayWrite = TRIALS[pathname]
  if (!push && !handler && (inbox === null || mayWrite === undefined))
    return void send(404, { code: 404, message: 'Not Found' })
  try {
    const sent = await text(request)
    const body = (sent === '' ? {} : JSON.parse(sent)) as never
    if (push) send(200, await pushTransaction(inbox, body))
    else if (inbox !== null && mayWrite !== undefined) send(200, tryTransaction(chain, inbox, body, mayWrite))
    else if (handler) send(200, handler(chain, body, { isAccount, cpu: inbox?.cpu ?? null }))
  } catch (error) {
    if (error instanceof ChainApiError) send(500, error.body)
    else if (error instanceof SyntaxError) send(400, { code: 400, message: 'Invalid Request' })
    else throw error
  }
}

interface Served {
  chain: Chain
  inbox: Inbox | null
  isAccount(name: string): boolean
}

export interface HttpOptions {
  /** Accepts transactions; without it, they are refused. */
  inbox?: Inbox | null
  /** 0 for any free port. */
  port?: number
  /** Whether an account exists; default: only accounts with contracts exist. */
  isAccount?: (name: string) => boolean
}

export async function startHttp(chain: Chain, options: HttpOptions = {}): Promise<HttpServer> {
  const { inbox = null, port = 0, isAccount = (name) => chain.state.findAccount(name) !== undefined } = options
  const server = createServer((request, response) => void answer({ chain, inbox, isAccount }, request, response))
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
