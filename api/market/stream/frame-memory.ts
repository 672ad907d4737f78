// Arena for the frames of one block: allocated in pieces and released as a whole at the next block. Frames of thousands
// of channels thus need no allocation each, and no frame keeps the memory of others alive.
import { COPIED_UP_TO, headerLength, textFrames, writeTextHeader } from './frame.ts'

const PIECE = 256 * 1024
/** Maximum bytes of UTF-8 for one UTF-16 unit of a string. */
const MAX_UTF8 = 3

export class FrameMemory {
  /** Increases with every `clear`. Frames of an earlier epoch are invalid. */
  epoch = 0
  private readonly pieces: Buffer[] = [Buffer.allocUnsafeSlow(PIECE)]
  private piece = 0
  private used = 0

  /** The frames of a text message, valid until `clear`. */
  frames(text: string): readonly Buffer[] {
    const header = headerLength(text.length)
    const room = header + text.length * MAX_UTF8
    if (room > COPIED_UP_TO) return textFrames(text)
    if (this.used + room > PIECE) {
      this.piece++
      this.used = 0
      this.pieces[this.piece] ??= Buffer.allocUnsafeSlow(PIECE)
    }
    const memory = this.pieces[this.piece] as Buffer
    const length = memory.write(text, this.used + header)
    // With multi-byte characters the message may need a longer header than was reserved.
    if (headerLength(length) !== header) return textFrames(text)
    const frame = memory.subarray(this.used, this.used + header + length)
    writeTextHeader(frame, length)
    this.used += frame.length
    return [frame]
  }

  /** Releases all frames. Keeps the pieces that they used for the next block. */
  clear(): void {
    this.epoch++
    this.pieces.length = this.piece + 1
    this.piece = 0
    this.used = 0
  }
}
