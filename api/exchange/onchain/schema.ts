// Schemas of the on-chain feed, in the format that trackers of decentralised exchanges have agreed on.
import { Type } from 'typebox'

const Text = (description: string) => Type.String({ description })
const Num = (description: string) => Type.Number({ description })

const Block = Type.Object({
  blockNumber: Num('Block.'),
  blockTimestamp: Num('Its time, Unix seconds.'),
})

export const LatestBlock = Type.Object({ block: Block })

export const IdQuery = (description: string) => Type.Object({ id: Text(description) })

export const Asset = Type.Object({
  asset: Type.Object({
    id: Text('`<symbol>-<contract>`.'),
    name: Text('Tokens of these chains have a symbol and no other name.'),
    symbol: Text('Symbol.'),
    decimals: Num('Precision.'),
    totalSupply: Type.Optional(Type.String({ description: 'Tokens issued, when the supply is known.' })),
    circulatingSupply: Type.Optional(Type.String({ description: 'The same: what is issued can move.' })),
    metadata: Type.Object({ contract: Text('Token contract.') }),
  }),
})

export const Pair = Type.Object({
  pair: Type.Object({
    id: Text('Pool id.'),
    dexKey: Text('Contract of the pools.'),
    asset0Id: Text('Token A.'),
    asset1Id: Text('Token B.'),
    createdAtBlockNumber: Type.Optional(Num('Block of its creation; missing when older than the indexed history.')),
    createdAtBlockTimestamp: Type.Optional(Num('Its time, Unix seconds.')),
    createdAtTxnId: Type.Optional(Text('Transaction of its creation.')),
    feeBps: Num('Fee in hundredths of a percent.'),
  }),
})

const amount = (description: string) => Type.Optional(Type.String({ description }))

const Event = Type.Object({
  block: Block,
  eventType: Type.Enum(['swap', 'join', 'exit'], { description: 'A trade, or liquidity that comes or goes.' }),
  txnId: Text('Transaction.'),
  txnIndex: Num('Place of the transaction among those of the block that have events.'),
  eventIndex: Num('Place of the event in its transaction.'),
  maker: Text('Account that traded, or owns the position.'),
  pairId: Text('Pool id.'),
  asset0In: amount('Tokens A that entered the pool in a swap.'),
  asset1In: amount('Tokens B that entered the pool in a swap.'),
  asset0Out: amount('Tokens A that left the pool in a swap.'),
  asset1Out: amount('Tokens B that left the pool in a swap.'),
  priceNative: amount('Price of A in B after a swap, 16 significant digits.'),
  amount0: amount('Tokens A added or removed.'),
  amount1: amount('Tokens B added or removed.'),
  reserves: Type.Optional(
    Type.Object({ asset0: Type.String(), asset1: Type.String() }, { description: 'What the pool held as logged.' }),
  ),
})

export const Events = Type.Object({ events: Type.Array(Event, { description: 'In the order of the chain.' }) })

const blockNumber = (description: string) => Type.Integer({ description, minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const EventsQuery = Type.Object({
  fromBlock: blockNumber('First block.'),
  toBlock: blockNumber('Last block, not above the latest one.'),
})

export const NewestQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ description: 'Maximum number of items. Default 20, maximum 100.', minimum: 0 })),
})

export const NewestSwaps = Type.Array(
  Type.Object({
    id: Text('Global sequence of the swap.'),
    time: Text('Time of its block, ISO 8601.'),
    block: Num('Block.'),
    trx: Text('Transaction.'),
    pool: Num('Pool id.'),
    sender: Text('Account that paid.'),
    tokenA: Num('Tokens A, positive when they entered the pool.'),
    tokenB: Num('Tokens B, positive when they entered the pool.'),
    symbolA: Text('Symbol of A.'),
    symbolB: Text('Symbol of B.'),
  }),
)
