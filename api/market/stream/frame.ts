// WebSocket frames of a server (RFC 6455): made once for a message, and written to any number of sockets.

/** Fragment size of longer messages, bytes. A slow reader makes progress with each fragment. */
export const FRAGMENT = 64 * 1024
/** Frames up to this length, bytes, may be in reused memory (frame-memory.ts): copy them to send them later. */
export const COPIED_UP_TO = 16 * 1024

const TEXT = 0x1
const CONTINUATION = 0x0
const PONG = 0xa
const FINAL = 0x80

/** The frames of a text message. They must be sent consecutively, without another message in between. */
export function textFrames(text: string): Buffer[] {
  const length = Buffer.byteLength(text)
  if (length <= FRAGMENT) {
    const frame = Buffer.allocUnsafe(headerLength(length) + length)
    frame.write(text, writeHeader(frame, FINAL | TEXT, length))
    return [frame]
  }
  return textFramesOf(Buffer.from(text))
}

/** The same for a message in UTF-8. */
export function textFramesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += FRAGMENT) {
    const part = bytes.subarray(at, at + FRAGMENT)
    const frame = Buffer.allocUnsafe(headerLength(part.length) + part.length)
    const code = at === 0 ? TEXT : CONTINUATION
    part.copy(frame, writeHeader(frame, at + FRAGMENT >= bytes.length ? FINAL | code : code, part.length))
    frames.push(frame)
  }
  return frames
}

/** Pong with the payload of a ping, at most 125 bytes. */
export function pongFrame(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([FINAL | PONG, data.length]), data])
}

export function headerLength(length: number): number {
  return length < 126 ? 2 : length < 65536 ? 4 : 10
}

/** Writes the header of a text frame. @param length  of the payload, bytes */
export function writeTextHeader(frame: Buffer, length: number): void {
  writeHeader(frame, FINAL | TEXT, length)
}

/** @returns offset of the payload */
function writeHeader(frame: Buffer, first: number, length: number): number {
  frame[0] = first
  if (length < 126) frame[1] = length
  else if (length < 65536) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  return headerLength(length)
}
