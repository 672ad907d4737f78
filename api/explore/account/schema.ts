// Schema of an account.
import { Type } from 'typebox'
import { LIMITS } from '../../kit/limits.ts'
import { Count, Moment } from '../../kit/parameters.ts'
import { AsOf, Complete, Position, RowFinal, Text, TextOrNull, TokenMembers, Values } from '../value-schema.ts'
import { MAX_ACCOUNT_ROWS } from './answer.ts'

const Total = {
  ...Values,
  unvalued: Type.Integer({
    description: 'Parts with a token that has no price or is not trusted: they are not in the sums.',
  }),
}
const Side = (description: string) =>
  Type.Object({ token: Text('Token id.'), amount: Text('Amount, exact.') }, { description })

export const AccountAnswer = Type.Object({
  block: AsOf,
  account: Text('Account.'),
  balances: Type.Array(
    Type.Object({ token: TokenMembers, amount: Text('Balance, exact.'), ...Values, final: RowFinal }),
    { description: 'Balances of watched tokens above zero, the most valuable first.' },
  ),
  positions: Type.Array(Position, {
    description: 'Positions with liquidity or with fees that are not collected, the most valuable first.',
  }),
  orders: Type.Array(
    Type.Object({
      market: Type.Integer({ description: 'Market id.' }),
      id: Text('Order id.'),
      side: Type.Enum(['buy', 'sell'], { description: 'A buy order offers the target, a sell order the base.' }),
      base: TokenMembers,
      target: TokenMembers,
      price: Text('Target for one base, exact.'),
      offered: Side('What is left of the offer.'),
      wanted: Side('What is asked for it.'),
      ...Values,
      placed: Text('Time of the order by the contract, ISO 8601.'),
      final: RowFinal,
    }),
    { description: 'Open orders, by market.' },
  ),
  totals: Type.Object(
    {
      ...Total,
      balances: Type.Object(Total),
      positions: Type.Object(Total),
      fees: Type.Object(Total, { description: 'Fees that are not collected: a part of the positions.' }),
      orders: Type.Object(Total),
    },
    { description: 'Sums of the lists. A sum is null when it has parts and the value of none is known.' },
  ),
  complete: Complete,
  truncated: Type.Boolean({
    description: `Whether the account has more than ${MAX_ACCOUNT_ROWS} rows of a kind: lists and sums are then of the first ones by id.`,
  }),
})

export const ValueQuery = Type.Object({
  to: Moment('Unix milliseconds. The last hour is the one that contains it. Default: the last completed hour.'),
  limit: Count(`Maximum number of hours. Default ${LIMITS.tokenHours}, maximum ${LIMITS.tokenHoursMost}.`),
})

const Worth = (of: string) => ({
  value: TextOrNull(
    `Value of ${of} in system tokens at the end of the hour, 8 significant digits; null when it is not known.`,
  ),
  valueUsd: TextOrNull('The same in USD.'),
  unvalued: Type.Integer({ description: `Parts of ${of} without a known price: they are not in the value.` }),
})

export const ValueAnswer = Type.Object({
  block: AsOf,
  account: Text('Account.'),
  hours: Type.Array(
    Type.Object({
      time: Text('Start of the hour, ISO 8601.'),
      ...Worth('the balances and the positions'),
      balances: Type.Object(Worth('the balances')),
      positions: Type.Object(Worth('the liquidity of the positions')),
    }),
    { description: 'Oldest first. Hours without blocks, and the hour that is not over, are left out.' },
  ),
  next: TextOrNull('`to` of the page of older hours; null when there are none.'),
})
