// The route of the market stream.
import { fail } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { takeSocket, wantsWebSocket } from '../../http/upgrades.ts'
import type { MarketStream } from './market-stream.ts'

export const STREAM_PATH = '/api/v3/market/stream'

/** A request without an upgrade gets 426 with an explanation. */
export function streamRoute(api: Api, stream: MarketStream): void {
  api.get(STREAM_PATH, { schema: { hide: true }, config: { webSocket: true } }, (request, reply) => {
    if (!wantsWebSocket(request)) {
      const help = `This is a WebSocket: connect to ws://${request.host}${STREAM_PATH} and send {"op":"subscribe","channel":"tokens"}.`
      return fail(reply.header('upgrade', 'websocket').header('connection', 'upgrade'), 426, help)
    }
    const refused = stream.refuses(request.chain, request.ip)
    if (refused === 'all') return fail(reply.header('retry-after', '10'), 503, 'There are too many connections.')
    if (refused === 'address') return fail(reply, 429, 'There are too many connections from your address.')
    const { socket, head } = takeSocket(request, reply)
    stream.accept(request.chain, request.raw, socket, head, request.ip)
    return reply
  })
}
