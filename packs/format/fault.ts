// Errors of packs. The first three name the file and, where it is known, the block.
import { type ErrorPlace, UserError } from '../../core/errors.ts'

const AGAIN = 'fetch the file again, or take the pack of another publisher'

/** A file was changed after its publisher wrote it. */
export function damaged(file: string, reason: string, place: ErrorPlace = {}): UserError {
  return new UserError('PACK_DAMAGED', `${file}: ${reason}`, { hint: AGAIN, place: { ...place, file } })
}

/** A file that the manifest names does not exist. */
export function missing(file: string): UserError {
  return new UserError('PACK_FILE_MISSING', `${file} is named by the manifest and does not exist`, {
    hint: AGAIN,
    place: { file },
  })
}

/** The contents contradict each other, or the commitments of the chain. */
export function refuted(file: string, reason: string, place: ErrorPlace = {}): UserError {
  return new UserError('PACK_REFUTED', `${file}: ${reason}`, {
    hint: 'the publisher has other data than the chain: take the pack of another one',
    place: { ...place, file },
  })
}
