// Table deltas that are too large for memory, such as the first entry of a log, which holds the whole state. They are
// inflated in a stream; the wanted rows wait in an unnamed file until they are projected.
import { closeSync, readSync, writeSync } from 'node:fs'
import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import { DeltaSplitter, type RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import { type LengthField, PAYLOAD_HEAD, readPayloadHead } from '../../../core/antelope/logs/payload.ts'
import { PROPERTIES_TABLE } from '../../../core/antelope/logs/properties.ts'
import { DecodeError } from '../../../core/errors.ts'
import type { DeltaParts } from '../source.ts'
import { openUnnamedFile } from '../unnamed-file.ts'
import type { ByteFile } from './byte-file.ts'

/** Tables that readers can want: projections want those of accounts and contracts. */
const TABLES: ReadonlySet<string> = new Set(['account', 'contract_row', PROPERTIES_TABLE])
const INFLATED_CHUNK = 1 << 18

/** Closes the file of parts that are not referenced any more. */
const forgotten = new FinalizationRegistry<number>((file) => closeSync(file))

class SpooledParts implements DeltaParts {
  readonly #file = openUnnamedFile()
  readonly #lengths: number[] = []
  #size = 0

  constructor() {
    forgotten.register(this, this.#file)
  }

  add(part: Uint8Array): void {
    for (let done = 0; done < part.length; ) {
      done += writeSync(this.#file, part, done, undefined, this.#size + done)
    }
    this.#size += part.length
    this.#lengths.push(part.length)
  }

  *parts(): Generator<Uint8Array> {
    let position = 0
    for (const length of this.#lengths) {
      const part = new Uint8Array(length)
      for (let done = 0; done < length; ) done += readSync(this.#file, part, done, length - done, position + done)
      yield part
      position += length
    }
  }
}

export interface LargeDeltas {
  parts: DeltaParts
  /** Size of the content, bytes. */
  bytes: number
  lengthField: LengthField
}

/**
 * Reads the deltas of a payload in constant memory. Checks sizes and the stream's checksum, and walks all rows.
 *
 * @param offset  of the payload in the file
 * @param size    of the payload, bytes
 * @param filter  which rows of accounts, contracts and the global properties are kept
 * @throws DecodeError LOG_PAYLOAD, or for malformed deltas
 */
export async function readLargeDeltas(
  file: ByteFile,
  offset: number,
  size: number,
  filter: RowFilter,
): Promise<LargeDeltas> {
  const head = readPayloadHead(await file.read(offset, Math.min(size, PAYLOAD_HEAD)), size)
  const parts = new SpooledParts()
  const splitter = new DeltaSplitter({ tables: TABLES, filter, onPart: (part) => parts.add(part) })
  const inflate = createInflate({ chunkSize: INFLATED_CHUNK })
  const length = size - head.start
  let bytes = 0
  const stream = Readable.from(file.chunks(offset + head.start, length))
  stream.once('error', (error) => inflate.destroy(error))
  try {
    for await (const chunk of stream.pipe(inflate) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      splitter.push(chunk)
    }
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || !String(cause.code).startsWith('Z_')) throw cause
    throw new DecodeError('LOG_PAYLOAD', `the payload cannot be inflated: ${cause.message}`, { cause })
  } finally {
    stream.destroy()
  }
  splitter.end()
  if (inflate.bytesWritten !== length) {
    throw new DecodeError('LOG_PAYLOAD', `the payload has ${length - inflate.bytesWritten} bytes after its stream`)
  }
  if (head.size !== null && head.size !== bytes) {
    throw new DecodeError('LOG_PAYLOAD', `the payload has ${bytes} bytes of content, ${head.size} are due`)
  }
  return { parts, bytes, lengthField: head.lengthField }
}
