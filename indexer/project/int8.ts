import { DecodeError } from '../../core/errors.ts'

const MAX = (1n << 63n) - 1n

/**
 * Checks that a contract's counter fits a signed 64-bit column.
 *
 * @throws DecodeError OUT_OF_RANGE at 2^63 and above
 */
export function int8(value: bigint): bigint {
  if (value > MAX) throw new DecodeError('OUT_OF_RANGE', `${value} is above 2^63 - 1`)
  return value
}
