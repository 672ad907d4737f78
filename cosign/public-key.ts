// Public keys in their two text forms.
import { PublicKey } from '@wharfkit/antelope'

/** Whether two texts are the same key. */
export function sameKey(one: string, other: string): boolean {
  return normal(one) === normal(other)
}

function normal(key: string): string {
  try {
    return String(PublicKey.from(key))
  } catch {
    return key
  }
}
