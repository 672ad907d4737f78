// Ids of contracts are unsigned 64-bit; columns of the database are signed.
import { DecodeError } from '../../core/errors.ts'

const MAX_INT8 = (1n << 63n) - 1n

/**
 * Checks that an unsigned number of a contract, such as an id, fits a signed 64-bit column.
 *
 * @param value  0 or more
 * @returns the value
 * @throws DecodeError OUT_OF_RANGE at 2^63 and above
 */
export function int8(value: bigint): bigint {
  if (value > MAX_INT8) throw new DecodeError('OUT_OF_RANGE', `${value} is above 2^63 - 1`)
  return value
}
