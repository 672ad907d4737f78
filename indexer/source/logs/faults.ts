// Errors of a node's log files. Each names the file, the offset and the block.
import { DecodeError, type HeadwaterError, RetryableError, UserError } from '../../../core/errors.ts'

/** A position in a log file. */
export interface LogPlace {
  file: string
  /** Bytes from the start of the file. */
  offset: number
  block?: number
}

/** `FILE at offset 12, block 3` */
function at({ file, offset, block }: LogPlace): string {
  return `${file} at offset ${offset}${block === undefined ? '' : `, block ${block}`}`
}

/** The file no longer matches its index: it was rotated, pruned or cleared, or is damaged. */
export function changed(place: LogPlace, what: string): RetryableError {
  return new RetryableError('LOG_CHANGED', `${at(place)}: ${what}`, {
    hint: 'nothing to do when the node has rotated or pruned the file: it is read again',
    place: { ...place },
  })
}

/** The file was emptied: nodes clear the log of finality data when their head has none. */
export function cleared(place: LogPlace): RetryableError {
  return new RetryableError('LOG_CLEARED', `${at(place)}: the file was cleared while it was read`, {
    hint: 'nothing to do: reading continues with the entries that the node writes now',
    place: { ...place },
  })
}

/** A block that was found before is now in no file of the folders. */
export function gone(place: LogPlace): RetryableError {
  return new RetryableError('LOG_GONE', `${at(place)}: the block was moved out of the folders while they were read`, {
    hint: 'add the folder of the archive to source.logs, or let the node keep more blocks',
    place: { ...place },
  })
}

/** Content that is unreadable on every attempt. */
export function damaged(place: LogPlace, cause: HeadwaterError): HeadwaterError {
  const { code, message, hint } = cause
  if (code === 'LOG_VERSION' || code === 'LOG_CONTENT_SIZE') {
    return new UserError(code, `${at(place)}: ${message}`, { hint, place: { ...place }, cause })
  }
  return new UserError('LOG_DAMAGED', `${at(place)}: ${message}`, { hint: TAKE_COPY, place: { ...place }, cause })
}

export const TAKE_COPY = 'take a copy of the file from a backup or from another node, or replay this range'
export const REMOVE_INDEX = `remove the .index file next to it, which is then computed again; if the error stays, ${TAKE_COPY}`

/** An entry that is not where the index says, on every attempt. */
export function misplaced({ message, place }: HeadwaterError): UserError {
  return new UserError('LOG_DAMAGED', message, { hint: REMOVE_INDEX, place })
}

/** A file or folder that this process must not read. */
export function unreadable(path: string): UserError {
  return new UserError('LOG_UNREADABLE', `${path}: permission denied`, {
    hint: 'let the user of this process read the files and enter their folders, for example as a member of the group of nodeos, or list only the folders of the logs in source.logs',
    place: { file: path },
  })
}

/** Whether the system refused to open a file or folder. */
export function isDenied(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM'
}

export const ONE_NODE = 'the files are of different branches or chains: give the folders of one node'

/** The ids of one block differ between two logs. */
export function otherBranch(place: LogPlace, id: string, other: { file: string; id: string }): UserError {
  const what = `${at(place)}: the block is ${id}, in ${other.file} it is ${other.id}`
  return new UserError('LOG_OTHER_BRANCH', what, {
    hint: ONE_NODE,
    place: { ...place },
  })
}

/** The index does not belong to the log. */
export function wrongIndex(place: LogPlace, what: string): UserError {
  return new UserError('LOG_INDEX', `${at(place)}: ${what}`, {
    hint: 'remove the .index file: it is computed again, or the node writes it at its next start',
    place: { ...place },
  })
}

/** Runs a parser. @throws UserError with the file's position in place of the parser's DecodeError */
export function atPlace<T>(place: LogPlace, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof DecodeError) throw damaged(place, error)
    throw error
  }
}
