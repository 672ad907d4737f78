// Reads a secret from a file that only its owner can read.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

export type SecretFile =
  | { text: string }
  /**
   * `closed`: cannot be opened; `no-file`: a folder, a device, or too long; `open-to-others`: others may read it;
   * `of-another`: another user than that of this process owns it.
   */
  | { problem: 'closed' | 'no-file' | 'open-to-others' | 'of-another'; code?: string }

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
    const { mode, uid, gid, size } = fstatSync(file)
    const isFile = (mode & 0o170000) === 0o100000
    const own = process.getuid?.()
    if (!isFile || size > maxBytes) return { problem: 'no-file' }
    const isPrivate = (mode & 0o077) === 0
    if (isPrivate && own !== undefined && uid !== own && uid !== 0) return { problem: 'of-another' }
    if (!isPrivate && !(isCredential(path) && isOfRootAlone({ mode, uid, gid }))) return { problem: 'open-to-others' }
    return { text: readFileSync(file, 'utf8').trim() }
  } finally {
    closeSync(file)
  }
}

/** Whether systemd has made the file for this process. */
function isCredential(path: string): boolean {
  const folder = process.env.CREDENTIALS_DIRECTORY
  return folder !== undefined && dirname(resolve(path)) === resolve(folder)
}

/**
 * Whether a credential is as newer versions of systemd make it (257): of root, and an access control list lets the
 * service's user read it. The group bits then are the limit of that list, not rights of the group.
 */
function isOfRootAlone({ mode, uid, gid }: { mode: number; uid: number; gid: number }): boolean {
  return uid === 0 && gid === 0 && (mode & 0o777) === 0o440
}
