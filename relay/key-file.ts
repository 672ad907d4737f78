// Errors of the relayer's key files. No message has any of their content, or a key in place of a path.
import { UserError } from '../core/errors.ts'
import { hasKey, PASTED_KEY, shownPath } from '../core/shown-path.ts'
import type { SecretFile } from '../net/secret-file.ts'

const PROBLEMS = {
  'no-file': 'is not a file with a key',
  'open-to-others': 'may be read by others than its owner',
  'of-another': 'belongs to another user than that of this process',
} as const

/** @param setting  that names the file */
export function keyFileError(path: string, found: Exclude<SecretFile, { text: string }>, setting: string): UserError {
  const problem = found.problem === 'closed' ? `cannot be opened: ${found.code}` : PROBLEMS[found.problem]
  const command = found.problem === 'of-another' ? 'chown USER' : 'chmod 600'
  if (!hasKey(path))
    return new UserError('RELAY_KEY_FILE', `the key file ${path} ${problem}`, {
      hint: `${setting} names a file with one line, of the user that runs this process: ${command} ${path}`,
    })
  return new UserError('RELAY_KEY_FILE', `the key file ${shownPath(path)} ${problem}`, { hint: PASTED_KEY })
}

/** @param hint  what the file should hold */
export function invalidKey(path: string, hint: string): UserError {
  return new UserError('RELAY_KEY_INVALID', `${shownPath(path)} does not hold a private key`, { hint })
}
