// What went wrong with a connection, as coded errors.
import type { WebSocket } from 'ws'
import { RetryableError, UserError } from '../../../core/errors.ts'
import type { ShipSettings } from './options.ts'

export function connectionLost(url: string, cause: string, { chain }: ShipSettings): RetryableError {
  return new RetryableError('SHIP_CONNECTION', `${chain}: ${url}: ${cause}`)
}

/** The error for an `error` event of the socket: a frame above the limit is for the operator, the rest passes. */
export function describeFailure(socket: WebSocket, error: Error & { code?: string }, settings: ShipSettings): Error {
  if (error.code !== 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    return connectionLost(socket.url, error.message || String(error.code), settings)
  }
  const { chain, maxFrameBytes } = settings
  const size = announcedSize(socket)
  return new UserError(
    'FRAME_TOO_LARGE',
    `${chain}: ${socket.url} sends a frame of ${size ?? 'more'} bytes, the limit is ${maxFrameBytes}`,
    { hint: `set maxFrameBytes of ${chain} to at least ${size ?? 2 * maxFrameBytes}`, place: { chain } },
  )
}

/** Size of the frame that the socket refused. The package tells it nowhere else. */
function announcedSize(socket: WebSocket): number | undefined {
  return (socket as unknown as { _receiver?: { _totalPayloadLength?: number } })._receiver?._totalPayloadLength
}
