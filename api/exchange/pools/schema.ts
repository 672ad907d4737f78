// Schemas of the pool endpoints.
import { Type } from 'typebox'
import { Flag } from '../../kit/parameters.ts'
import { TokenReference } from '../../kit/token-reference.ts'

const Text = (description: string) => Type.String({ description })
const Num = (description: string) => Type.Number({ description })

export const Pool = Type.Object({
  id: Num('Pool id.'),
  chain: Text('Chain name.'),
  active: Type.Boolean({ description: 'Whether it can be traded.' }),
  fee: Num('Swap fee in hundredths of a basis point: 3000 is 0.3%.'),
  feeProtocol: Num('Protocol fee setting.'),
  tickSpacing: Num('Tick spacing.'),
  tokenA: TokenReference,
  tokenB: TokenReference,
  sqrtPriceX64: Text('Current square-root price, Q64.64.'),
  tick: Num('Current tick.'),
  liquidity: Text('Liquidity in range.'),
  maxLiquidityPerTick: Text('Maximum liquidity of one tick.'),
  feeGrowthGlobalAX64: Text('Fees in A per unit of liquidity, Q64.64.'),
  feeGrowthGlobalBX64: Text('Fees in B per unit of liquidity, Q64.64.'),
  protocolFeeA: Num('Protocol fees in A that are not yet collected.'),
  protocolFeeB: Num('Protocol fees in B that are not yet collected.'),
  priceA: Num('Price of A in B.'),
  priceB: Num('Price of B in A.'),
  tvlUSD: Num('What it holds, USD.'),
  volumeA24: Num('Tokens A traded in 24 hours.'),
  volumeB24: Num('Tokens B traded in 24 hours.'),
  volumeUSD24: Num('USD traded in 24 hours.'),
  volumeAWeek: Num('Tokens A traded in 7 days.'),
  volumeBWeek: Num('Tokens B traded in 7 days.'),
  volumeUSDWeek: Num('USD traded in 7 days.'),
  volumeAMonth: Num('Tokens A traded in 30 days.'),
  volumeBMonth: Num('Tokens B traded in 30 days.'),
  volumeUSDMonth: Num('USD traded in 30 days.'),
  volumeA90: Num('Tokens A traded in 90 days.'),
  volumeB90: Num('Tokens B traded in 90 days.'),
  volumeUSD90: Num('USD traded in 90 days.'),
  change24: Num('Change of the price in 24 hours, percent.'),
  changeWeek: Num('Change of the price in 7 days, percent.'),
  high24: Num('Highest price of A in B in 24 hours; the current one without a trade.'),
  low24: Num('Lowest price of A in B in 24 hours; the current one without a trade.'),
  firstSeenAt: Text('Creation time, ISO 8601; of a pool that is older than the indexed history, the start of that.'),
})

export const PoolsQuery = Type.Object({
  tokenA: Type.Optional(Type.String({ description: 'Token id: only pools that trade it.' })),
  tokenB: Type.Optional(Type.String({ description: 'Token id: with `tokenA`, the pair in either order.' })),
  hide_scam: Flag('Leave out pools of tokens on the scam lists.'),
})
