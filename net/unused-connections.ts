// Connections on which no whole request has arrived. Browsers open some ahead of need. Node closes idle connections only
// after their first request, and no longer checks its timeouts, so a server that closes would wait for them for ever.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Follows the connections of a server. Call it after the listener of upgrades was added.
 *
 * @returns a function that closes those without a request, and from then on each new one. Call it when the server closes
 */
export function closerOfUnused(server: Server): () => void {
  const unused = new Set<Socket>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    if (isClosing) return void socket.destroy()
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  const use = ({ socket }: IncomingMessage) => void unused.delete(socket)
  server.on('request', use)
  // A listener would take upgrades that the server answers as requests.
  if (server.listenerCount('upgrade') > 0) server.on('upgrade', use)
  return () => {
    isClosing = true
    for (const socket of unused) socket.destroy()
  }
}
