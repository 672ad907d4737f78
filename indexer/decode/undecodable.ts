// Names the block in what went wrong while it was decoded.
import { DecodeError, UserError } from '../../core/errors.ts'

/**
 * @param error  what was thrown while block `num` was decoded
 * @param chain  named when it is known
 * @returns a DecodeError with the same code that says where, or `error` itself when it is no fault of the input
 */
export function undecodable(error: unknown, num: number, chain: string | undefined): unknown {
  // Texts of a server that are no names come as a user's error out of the name parser: here they are bad input.
  if (!(error instanceof DecodeError || error instanceof UserError)) return error
  const where = chain === undefined ? `block ${num}` : `${chain}: block ${num}`
  return new DecodeError(error.code, `${where} cannot be decoded: ${error.message}`, {
    hint: error.hint,
    place: { ...error.place, chain, block: num },
    cause: error,
  })
}
