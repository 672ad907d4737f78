// A token of a pool, with the pool's reserve.
import { Type } from 'typebox'
import type { TokenRef } from '../live-market/model.ts'
import { toNumber } from './numbers.ts'

const Text = (description: string) => Type.String({ description })
const Num = (description: string) => Type.Number({ description })

export const TokenReference = Type.Object({
  id: Text('Token id.'),
  contract: Text('Token contract.'),
  symbol: Text('Token symbol.'),
  decimals: Num('Precision.'),
  quantity: Num('Tokens that the pool holds.'),
})

/** A token of a pool, with the pool's reserve of it. */
export function tokenReference({ id, contract, symbol, decimals }: TokenRef, reserve: bigint) {
  return { id, contract, symbol, decimals, quantity: toNumber(reserve, decimals) }
}
