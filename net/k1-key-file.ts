// Reads a private key of type K1 from a file that only its owner can read. No message contains any of its content.
import { KeyType, PrivateKey } from '@wharfkit/antelope'
import { readSecretFile, type SecretFile } from './secret-file.ts'

/** Maximum file size, bytes: a longer file is not a key. */
const MAX_BYTES = 256

export type K1KeyFile =
  | { key: PrivateKey }
  | Exclude<SecretFile, { text: string }>
  /** The text is no key of type K1. */
  | { problem: 'no-key' }

/** The key in either of its text forms, or why there is none. */
export function readK1Key(path: string): K1KeyFile {
  const found = readSecretFile(path, MAX_BYTES)
  if (!('text' in found)) return found
  try {
    const key = PrivateKey.from(found.text)
    if (key.type === KeyType.K1) return { key }
  } catch {
    // The library's message is dropped: it quotes the content.
  }
  return { problem: 'no-key' }
}
