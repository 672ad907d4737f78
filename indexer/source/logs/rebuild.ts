// Computes the positions of a log whose index is missing or unusable. A log is read from front to back by its sizes; a
// pruned log, which has a hole, from back to front by its suffixes. A block that is there again replaces the one before
// and all after it.
import { ENTRY_HEADER, ENTRY_SUFFIX, type EntryHeader, readEntryHeader } from '../../../core/antelope/logs/entry.ts'
import { readU64 } from '../../../core/antelope/raw.ts'
import { DecodeError } from '../../../core/errors.ts'
import type { ByteFile } from './byte-file.ts'

export interface Rebuilt {
  first: number
  positions: number[]
  /** Offset of the entry within which the file ends; null when it ends with an entry. */
  torn: number | null
}

/** The entries of a log that is not pruned. */
export async function scanForward(file: ByteFile, size: number): Promise<Rebuilt> {
  const found: Rebuilt = { first: 0, positions: [], torn: null }
  for (let at = 0; at < size; ) {
    const header = await headerAt(file, at)
    const end = header ? at + ENTRY_HEADER + header.payloadSize : Number.POSITIVE_INFINITY
    if (!header || end > size || !place(found, header.num, at)) {
      found.torn = at
      break
    }
    at = end + ENTRY_SUFFIX
  }
  return found
}

/** Adds an entry. @returns whether it continues or replaces what there is */
function place(found: Rebuilt, num: number, position: number): boolean {
  const { positions } = found
  if (positions.length === 0 || num < found.first) {
    found.first = num
    found.positions = [position]
    return true
  }
  if (num > found.first + positions.length) return false
  positions.length = num - found.first
  positions.push(position)
  return true
}

/**
 * The entries of a pruned log, from its end to its hole. The positions of removed blocks are 0.
 *
 * @param end    end of the last entry with its suffix
 * @param first  block of the entry at offset 0
 */
export async function scanBackward(file: ByteFile, end: number, first: number): Promise<Rebuilt> {
  const byNumber = new Map<number, number>()
  let lowest = Number.POSITIVE_INFINITY
  for (let at = end; at >= ENTRY_HEADER + ENTRY_SUFFIX; ) {
    const suffix = await file.read(at - ENTRY_SUFFIX, ENTRY_SUFFIX)
    const position = suffix.length < ENTRY_SUFFIX ? -1 : Number(readU64(suffix, 0))
    const header = position > 0 && position < at ? await headerAt(file, position) : null
    if (!header || position + ENTRY_HEADER + header.payloadSize + ENTRY_SUFFIX !== at) break
    // Seen from the end: of a number's entries the first one counts, and none above a lower number seen before.
    if (header.num < lowest) {
      byNumber.set(header.num, position)
      lowest = header.num
    }
    at = position
  }
  const last = Math.max(...byNumber.keys(), first - 1)
  const positions = Array.from({ length: last - first + 1 }, (_, slot) => byNumber.get(first + slot) ?? 0)
  return { first, positions, torn: null }
}

async function headerAt(file: ByteFile, position: number): Promise<EntryHeader | null> {
  try {
    return readEntryHeader(await file.read(position, ENTRY_HEADER))
  } catch (error) {
    if (error instanceof DecodeError && error.code === 'LOG_ENTRY') return null
    throw error
  }
}
