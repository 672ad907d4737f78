// Names of files in a store. Names come from manifests of others, so they are not trusted.
import { UserError } from '../../core/errors.ts'

/** First characters of unfinished files in a folder, which `list` leaves out. */
export const PART = '.part.'
/** S3 allows keys of 1,024 bytes, file systems path elements of 255. */
const MAX_NAME_BYTES = 700
const MAX_ELEMENT_BYTES = 180

/**
 * Checks that a name stays in its store and means the same in a folder, in a URL and in a bucket.
 *
 * @throws UserError OBJECT_NAME
 */
export function checkName(name: string, address: string): void {
  const problem = problemOf(name)
  if (problem === null) return
  throw new UserError(
    'OBJECT_NAME',
    `${address}: ${JSON.stringify(name.slice(0, 200))} is no name of a file: ${problem}`,
    {
      hint: 'names are relative paths of letters, digits, dots, hyphens and underscores; a manifest with others is not one of ours',
    },
  )
}

/** As `checkName`, for any prefix of a name, also the empty one. */
export function checkPrefix(prefix: string, address: string): void {
  checkName(`${prefix}x`, address)
}

function problemOf(name: string): string | null {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `longer than ${MAX_NAME_BYTES} bytes`
  for (const element of name.split('/')) {
    if (element === '') return 'empty, absolute, or with an empty path element'
    if (element === '.' || element === '..') return 'leaves the folder'
    if (element.startsWith(PART)) return `unfinished files begin with ${PART}`
    if (!/^[\w.=,+@-]+$/.test(element)) return 'a character that is not allowed'
    if (element.length > MAX_ELEMENT_BYTES) return `a path element longer than ${MAX_ELEMENT_BYTES} bytes`
  }
  return null
}

export function inByteOrder(names: readonly string[]): string[] {
  return [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}
