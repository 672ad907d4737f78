// Reads the payer's key from a file that only its owner can read. No message contains any of the file's content.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { KeyType, PrivateKey } from '@wharfkit/antelope'
import { UserError } from '../core/errors.ts'

/** Maximum file size, bytes: a longer file is not a key. */
const MAX_BYTES = 256

/**
 * Reads a K1 key in either of its text forms.
 *
 * @throws UserError COSIGN_KEY_FILE, COSIGN_KEY_PERMISSIONS, COSIGN_KEY_INVALID
 */
export function readKeyFile(path: string): PrivateKey {
  const text = readPrivate(path)
  try {
    const key = PrivateKey.from(text)
    if (key.type === KeyType.K1) return key
  } catch {
    // The library's message is dropped: it quotes the content.
  }
  throw new UserError('COSIGN_KEY_INVALID', `${path} does not hold a private key`, {
    hint: 'one line: a key of type K1, PVT_K1_... or its older form',
  })
}

function readPrivate(path: string): string {
  let file: number
  try {
    // O_NONBLOCK: opening a pipe without a writer would block for ever. The pipe is refused below.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError('COSIGN_KEY_FILE', `the key file ${path} cannot be opened: ${code}`, {
      hint: 'cosign.keyFile names a file that this user may read',
    })
  }
  try {
    // Checks the open file, not its name: the name could be moved to another file in between.
    const { mode, uid, size } = fstatSync(file)
    const isFile = (mode & 0o170000) === 0o100000
    const own = process.getuid?.()
    if (!isFile || size > MAX_BYTES)
      throw new UserError('COSIGN_KEY_FILE', `the key file ${path} is not a file with a key`, {
        hint: 'cosign.keyFile names a file with one line',
      })
    if ((mode & 0o077) !== 0 || (own !== undefined && uid !== own && uid !== 0))
      throw new UserError('COSIGN_KEY_PERMISSIONS', `others than its owner may read the key file ${path}`, {
        hint: `chmod 600 ${path}, and make the user that runs this process its owner`,
      })
    return readFileSync(file, 'utf8').trim()
  } finally {
    closeSync(file)
  }
}
