// Schemas of the Hyperion API: members as Hyperion names them.
import { Type } from 'typebox'
import { LIMITS } from './request.ts'

const Text = (description: string) => Type.String({ description })
const Num = (description: string) => Type.Number({ description })
const Optional = (description: string) => Type.Optional(Type.String({ description }))

const Coverage = Type.Object(
  {
    first_block: Type.Union([Type.Number(), Type.Null()], {
      description: 'First indexed block: nothing is known of earlier ones. Null before the first.',
    }),
    first_block_time: Type.Union([Type.String(), Type.Null()], { description: 'Its time.' }),
    contracts: Type.Array(Type.String(), {
      description: 'Contracts whose transfers are indexed; `*`: every token contract of the standard layout.',
    }),
    actions: Type.Array(Type.String(), { description: 'Names of the actions.' }),
    omitted: Type.Array(Type.String(), { description: 'Members of Hyperion’s actions that are not indexed.' }),
  },
  { description: 'What the answer covers.' },
)

const Action = Type.Object({
  '@timestamp': Text('Time of the block, UTC without a zone.'),
  timestamp: Text('The same.'),
  block_num: Num('Block number.'),
  block_id: Type.Union([Type.String(), Type.Null()], { description: 'Block id.' }),
  trx_id: Text('Transaction id.'),
  act: Type.Object({
    account: Text('Contract.'),
    name: Text('Action: `transfer`.'),
    data: Type.Object({
      from: Text('Account that sent.'),
      to: Text('Account that received.'),
      amount: Num('Amount as a number: rounded above 2^53 raw units.'),
      symbol: Text('Symbol.'),
      quantity: Text('Amount and symbol, exact.'),
      memo: Text('Memo.'),
    }),
  }),
  global_sequence: Num('Global sequence of the action.'),
  producer: Type.Union([Type.String(), Type.Null()], { description: 'Account that produced the block.' }),
})

const common = {
  query_time_ms: Num('Time that the answer took, milliseconds.'),
  lib: Num('Last irreversible block: later blocks may be replaced by a fork.'),
  last_indexed_block: Num('Last block of the answer.'),
  last_indexed_block_time: Text('Its time.'),
  coverage: Coverage,
}

const Range = {
  skip: Optional('Rows to skip.'),
  limit: Optional(
    `Maximum number of rows. Default ${LIMITS.limit}, maximum ${LIMITS.limitMost}; \`skip\` and \`limit\` together: at most ${LIMITS.reach}.`,
  ),
  sort: Optional('`desc`, the default, or `asc`.'),
  after: Optional('ISO time or block number, inclusive.'),
  before: Optional('ISO time or block number, inclusive.'),
}

export const ActionsQuery = Type.Object({
  account: Optional('Sender, receiver or token contract.'),
  filter: Optional('`*:transfer` or `CONTRACT:transfer`, several with commas. Other actions are refused.'),
  'act.account': Optional('Token contract.'),
  'act.name': Optional('`transfer`.'),
  'transfer.from': Optional('Sender.'),
  'transfer.to': Optional('Receiver.'),
  'transfer.symbol': Optional('Symbol.'),
  ...Range,
})

export const ActionsAnswer = Type.Object({
  ...common,
  total: Type.Object({
    value: Num('Rows that match, as far as they were counted.'),
    relation: Text('`eq`: there are no more; `gte`: there may be more.'),
  }),
  actions: Type.Array(Action),
})

export const TransfersQuery = Type.Object({
  from: Optional('Sender.'),
  to: Optional('Receiver.'),
  contract: Optional('Token contract.'),
  symbol: Optional('Symbol.'),
  ...Range,
})

export const TransfersAnswer = Type.Object({
  ...ActionsAnswer.properties,
  action_count: Num('Transfers of this page.'),
  total_amount: Num('Sum of their amounts; null amounts do not exist. Of several symbols it has no meaning.'),
})

export const TransactionQuery = Type.Object({ id: Optional('Transaction id, 64 hexadecimal digits.') })

export const TransactionAnswer = Type.Object({
  ...common,
  executed: Type.Boolean({ description: 'True: a transaction with an indexed action was executed.' }),
  trx_id: Text('Transaction id.'),
  actions: Type.Array(Action, { description: 'Its transfers, in order: other actions are not covered.' }),
})

export const TokensQuery = Type.Object({ account: Optional('Account.'), skip: Range.skip, limit: Range.limit })

export const TokensAnswer = Type.Object({
  ...common,
  account: Text('Account.'),
  tokens: Type.Array(
    Type.Object({
      symbol: Text('Symbol.'),
      precision: Num('Precision.'),
      amount: Num('Balance as a number.'),
      contract: Text('Token contract.'),
    }),
    { description: 'Balances above zero.' },
  ),
})

export const HealthAnswer = Type.Object({
  version: Text('Version of this service.'),
  host: Text('Host of the request.'),
  health: Type.Array(
    Type.Object({
      service: Text('Name that Hyperion’s clients look for.'),
      status: Text('`OK`, or `Warning` when the service waits for blocks.'),
      service_data: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Position of the node or of the database.',
      }),
      time: Num('When this was read, Unix milliseconds.'),
    }),
  ),
  features: Type.Record(Type.String(), Type.Unknown(), { description: 'Which calls are answered.' }),
  query_time_ms: common.query_time_ms,
  coverage: Coverage,
})
