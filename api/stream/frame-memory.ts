// Memory for the frames of one block: given out piece by piece, and taken back as a whole with the next block. So frames of
// thousands of channels cost no allocation each, and none of them keeps others in memory.
import { COPIED_UP_TO, headerLength, textFrames, writeTextHeader } from './frame.ts'

const PIECE = 256 * 1024
/** Bytes of UTF-8 that one unit of a string becomes at most. */
const WIDEST = 3

export class FrameMemory {
  /** Grows whenever frames are taken back: those of an earlier one are no frames any more. */
  epoch = 0
  private readonly pieces: Buffer[] = [Buffer.allocUnsafeSlow(PIECE)]
  private piece = 0
  private used = 0

  /** The frames of a text message, valid until `clear`. */
  frames(text: string): readonly Buffer[] {
    const header = headerLength(text.length)
    const room = header + text.length * WIDEST
    if (room > COPIED_UP_TO) return textFrames(text)
    if (this.used + room > PIECE) {
      this.piece++
      this.used = 0
      this.pieces[this.piece] ??= Buffer.allocUnsafeSlow(PIECE)
    }
    const memory = this.pieces[this.piece] as Buffer
    const length = memory.write(text, this.used + header)
    // With wide letters the message can be so much longer that its header is.
    if (headerLength(length) !== header) return textFrames(text)
    const frame = memory.subarray(this.used, this.used + header + length)
    writeTextHeader(frame, length)
    this.used += frame.length
    return [frame]
  }

  /** Takes all frames back; keeps as much memory as they took. */
  clear(): void {
    this.epoch++
    this.pieces.length = this.piece + 1
    this.piece = 0
    this.used = 0
  }
}
