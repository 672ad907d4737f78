// Reads a secret from a file that only its owner can read.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

export type SecretFile =
  | { text: string }
  /** `closed`: cannot be opened; `no-file`: a folder, a device, or too long; `open-to-others`: others may read it. */
  | { problem: 'closed' | 'no-file' | 'open-to-others'; code?: string }

/**
 * The file's text without surrounding white space, or why it is not used. Never quotes the content.
 *
 * @param maxBytes  a longer file is no secret
 */
export function readSecretFile(path: string, maxBytes: number): SecretFile {
  let file: number
  try {
    // O_NONBLOCK: opening a pipe without a writer would block for ever. The pipe is refused below.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch (error) {
    return { problem: 'closed', code: (error as NodeJS.ErrnoException).code }
  }
  try {
    // Checks the open file, not its name: the name could be moved to another file in between.
    const { mode, uid, size } = fstatSync(file)
    const isFile = (mode & 0o170000) === 0o100000
    const own = process.getuid?.()
    if (!isFile || size > maxBytes) return { problem: 'no-file' }
    if ((mode & 0o077) !== 0 || (own !== undefined && uid !== own && uid !== 0)) return { problem: 'open-to-others' }
    return { text: readFileSync(file, 'utf8').trim() }
  } finally {
    closeSync(file)
  }
}
