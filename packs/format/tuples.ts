// Rows in PostgreSQL's binary COPY format as files of a pack have them: without the first column, the chain's name.
import { eachTuple, type Tuple } from '../../indexer/store/copy/tuples.ts'

/** Rows without their first field, which is never null. @throws TupleError */
export function withoutFirst(bytes: Buffer, fields: number): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let to = 0
  eachTuple(bytes, fields, ({ end, at, length }) => {
    to = out.writeInt16BE(fields - 1, to)
    to += bytes.copy(out, to, (at[0] ?? 0) + (length[0] ?? 0), end)
  })
  return out.subarray(0, to)
}

/**
 * Adds the chain's name as the first field of each row.
 *
 * @param check  called for each row; throws for one that is refused
 * @throws TupleError
 */
export function withChain(bytes: Buffer, fields: number, chain: string, check: (tuple: Tuple) => void): Buffer {
  const name = Buffer.from(chain)
  const field = Buffer.alloc(6 + name.length)
  field.writeInt16BE(fields + 1, 0)
  field.writeInt32BE(name.length, 2)
  name.copy(field, 6)
  let out = Buffer.allocUnsafe(2 * bytes.length + field.length)
  let at = 0
  eachTuple(bytes, fields, (tuple) => {
    check(tuple)
    const { start, end } = tuple
    if (at + field.length + end - start > out.length) {
      // Rows shorter than the name.
      const larger = Buffer.allocUnsafe(2 * out.length + end - start)
      out.copy(larger, 0, 0, at)
      out = larger
    }
    at += field.copy(out, at)
    at += bytes.copy(out, at, start + 2, end)
  })
  return out.subarray(0, at)
}
