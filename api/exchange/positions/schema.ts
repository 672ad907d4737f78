// Schemas of the position endpoints.
import { Type } from 'typebox'

const Text = (description: string) => Type.String({ description })
const Num = (description: string) => Type.Number({ description })

export const Position = Type.Object({
  id: Num('Position id.'),
  owner: Text('Owner.'),
  pool: Num('Pool id.'),
  tickLower: Num('Lower tick of the range.'),
  tickUpper: Num('Upper tick of the range.'),
  liquidity: Text('Liquidity.'),
  feeGrowthInsideALastX64: Text('Fee growth in A inside the range at the last update, Q64.64.'),
  feeGrowthInsideBLastX64: Text('Fee growth in B inside the range at the last update, Q64.64.'),
  inRange: Type.Boolean({ description: 'Whether the current price is inside the range.' }),
  amountA: Text('Tokens A now, asset string.'),
  amountB: Text('Tokens B now, asset string.'),
  feesA: Text('Fees in A that are not yet collected, asset string.'),
  feesB: Text('Fees in B that are not yet collected, asset string.'),
  totalValue: Num('Tokens and fees that are not yet collected, USD.'),
  totalFeesUSD: Num('Fees that are not yet collected, USD.'),
  depositedUSDTotal: Num('Deposits less withdrawals, USD, each valued when it was made.'),
  collectedFees: Type.Object({
    tokenA: Num('Fees in A collected so far.'),
    tokenB: Num('Fees in B collected so far.'),
    inUSD: Num('The same in USD, valued when collected.'),
    lastCollectTime: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601; null when never collected.' }),
  }),
  pNl: Num('Fees earned, collected and not, USD.'),
  closed: Type.Boolean({ description: 'All liquidity withdrawn.' }),
  lockedUntil: Type.Union([Type.Number(), Type.Null()], { description: 'Unix seconds, or null.' }),
  isLocked: Type.Boolean({ description: 'Locked now: cannot be withdrawn.' }),
})
