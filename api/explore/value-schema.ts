// Schemas that several answers of the explorer share.
import { Type } from 'typebox'

export const Text = (description: string) => Type.String({ description })
export const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
export const AsOf = Type.Integer({ description: 'Block as of which the answer is.' })
export const RowFinal = Type.Boolean({
  description: 'Whether no block that a fork can still replace changed the row. The answer itself is of the head.',
})

export const Complete = Type.Boolean({
  description:
    'Whether all rows are known. False when the indexed history begins in the middle of the chain without its full state: rows that have not changed since are missing, so sums are too small.',
})

export const TokenMembers = Type.Object({
  id: Text('`<symbol>-<contract>`, lower case.'),
  symbol: Text('Symbol.'),
  contract: Text('Token contract.'),
  decimals: Type.Integer({ description: 'Precision.' }),
})

export const Values = {
  value: TextOrNull('Value in system tokens, 8 significant digits; null when a price is unknown.'),
  valueUsd: TextOrNull('The same in USD.'),
}

export const Position = Type.Object({
  id: Text('Position id.'),
  pool: Type.Integer({ description: 'Pool id.' }),
  owner: Text('Owner.'),
  tokenA: TokenMembers,
  tokenB: TokenMembers,
  tickLower: Type.Integer({ description: 'Lower tick of the range.' }),
  tickUpper: Type.Integer({ description: 'Upper tick of the range.' }),
  priceLower: Text('Price of A in B at the lower tick.'),
  priceUpper: Text('Price of A in B at the upper tick.'),
  inRange: Type.Boolean({ description: 'Whether the current price is inside the range.' }),
  liquidity: Text('Liquidity.'),
  amountA: Text('Tokens A that closing the position pays now, exact.'),
  amountB: Text('Tokens B that closing the position pays now, exact.'),
  feesA: Text('Fees in A that are not collected, exact.'),
  feesB: Text('Fees in B that are not collected, exact.'),
  ...Values,
  feesValue: TextOrNull('Part of `value` that the fees are.'),
  feesValueUsd: TextOrNull('The same in USD.'),
  lockedUntil: TextOrNull('Until when it cannot be withdrawn, ISO 8601; null without a lock.'),
  locked: Type.Boolean({ description: 'Whether it is locked now.' }),
  final: RowFinal,
})
