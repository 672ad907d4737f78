// Adds the block to an error of its decoding.
import { DecodeError, UserError } from '../../core/errors.ts'

/**
 * @param error  thrown while block `num` was decoded
 * @param chain  named in the message when known
 * @returns a DecodeError with the same code and the block, or `error` itself when the input is not the cause
 */
export function undecodable(error: unknown, num: number, chain: string | undefined): unknown {
  // The name parser throws a UserError. For a server's invalid name that is bad input.
  if (!(error instanceof DecodeError || error instanceof UserError)) return error
  const where = chain === undefined ? `block ${num}` : `${chain}: block ${num}`
  return new DecodeError(error.code, `${where} cannot be decoded: ${error.message}`, {
    hint: error.hint,
    place: { ...error.place, chain, block: num },
    cause: error,
  })
}
