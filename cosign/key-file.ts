// Reads the payer's key from a file that only its owner can read. No message contains any of the file's content,
// or a key in place of a path.
import type { PrivateKey } from '@wharfkit/antelope'
import { UserError } from '../core/errors.ts'
import { PASTED_KEY, shownPath } from '../core/shown-path.ts'
import { readK1Key } from '../net/k1-key-file.ts'

/**
 * Reads a K1 key in either of its text forms.
 *
 * @throws UserError COSIGN_KEY_FILE, COSIGN_KEY_PERMISSIONS, COSIGN_KEY_INVALID
 */
export function readKeyFile(path: string): PrivateKey {
  const found = readK1Key(path)
  if ('key' in found) return found.key
  const shown = shownPath(path)
  if (found.problem === 'no-key')
    throw new UserError('COSIGN_KEY_INVALID', `${shown} does not hold a private key`, {
      hint: 'one line: a key of type K1, PVT_K1_... or its older form',
    })
  if (found.problem === 'closed' && shown === path)
    throw new UserError('COSIGN_KEY_FILE', `the key file ${shown} cannot be opened: ${found.code}`, {
      hint: 'cosign.keyFile names a file that this user may read',
    })
  if (found.problem === 'closed')
    throw new UserError('COSIGN_KEY_FILE', `the key file ${shown} cannot be opened: ${found.code}`, {
      hint: PASTED_KEY,
    })
  if (found.problem === 'no-file')
    throw new UserError('COSIGN_KEY_FILE', `the key file ${shown} is not a file with a key`, {
      hint: 'cosign.keyFile names a file with one line',
    })
  if (found.problem === 'open-to-others')
    throw new UserError('COSIGN_KEY_PERMISSIONS', `others than its owner may read the key file ${shown}`, {
      hint: `chmod 600 ${shown}, and make the user that runs this process its owner`,
    })
  throw new UserError(
    'COSIGN_KEY_PERMISSIONS',
    `the key file ${shown} belongs to another user than that of this process`,
    {
      hint: `make the user that runs this process its owner: chown USER ${shown}`,
    },
  )
}
