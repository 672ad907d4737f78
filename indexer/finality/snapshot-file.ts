// Reads one section of a node's snapshot file, which has many gigabytes, and skips the others. Layout: magic and
// version, u32 each; then sections: size of the rest (u64), number of rows (u64), zero-terminated name, rows. A size of
// all ones ends the file.
import { type FileHandle, open } from 'node:fs/promises'
import { UserError } from '../../core/errors.ts'

const MAGIC = 0x30510550
const ZSTANDARD = 0xfd2fb528
const END = 0xffff_ffff_ffff_ffffn
const MAX_NAME_BYTES = 256
/** Size limit of a section. A block state has some kilobytes for each policy. */
const MAX_SECTION_BYTES = 64 * 1024 * 1024

const invalid = (path: string, what: string, hint = 'take a snapshot of a Spring node, as it wrote it'): UserError =>
  new UserError('INVALID_SNAPSHOT', `${path} ${what}`, { hint })

/** Whether a file starts like a snapshot, plain or compressed. */
export async function isSnapshot(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const magic = (await readAt(file, 0, 4)).readUInt32LE(0)
    return magic === MAGIC || magic === ZSTANDARD
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  } finally {
    await file.close()
  }
}

/** Rows of a section. @throws UserError INVALID_SNAPSHOT */
export async function readSection(path: string, name: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const magic = (await readAt(file, 0, 8)).readUInt32LE(0)
    if (magic === ZSTANDARD) throw invalid(path, 'is compressed', `unpack it first: zstd -d ${path}`)
    if (magic !== MAGIC) throw invalid(path, 'is no snapshot')
    for (let at = 8; ; ) {
      const head = await readAt(file, at, 16, MAX_NAME_BYTES)
      const size = head.readBigUInt64LE(0)
      if (size === END) throw invalid(path, `has no section ${name}`)
      const zero = head.indexOf(0, 16)
      if (zero < 0 || size < BigInt(zero - 8 + 1)) throw invalid(path, `has a damaged section at byte ${at}`)
      const rows = zero + 1
      const next = at + 8 + Number(size)
      if (head.toString('latin1', 16, zero) === name) {
        if (size > MAX_SECTION_BYTES) throw invalid(path, `has a section ${name} of ${size} bytes`)
        return await readAt(file, at + rows, next - at - rows)
      }
      at = next
    }
  } catch (error) {
    if (error instanceof RangeError) throw invalid(path, 'ends too early')
    throw error
  } finally {
    await file.close()
  }
}

/** @param more  optional bytes after `size`. @throws RangeError when the file ends before `size` */
async function readAt(file: FileHandle, at: number, size: number, more = 0): Promise<Buffer> {
  const buffer = Buffer.alloc(size + more)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
  // The last size field ends the file.
  if (bytesRead < Math.min(size, 8)) throw new RangeError('the file ends')
  if (more === 0 && bytesRead < size) throw new RangeError('the file ends')
  return buffer.subarray(0, Math.max(bytesRead, size))
}
