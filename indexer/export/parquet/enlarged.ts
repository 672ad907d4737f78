// Arrays of a column grow with its values: a file of a few rows, such as one of a lake that follows the chain, must not
// pay for the room of a full page.

/** Rows for which a column has room at first: a batch of the reader. */
export const FIRST_ROWS = 256

/** The array when it has the wanted length, otherwise a longer one with the same content. */
export function enlarged<T extends Uint8Array | Int32Array | Float64Array>(array: T, length: number): T {
  if (length <= array.length) return array
  const longer = new (array.constructor as new (length: number) => T)(Math.max(length, 2 * array.length))
  longer.set(array)
  return longer
}
