// Schemas of the account endpoints.
import { Type } from 'typebox'
import { HistoryMembers } from '../../kit/history-schema.ts'

const Id = (description: string) => Type.String({ description })

export const Deal = Type.Object({
  ...HistoryMembers,
  market: Type.Number({ description: 'Market.' }),
  type: Type.String({ description: '`buymatch`: a buy order took the trade; `sellmatch`: a sell order took it.' }),
  unit_price: Type.Number({ description: 'Target per base.' }),
  bidder: Id('Account of the taking order.'),
  asker: Id('Account of the resting order.'),
  bid: Type.Number({ description: 'What the bidder paid.' }),
  ask: Type.Number({ description: 'What the bidder received.' }),
})

export const PositionEvent = Type.Object({
  ...HistoryMembers,
  id: Type.Number({ description: 'Position.' }),
  pool: Type.Number({ description: 'Pool.' }),
  owner: Id('Owner of the position.'),
  type: Type.String({ description: '`mint`, `burn` or `collect`.' }),
  tokenA: Type.Number({ description: 'Tokens A added, removed or collected.' }),
  tokenB: Type.Number({ description: 'Tokens B added, removed or collected.' }),
  tokenAUSDPrice: Type.Number({ description: 'USD price of A at that time; 0 when unknown.' }),
  tokenBUSDPrice: Type.Number({ description: 'USD price of B at that time; 0 when unknown.' }),
  totalUSDValue: Type.Number({ description: 'Value in USD at that time; a token without a price counts 0.' }),
})
