// Coded errors of connections.
import type { WebSocket } from 'ws'
import { DecodeError, type HeadwaterError, RetryableError, UserError } from '../../../core/errors.ts'
import type { ShipSettings } from './options.ts'

export function connectionLost(url: string, cause: string, { chain }: ShipSettings): RetryableError {
  return new RetryableError('SHIP_CONNECTION', `${chain}: ${url}: ${cause}`)
}

/** Maps an `error` event of the socket: a frame above the limit is a user error, the rest is retryable. */
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

/** Size of the frame that the socket refused. Reads a private field, because `ws` exposes it nowhere else. */
function announcedSize(socket: WebSocket): number | undefined {
  return (socket as unknown as { _receiver?: { _totalPayloadLength?: number } })._receiver?._totalPayloadLength
}

/** Adds the node and the expected block to an error that lacks them. */
export function atBlock(error: HeadwaterError, chain: string, url: string, block: number): HeadwaterError {
  const options = { hint: error.hint, place: { ...error.place, chain, block }, cause: error }
  if (error instanceof DecodeError) {
    const message = `${chain}: ${url} sent a message that cannot be read where block ${block} was due: ${error.message}`
    return new RetryableError(error.code, message, options)
  }
  if (error.code !== 'FRAME_TOO_LARGE') return error
  return new UserError(error.code, `${error.message} (block ${block} was due)`, options)
}

/** Whether an error says that bytes of a node cannot be decoded. */
export function isUnreadable(error: HeadwaterError): boolean {
  return error instanceof DecodeError || error.code === 'SHIP_FRAME'
}

/** The error for undecodable bytes that every node has sent. */
export function unreadable({ code, message, place, cause }: HeadwaterError): DecodeError {
  return new DecodeError(code, `${message}; every node of the chain sends it so`, {
    hint: 'a newer version of the program may know this format; please report it',
    place,
    cause,
  })
}
