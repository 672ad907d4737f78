// The file format of recordings: messages, each with its length as a little-endian u32, optionally gzipped. The first
// message is the ABI text of state history, the others are result frames. Read as a stream.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { readU32 } from '../../core/antelope/raw.ts'
import { UserError } from '../../core/errors.ts'
import { versionsOf } from './ship/protocol.ts'

/** A message of a recording, with the offset of its length field in the unpacked file. */
export interface RecordedMessage {
  bytes: Uint8Array
  offset: number
}

const CHUNK = 1 << 18
/** Size limit of a message, bytes: no node sends larger frames, so a larger length means damage. */
const MAX_MESSAGE_BYTES = 1 << 30

/**
 * The result frames of a recording, in order. Calls `onAbi` first.
 *
 * @throws UserError RECORDING_MISSING, RECORDING_CUT, RECORDING_CORRUPT, with file and offset
 */
export async function* readRecording(
  path: string,
  onAbi: (text: string) => void = () => {},
): AsyncGenerator<RecordedMessage> {
  let first = true
  for await (const message of messages(path)) {
    if (!first) yield message
    else {
      const text = Buffer.from(message.bytes).toString()
      if (!versionsOf(text)) throw corrupt(path, 0, NO_RECORDING)
      onAbi(text)
      first = false
    }
  }
  if (first) throw cut(path, 0)
}

/** Reads the beginning of a file. @throws UserError RECORDING_* when it cannot be read or is no recording */
export async function checkRecording(path: string): Promise<void> {
  for await (const _frame of readRecording(path)) return
}

const NO_RECORDING = 'it does not begin with the ABI of state history'

/** The error for invalid bytes of a recording. */
export function corrupt(path: string, offset: number, why: string, cause?: unknown): UserError {
  const hint = 'record it again, or fetch it again and compare the size'
  return new UserError('RECORDING_CORRUPT', `${path} is damaged at offset ${offset}: ${why}`, { hint, cause })
}

function cut(path: string, offset: number): UserError {
  const hint = 'fetch it again and compare the size'
  return new UserError('RECORDING_CUT', `${path} ends in the middle of a message at offset ${offset}`, { hint })
}

async function* messages(path: string): AsyncGenerator<RecordedMessage> {
  let rest: Uint8Array[] = []
  let held = 0
  let wanted = 4
  let offset = 0
  for await (const chunk of chunks(path, () => offset)) {
    rest.push(chunk)
    held += chunk.length
    if (held < wanted) continue
    const bytes = rest.length === 1 ? chunk : Buffer.concat(rest, held)
    let at = 0
    for (;;) {
      wanted = 4
      if (held - at < wanted) break
      const length = readU32(bytes, at)
      if (length === 0 || length > MAX_MESSAGE_BYTES)
        throw corrupt(path, offset, offset === 0 ? NO_RECORDING : `a message of ${length} bytes`)
      wanted = 4 + length
      if (held - at < wanted) break
      yield { bytes: bytes.subarray(at + 4, at + wanted), offset }
      at += wanted
      offset += wanted
    }
    held -= at
    rest = held > 0 ? [bytes.subarray(at)] : []
  }
  if (held > 0) throw cut(path, offset)
}

async function* chunks(path: string, offset: () => number): AsyncGenerator<Uint8Array> {
  const zipped = await isZipped(path)
  const file = createReadStream(path, { highWaterMark: CHUNK })
  const stream = zipped ? file.pipe(createGunzip({ chunkSize: CHUNK })) : file
  if (zipped) file.on('error', (error) => stream.destroy(error))
  try {
    yield* stream
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw cut(path, offset())
    if (code?.startsWith('Z_')) throw corrupt(path, offset(), message, error)
    throw error
  } finally {
    file.destroy()
  }
}

async function isZipped(path: string): Promise<boolean> {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } catch (error) {
    const { message } = error as Error
    throw new UserError('RECORDING_MISSING', `${path} cannot be read: ${message}`, {
      hint: 'check the path',
      cause: error,
    })
  }
}
