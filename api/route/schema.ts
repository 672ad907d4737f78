// Schemas of the route endpoints. Queries are only described here: v2-request.ts and v3-request.ts parse them and
// report errors with the documented texts.
import { Type } from 'typebox'
import { DEFAULT_SLIPPAGE } from '../kit/decimal.ts'
import { Flag } from '../kit/parameters.ts'
import { TokenReference } from '../kit/token-reference.ts'
import { MAX_HOPS } from './parameters.ts'
import { HOPS, TRADE_TYPES } from './v3-request.ts'

const Text = (description: string) => Type.String({ description })
const Num = (description: string) => Type.Number({ description })
const Maybe = (description: string) => Type.Optional(Text(description))

const AMOUNT = 'Whole tokens as a plain decimal, with no more decimals than the token.'
const SLIPPAGE = `Percent by which the trade may end below its quote, from 0 to less than 100. Default ${DEFAULT_SLIPPAGE}.`

export const V2Query = Type.Object({
  trade_type: Type.Enum(['EXACT_INPUT', 'EXACT_OUTPUT'], {
    description: 'Whether the amount is what is sent or what is received.',
  }),
  input: Text('Token id of what is sent.'),
  output: Text('Token id of what is received.'),
  amount: Text(AMOUNT),
  slippage: Maybe(SLIPPAGE),
  receiver: Maybe('Account that receives; the memos have the literal `<receiver>` without one.'),
  maxHops: Maybe(`Maximum number of pools of a path, from 1. Default and maximum ${MAX_HOPS}.`),
  v2: Maybe('Any value splits the trade over up to five swaps; otherwise there is one.'),
  includePoolDetails: Flag('Whether to describe the pools.'),
})

export const V3Query = Type.Object({
  tradeType: Type.Enum([...TRADE_TYPES], {
    description: 'Whether the amount is what is sent, or what is received; the latter over pools alone.',
  }),
  input: Text('Token id of what is sent.'),
  output: Text('Token id of what is received.'),
  amount: Text(AMOUNT),
  slippage: Maybe(SLIPPAGE),
  account: Maybe('Receiver of every swap and signer of the actions; without one there are no actions.'),
  permission: Maybe('Permission that signs the actions. Default `active`.'),
  maxHops: Type.Optional(
    Type.Enum(HOPS, { description: `Maximum number of pools and markets of a path. Default ${MAX_HOPS}.` }),
  ),
  orderbook: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Whether order books are used beside pools; they are unless `false`.',
    }),
  ),
})

const MIN_RECEIVED = 'Minimum output: the quoted output minus the slippage, rounded down.'
const MAX_SENT = 'Maximum input: the quoted input plus the slippage, rounded up.'
const IMPACT = 'Percent below the spot prices that the pools and markets had before, fees included; to six decimals.'

export const V2Route = Type.Object({
  swaps: Type.Array(
    Type.Object({
      input: Text('Asset to transfer; for exact output what is expected to be taken.'),
      output: Text('Asset expected.'),
      percent: Num('Share of the trade.'),
      route: Type.Array(Num('Pool id.')),
      memo: Text('Memo of the transfer.'),
      minReceived: Text('Minimum output of this swap.'),
      maxSent: Text(
        'Maximum input of this swap: for exact output, the amount to transfer. The contract returns the rest.',
      ),
    }),
    { description: 'One transfer to the AMM contract each, to be signed in this order in one transaction.' },
  ),
  input: Text('Total sent.'),
  output: Text('Total expected.'),
  minReceived: Text(`${MIN_RECEIVED} For exact output the output itself.`),
  maxSent: Text(`${MAX_SENT} For exact input the input itself.`),
  priceImpact: Text(IMPACT),
  executionPrice: Type.Object(
    { numerator: Text('Raw output.'), denominator: Text('Raw input.') },
    { description: 'Output for the input, in raw units.' },
  ),
  route: Type.Array(Num('Pool id.'), { description: 'Pools of the first swap alone.' }),
  memo: Text('Memo of the first swap alone.'),
  pools: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Object({
        fee: Num('Swap fee in hundredths of a basis point: 3000 is 0.3%.'),
        tokenA: TokenReference,
        tokenB: TokenReference,
      }),
      { description: 'Pools by id; only with `includePoolDetails=true`.' },
    ),
  ),
})

const Side = Type.Object({
  id: Text('Token id.'),
  symbol: Text('Token symbol.'),
  contract: Text('Token contract.'),
  decimals: Num('Precision.'),
  amount: Text('Whole tokens, with all decimals.'),
})

const Hop = Type.Object({
  venue: Type.Enum(['amm', 'orderbook']),
  pool: Type.Optional(Num('Pool id, on the AMM.')),
  market: Type.Optional(Num('Market id, on an order book.')),
  input: Text('Token id.'),
  output: Text('Token id.'),
  fee: Text('Percent.'),
})

export const V3Route = Type.Object({
  tradeType: Type.Enum([...TRADE_TYPES], { description: 'As requested.' }),
  input: Side,
  output: Side,
  minReceived: Type.Optional(Text(`Exact input. ${MIN_RECEIVED}`)),
  maxSent: Type.Optional(Text(`Exact output. ${MAX_SENT}`)),
  priceImpact: Text(IMPACT),
  routes: Type.Array(
    Type.Object({
      percent: Num('Share of the trade.'),
      input: Text('Whole tokens that enter.'),
      output: Text('Whole tokens that come out.'),
      hops: Type.Array(Hop),
    }),
  ),
  transfers: Type.Array(
    Type.Object({
      tokenContract: Text('Contract of the token that is sent.'),
      to: Text('The AMM or the order-book contract.'),
      quantity: Text('Asset to send; for exact output the most that may be taken: what is not needed comes back.'),
      memo: Text('Memo; with the literal `<account>` when no account was given.'),
    }),
    { description: 'To be signed in this order in one transaction.' },
  ),
  actions: Type.Optional(
    Type.Array(
      Type.Object({
        account: Text('Token contract.'),
        name: Text('`transfer`.'),
        authorization: Type.Array(Type.Object({ actor: Text('Account.'), permission: Text('Permission.') })),
        data: Type.Object({
          from: Text('Account.'),
          to: Text('Contract.'),
          quantity: Text('Asset.'),
          memo: Text('Memo.'),
        }),
      }),
      { description: 'The transfers as actions; only with `account`.' },
    ),
  ),
})
