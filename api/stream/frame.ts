// WebSocket frames as a server sends them (RFC 6455): bytes made once and written to any number of sockets.

/** A longer message is sent in fragments of this size: a reader that takes one of them makes progress. */
export const FRAGMENT = 64 * 1024
/** Frames up to this length may be taken back when what has to be done at once is done: who sends later copies them. */
export const COPIED_UP_TO = 16 * 1024

const TEXT = 0x1
const CONTINUATION = 0x0
const PONG = 0xa
const FINAL = 0x80

/** The frames of a text message, to be sent one after the other with no other message between. */
export function textFrames(text: string): Buffer[] {
  const length = Buffer.byteLength(text)
  if (length <= FRAGMENT) {
    const frame = Buffer.allocUnsafe(headerLength(length) + length)
    frame.write(text, writeHeader(frame, FINAL | TEXT, length))
    return [frame]
  }
  return textFramesOf(Buffer.from(text))
}

/** The same of a message that is bytes of UTF-8. */
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

/** The answer to a ping, which may hold up to 125 bytes. */
export function pongFrame(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([FINAL | PONG, data.length]), data])
}

export function headerLength(length: number): number {
  return length < 126 ? 2 : length < 65536 ? 4 : 10
}

/** Begins a frame that is a text message of so many bytes. */
export function writeTextHeader(frame: Buffer, length: number): void {
  writeHeader(frame, FINAL | TEXT, length)
}

/** @returns where the payload begins */
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
