// Routes WebSocket upgrades like other requests, so that the same hosts, limits and errors apply. A route with
// `webSocket` in its configuration takes over the socket; any other answer closes it.
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from './failures.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes WebSockets. */
    webSocket?: boolean
  }
}

interface Upgrade {
  socket: Duplex
  head: Buffer
  response: ServerResponse
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/**
 * Call it once, before the server listens.
 *
 * @param paths  what refusals name
 */
export function acceptUpgrades(app: FastifyInstance, paths: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isTaken = request.routeOptions.config?.webSocket === true
    if (upgrades.has(request.raw) && isWebSocket(request.raw) && !isTaken)
      return void fail(reply, 404, `There is no WebSocket here: ${paths}.`)
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

/** Whether the request asks for a WebSocket. */
export function wantsWebSocket({ raw }: FastifyRequest): boolean {
  return upgrades.has(raw) && isWebSocket(raw)
}

/** Takes the socket of a request that `wantsWebSocket` from the server. */
export function takeSocket(request: FastifyRequest, reply: FastifyReply): { socket: Duplex; head: Buffer } {
  const { socket, head, response } = upgrades.get(request.raw) as Upgrade
  reply.hijack()
  response.detachSocket(socket as never)
  return { socket, head }
}

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}
