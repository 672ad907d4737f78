// Paths of key files as messages may show them. A key that was put where its file's name belongs must not get into a log.

/** Keys of EVM and Antelope chains in their text forms, also with a wrong length, as the last part of a path. */
const KEYS = /(?:(?:0x)?[0-9a-fA-F]{60,}|PVT_\w+|\b5[HJK][1-9A-HJ-NP-Za-km-z]{40,})(?=[^/]*$)/g

/** Whether a text, which should be a path, contains a key. */
export const hasKey = (path: string): boolean => shownPath(path) !== path

/** The path with `***` for a key. Only for paths of key files: ids of blocks and transactions look like keys. */
export function shownPath(path: string): string {
  return path.replace(KEYS, '***')
}

/** Hint of an error about such a text. */
export const PASTED_KEY = 'this is a key, not a file: put it into a file, and set this to the path of the file'
