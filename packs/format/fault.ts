// Errors of packs. The first three name the file and, where it is known, the block.
import { type ErrorPlace, RetryableError, UserError } from '../../core/errors.ts'

/** The first block of a file, by its name: file and block are then named together. Empty for the manifest. */
function firstBlockOf(file: string): ErrorPlace {
  const [, number] = /^(\d{10})-\d{10}-/.exec(file) ?? []
  return number === undefined ? {} : { block: Number(number) }
}

const AGAIN = 'fetch the file again, or take the pack of another publisher'

/** A file was changed after its publisher wrote it. */
export function damaged(file: string, reason: string, place: ErrorPlace = {}): UserError {
  return new UserError('PACK_DAMAGED', `${file}: ${reason}`, {
    hint: AGAIN,
    place: { ...firstBlockOf(file), ...place, file },
  })
}

/** A file that the manifest names does not exist. */
export function missing(file: string): UserError {
  return new UserError('PACK_FILE_MISSING', `${file} is named by the manifest and does not exist`, {
    hint: AGAIN,
    place: { ...firstBlockOf(file), file },
  })
}

/** An address without a manifest. */
export function noPack(address: string, manifest: string): UserError {
  return new UserError('PACK_FILE_MISSING', `${address} has no ${manifest}: it is not a pack`, {
    hint: 'is the address right? It is the folder or the address that `headwater pack --out` was given',
    place: { file: manifest },
  })
}

/** The contents contradict each other, or the commitments of the chain. */
export function refuted(file: string, reason: string, place: ErrorPlace = {}): UserError {
  return new UserError('PACK_REFUTED', `${file}: ${reason}`, {
    hint: 'the publisher has other data than the chain: take the pack of another one',
    place: { ...firstBlockOf(file), ...place, file },
  })
}

/** The pack lacks what this program stores. */
export function older(file: string, reason: string): UserError {
  return new UserError('PACK_OLDER', `${file}: ${reason}`, {
    hint: 'the pack was made by an older version of the program: take a newer pack',
    place: { ...firstBlockOf(file), file },
  })
}

/** The pack has what this program does not know. */
export function newer(file: string, reason: string): UserError {
  return new UserError('PACK_NEWER', `${file}: ${reason}`, {
    hint: 'take a newer version of the program',
    place: { ...firstBlockOf(file), file },
  })
}

/** The publisher's first run has not ended. */
export function unfinished(address: string): RetryableError {
  return new RetryableError('PACK_UNFINISHED', `${address}: the pack has no state yet`, {
    hint: 'the first run of `headwater pack` is not complete: wait for its end, and run this again',
  })
}
