// Walks the sections of a snapshot, front to back.
import { readText } from '../text.ts'
import { damaged, END_OF_SECTIONS, FILE_VERSION, SNAPSHOT_MAGIC } from './layout.ts'
import type { StreamReader } from './stream-reader.ts'

export interface Section {
  name: string
  /** Number of rows, as the writer counted them. */
  rows: number
  /** Bytes of the rows. */
  size: number
  /** Offset of the first row in the file. */
  offset: number
}

const MAX_NAME_BYTES = 256

/**
 * Sections in the order of the file. After each, the reader is at its first row; rows that are not read are skipped.
 *
 * @throws DecodeError SNAPSHOT_DAMAGED, SNAPSHOT_TORN
 */
export function* sectionsOf(reader: StreamReader): Generator<Section> {
  if (reader.u32() !== SNAPSHOT_MAGIC) throw damaged('the file does not begin as a snapshot', 0)
  const version = reader.u32()
  if (version !== FILE_VERSION) throw damaged(`the file has layout ${version}, known is ${FILE_VERSION}`, 4)
  for (;;) {
    reader.limit(Number.POSITIVE_INFINITY)
    const start = reader.offset
    const size = reader.u64()
    if (size === END_OF_SECTIONS) break
    const end = start + 8 + Number(size)
    if (!Number.isSafeInteger(end)) throw damaged(`a section has ${size} bytes`, start)
    reader.limit(end)
    const rows = Number(reader.u64())
    const name = readName(reader)
    const { offset } = reader
    // A row has at least one byte.
    if (rows > end - offset) throw damaged(`section ${name} has ${rows} rows in ${end - offset} bytes`, start)
    yield { name, rows, size: end - offset, offset }
    reader.skip(end - reader.offset)
  }
  if (!reader.isAtEnd()) throw damaged('the file goes on after its end mark', reader.offset)
}

function readName(reader: StreamReader): string {
  const { offset } = reader
  const bytes: number[] = []
  for (let byte = reader.u8(); byte !== 0; byte = reader.u8()) {
    if (byte < 0x20 || byte > 0x7e || bytes.length === MAX_NAME_BYTES) throw damaged('a section has no name', offset)
    bytes.push(byte)
  }
  return readText(Uint8Array.from(bytes), 0, bytes.length)
}

/** Bytes of a section, which is small. @throws DecodeError SNAPSHOT_DAMAGED when it has above 64 MiB or not `rows` rows */
export function sectionBytes(reader: StreamReader, { name, rows, size, offset }: Section, wanted = 1): Uint8Array {
  if (rows !== wanted || size > MAX_SECTION_BYTES)
    throw damaged(`section ${name} has ${rows} rows of ${size} bytes`, offset)
  return reader.bytes(size).slice()
}

/** Limit of a section that is read whole. A block state has some kilobytes for each finalizer policy. */
const MAX_SECTION_BYTES = 64 << 20
