// Errors of stores of files. All name the address and, where there is one, the file.
import { RetryableError, UserError } from '../../core/errors.ts'

interface At {
  address: string
  name: string
}

/** Server or network failure, after the attempts of one request. */
export class ObjectsUnreachable extends RetryableError {
  constructor({ address, name }: At, reason: string, cause?: unknown) {
    super('OBJECTS_UNREACHABLE', `${address}: ${name || 'the list of files'}: ${reason}`, {
      hint: 'check the address and the network; the same command continues where it stopped',
      place: { file: name },
      cause,
    })
  }
}

export function differs({ address, name }: At): UserError {
  return new UserError('OBJECT_DIFFERS', `${address}: ${name} is there with another content`, {
    hint: 'files never change: write to another folder or prefix, or remove the file that does not belong here',
    place: { file: name },
  })
}

export function tooLarge({ address, name }: At, maxBytes: number): UserError {
  return new UserError('OBJECT_TOO_LARGE', `${address}: ${name} has more than ${maxBytes} bytes`, {
    hint: 'this is not the file that was asked for: check the address',
    place: { file: name },
  })
}

const HINTS: Record<string, string> = {
  EACCES: 'name a folder that this user may read, and write to for a command that writes',
  EPERM: 'name a folder that this user may read, and write to for a command that writes',
  EROFS: 'write to another disk: this one is read-only',
  ENOTDIR: 'a part of the path is a file: name a folder',
  EISDIR: 'a folder has the name of the file: name another folder',
  ENOSPC: 'free some space, or write to another disk',
  EDQUOT: 'free some space, or write to another disk',
  EIO: 'check the disk',
}

export function folderError({ address, name }: At, error: unknown): UserError {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new UserError('OBJECTS_FOLDER', `${address}: ${name || 'the folder'}: ${message}`, {
    hint: HINTS[code] ?? 'name another folder',
    place: { file: name },
    cause: error,
  })
}

export function encoded({ address, name }: At, encoding: string): UserError {
  return new UserError('OBJECTS_ENCODED', `${address}: the server sends ${name} compressed (${encoding})`, {
    hint: 'serve the files as they are: without Content-Encoding',
    place: { file: name },
  })
}
