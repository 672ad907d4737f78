// Reads the payer's key from a file that only its owner can read. No message contains any of the file's content.
import { KeyType, PrivateKey } from '@wharfkit/antelope'
import { UserError } from '../core/errors.ts'
import { readSecretFile } from '../net/secret-file.ts'

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
  const found = readSecretFile(path, MAX_BYTES)
  if ('text' in found) return found.text
  if (found.problem === 'closed')
    throw new UserError('COSIGN_KEY_FILE', `the key file ${path} cannot be opened: ${found.code}`, {
      hint: 'cosign.keyFile names a file that this user may read',
    })
  if (found.problem === 'no-file')
    throw new UserError('COSIGN_KEY_FILE', `the key file ${path} is not a file with a key`, {
      hint: 'cosign.keyFile names a file with one line',
    })
  throw new UserError('COSIGN_KEY_PERMISSIONS', `others than its owner may read the key file ${path}`, {
    hint: `chmod 600 ${path}, and make the user that runs this process its owner`,
  })
}
