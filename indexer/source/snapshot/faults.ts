// Errors of snapshot files, with the file and what to do.
import { DecodeError, UserError } from '../../../core/errors.ts'

/** Files of other kinds, by their first bytes. */
const KINDS: readonly { at: number; bytes: string; name: string; hint: string }[] = [
  { at: 0, bytes: '\x1f\x8b', name: 'a gzip file', hint: 'unpack it first: gunzip, or tar xzf for an archive' },
  { at: 0, bytes: '\xfd7zXZ', name: 'an xz file', hint: 'unpack it first: xz -d' },
  { at: 0, bytes: 'PK\x03\x04', name: 'a zip file', hint: 'unpack it first: unzip' },
  { at: 257, bytes: 'ustar', name: 'a tar archive', hint: 'unpack it first: tar xf' },
  { at: 0, bytes: '{', name: 'JSON', hint: 'take a binary snapshot: nodeos writes snapshot-*.bin' },
]

/** Bytes that `otherKind` looks at. */
export const KIND_BYTES = 262

/** @param start  the first bytes of the file, unpacked */
export function otherKind(path: string, start: Uint8Array): UserError {
  const text = Buffer.from(start).toString('latin1')
  const kind = KINDS.find(({ at, bytes }) => text.startsWith(bytes, at))
  const name = kind?.name ?? (start.length === 0 ? 'empty' : 'a file of an unknown kind')
  return new UserError('SNAPSHOT_KIND', `${path} is ${name}, not a snapshot of a node`, {
    hint: kind?.hint ?? 'give a snapshot-*.bin as nodeos wrote it, or that file compressed with zstd',
    place: { file: path },
  })
}

export function unreadable(path: string, cause: unknown): UserError {
  return new UserError('SNAPSHOT_UNREADABLE', `${path} cannot be read: ${(cause as Error).message}`, {
    hint: 'correct the path, and let the process read the file',
    place: { file: path },
    cause,
  })
}

export function notUnpacked(path: string, offset: number, reason: string): UserError {
  return new UserError('SNAPSHOT_ZSTD', `${path} cannot be unpacked after ${offset} bytes: ${reason}`, {
    hint: 'copy or download it again; a file that was packed with --long=28 or more needs zstd -d --long=31 first',
    place: { file: path, offset },
  })
}

export function missingSection(path: string, version: number, sections: readonly string[]): UserError {
  return new UserError('SNAPSHOT_SECTION', `${path}, version ${version}, has no section ${sections.join(', ')}`, {
    hint: 'its layout is not known: take a snapshot of Spring 1.0.1 or later, or a newer Headwater',
    place: { file: path },
  })
}

/** The error of a malformed file, with its name. */
export function inFile(path: string, error: unknown, offset: number): unknown {
  if (!(error instanceof DecodeError)) return error
  const { code, hint, message, place } = error
  const isOurs = code.startsWith('SNAPSHOT_') || code === 'INVALID_SNAPSHOT'
  return new UserError(isOurs ? code : 'SNAPSHOT_DAMAGED', `${path}: ${message}`, {
    hint: hint ?? 'compare its checksum with that of the publisher, and copy or download it again',
    place: { file: path, offset: place.offset ?? offset },
    cause: error,
  })
}
