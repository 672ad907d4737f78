// Computes the positions of a log whose index is missing or unusable. Reads a log forward by the sizes of its entries;
// a pruned log, which has a hole, backward by their suffixes. A repeated block number replaces the earlier entry and
// all entries between them.
import { ENTRY_HEADER, ENTRY_SUFFIX, type EntryHeader, readEntryHeader } from '../../../core/antelope/logs/entry.ts'
import { readU64 } from '../../../core/antelope/raw.ts'
import { DecodeError } from '../../../core/errors.ts'
import type { ByteFile } from './byte-file.ts'

export interface Rebuilt {
  first: number
  positions: number[]
  /** Offset of the incomplete last entry; null if the file ends with a complete one. */
  torn: number | null
}

/** The entries of a log without a hole. */
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

/** Adds an entry. @returns whether it continues or replaces the known entries */
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
 * The entries of a pruned log, from its end back to its hole. Positions of removed blocks are 0.
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
    // Reading backward, the first entry of a number is the valid one, and entries above a lower number are orphaned.
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
