// Routes WebSocket upgrades like other requests, so that the same hosts, limits and errors apply. The stream's route
// takes over the socket; any other answer closes it.
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { fail } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import type { MarketStream } from './market-stream.ts'

export const STREAM_PATH = '/api/v3/market/stream'

interface Upgrade {
  socket: Duplex
  head: Buffer
  response: ServerResponse
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/** Call it once, before the server listens. */
export function acceptUpgrades(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (upgrades.has(request.raw) && isWebSocket(request.raw) && request.routeOptions.url !== STREAM_PATH)
      return void fail(reply, 404, `There is no WebSocket here: the market stream is at ${STREAM_PATH}.`)
    done()
  })
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    // Methods with a body are refused: nothing would read the body of an upgrade.
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as never)
    response.once('finish', () => {
      response.detachSocket(socket as never)
      socket.end()
    })
    upgrades.set(request, { socket, head, response })
    app.routing(request, response)
  })
}

/** The route of the stream. A request without an upgrade gets 426 with an explanation. */
export function streamRoute(api: Api, stream: MarketStream): void {
  api.get(STREAM_PATH, { schema: { hide: true } }, (request, reply) => {
    const upgrade = upgrades.get(request.raw)
    if (upgrade === undefined || !isWebSocket(request.raw)) {
      const help = `This is a WebSocket: connect to ws://${request.host}${STREAM_PATH} and send {"op":"subscribe","channel":"tokens"}.`
      return fail(reply.header('upgrade', 'websocket').header('connection', 'upgrade'), 426, help)
    }
    const refused = stream.refuses(request.chain, request.ip)
    if (refused === 'all') return fail(reply.header('retry-after', '10'), 503, 'There are too many connections.')
    if (refused === 'address') return fail(reply, 429, 'There are too many connections from your address.')
    reply.hijack()
    const { socket, head, response } = upgrade
    response.detachSocket(socket as never)
    stream.accept(request.chain, request.raw, socket, head, request.ip)
    return reply
  })
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}
