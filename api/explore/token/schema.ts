// Schemas of a token's endpoints.
import { Type } from 'typebox'
import { EXPECT_CURSOR } from '../../kit/forms.ts'
import { LIMITS } from '../../kit/limits.ts'
import { Count, Moment } from '../../kit/parameters.ts'
import { AsOf, Complete, RowFinal, Text, TextOrNull, TokenMembers, Values } from '../value-schema.ts'

export const TokenParams = Type.Object({ tokenId: Text('Token id: `<symbol>-<contract>`, any case.') })

const Holder = Type.Object({
  account: Text('Account.'),
  amount: Text('Balance, exact.'),
  share: TextOrNull('Part of the supply, 8 significant digits; null when there is none.'),
  ...Values,
  final: RowFinal,
})

const Change = (hours: number) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `Change in ${hours} hours; null when not counted then.` })

export const TokenAnswer = Type.Object({
  block: AsOf,
  token: TokenMembers,
  price: TextOrNull('System tokens for one token; null without a price.'),
  priceUsd: TextOrNull('USD for one token; null likewise.'),
  pools: Type.Integer({ description: 'Pools that trade it.' }),
  markets: Type.Integer({ description: 'Order-book markets that trade it.' }),
  supply: Type.Union([
    Type.Object({
      amount: Text('Tokens in circulation, exact.'),
      max: Text('Maximum supply in tokens, exact.'),
      issuer: Text('Account that may issue.'),
      ...Values,
    }),
    Type.Null(),
  ]),
  holders: Type.Union(
    [
      Type.Object({
        count: Type.Integer({ description: 'Accounts with a balance at the last counted hour.' }),
        change1h: Change(1),
        change24h: Change(24),
        truncated: Type.Boolean({
          description: 'Whether there may be more: balances before the indexed history are unknown.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Null when the holders were not counted in the last two days.' },
  ),
  top: Type.Union([Type.Array(Holder), Type.Null()], {
    description: 'The ten largest holders; null when the balances of the token are not watched.',
  }),
  complete: Complete,
})

export const HoldersQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({
      description: '`next` of the previous page.',
      pattern: '^[0-9]{1,19}-[a-z1-5.]{1,13}$',
      expect: EXPECT_CURSOR,
    }),
  ),
  limit: Count(`Maximum number of holders. Default ${LIMITS.accountHistory}, maximum ${LIMITS.tradesMost}.`),
})

export const HoldersAnswer = Type.Object({
  block: AsOf,
  token: TokenMembers,
  holders: Type.Array(Holder, { description: 'The largest first.' }),
  complete: Complete,
  next: TextOrNull('`cursor` of the next page; null at the end.'),
})

export const PricesQuery = Type.Object({
  to: Moment('Unix milliseconds. The last hour is the one that contains it. Default: the block’s hour.'),
  limit: Count(`Maximum number of hours. Default ${LIMITS.tokenHours}, maximum ${LIMITS.tokenHoursMost}.`),
})

export const PricesAnswer = Type.Object({
  block: AsOf,
  token: TokenMembers,
  path: Type.Union([Type.Array(Type.Integer()), Type.Null()], {
    description:
      'Pools that price the token now, from it to the system token: the prices of all hours are through them. Null when it has no price now.',
  }),
  hours: Type.Array(
    Type.Object({
      time: Text('Start of the hour, ISO 8601.'),
      price: TextOrNull('System tokens for one token at the end of the hour; null when a pool had no price yet.'),
      priceUsd: TextOrNull('USD for one token at the end of the hour; null when it was not known.'),
      over: Type.Boolean({ description: 'Whether the hour has ended: else the price is that of the block.' }),
    }),
    { description: 'Oldest first, without gaps: a price holds until the next swap.' },
  ),
  next: TextOrNull('`to` of the page of older hours; null when there are none.'),
})
