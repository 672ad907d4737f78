// The pool of a path.
import { Type } from 'typebox'
import { HttpError } from '../http/failures.ts'

export const PoolParams = Type.Object({
  poolId: Type.String({ description: 'Pool id.' }),
})

/** @returns -1 for a number that no pool can have @throws HttpError 400 if the text is no number */
export function poolId(text: string): number {
  if (!/^\d+$/.test(text)) throw new HttpError(400, 'pool id must be a number')
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : -1
}
