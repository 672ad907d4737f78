// Schemas of the explorer's endpoints.
import { Type } from 'typebox'
import { CURSOR_FORM } from '../kit/cursor.ts'
import { ACCOUNT_NAME, EXPECT_CURSOR, TRANSACTION_ID } from '../kit/forms.ts'
import { LIMITS } from '../kit/limits.ts'
import { Count } from '../kit/parameters.ts'
import { ACTIVITY } from './facts.ts'

export const TransactionParams = Type.Object({
  id: Type.String({ description: 'Transaction.', ...TRANSACTION_ID }),
})

export const BlockParams = Type.Object({
  block: Type.String({
    description: 'Block.',
    pattern: '^([0-9]{1,10}|[0-9a-fA-F]{64})$',
    expect: 'the number of a block, or its id of 64 hexadecimal digits',
  }),
})

export const AccountParams = Type.Object({ account: Type.String({ description: 'Account.', ...ACCOUNT_NAME }) })

const Limit = Count(`Maximum number of facts. Default ${LIMITS.accountHistory}, maximum ${LIMITS.poolSwapsMost}.`)

export const BlockQuery = Type.Object({
  after: Type.Optional(
    Type.String({ description: '`next` of the previous page.', pattern: '^[0-9]{1,19}$', expect: EXPECT_CURSOR }),
  ),
  limit: Limit,
})

export const PageQuery = Type.Object({
  cursor: Type.Optional(Type.String({ description: '`next` of the previous page.', ...CURSOR_FORM })),
  limit: Limit,
})

export const ActivityQuery = Type.Object({
  kind: Type.Optional(
    Type.String({
      description: `Only these datasets, separated by commas: ${ACTIVITY.map(({ name }) => name).join(', ')}.`,
    }),
  ),
  ...PageQuery.properties,
})

const AsOf = Type.Integer({ description: 'Last indexed block that the answer includes.' })
const Final = Type.Boolean({ description: 'Whether the block is irreversible.' })
const Time = Type.String({ description: 'Time of the block, ISO 8601.' })

const Fact = Type.Object({
  dataset: Type.String({ description: 'Name of the view in SQL.' }),
  block: Type.Integer({ description: 'Number of the block.' }),
  time: Time,
  sequence: Type.String({ description: 'Global sequence of the action.' }),
  transaction: Type.String({ description: 'Transaction id.' }),
  final: Final,
  row: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Columns of the view, by their names in the data dictionary. Numbers are texts, exact.',
  }),
})
export const Facts = Type.Array(Fact)

export const TransactionAnswer = Type.Object({
  block: AsOf,
  transaction: Type.String({ description: 'Transaction id.' }),
  contracts: Type.String({ description: 'What the facts cover: actions of the watched contracts.' }),
  facts: Facts,
})

export const BlockAnswer = Type.Object({
  block: AsOf,
  num: Type.Integer({ description: 'Number of the block.' }),
  id: Type.String({ description: 'Id of the block.' }),
  previous: Type.String({ description: 'Id of its parent.' }),
  time: Time,
  producer: Type.String({ description: 'Account that produced it.' }),
  final: Final,
  facts: Facts,
  next: Type.Union([Type.String(), Type.Null()], { description: '`after` of the next page; null at the end.' }),
})

export const ActivityAnswer = Type.Object({
  block: AsOf,
  account: Type.String({ description: 'Account.' }),
  firstBlock: Type.Integer({ description: 'First indexed block: nothing is known of earlier ones.' }),
  firstBlockTime: Type.Union([Type.String(), Type.Null()], { description: 'Its time, ISO 8601.' }),
  facts: Facts,
  next: Type.Union([Type.String(), Type.Null()], { description: '`cursor` of the next page; null at the end.' }),
})
