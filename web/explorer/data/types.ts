// Types of the API's answers, from its description.
import type { paths } from '../../../client/generated/openapi.ts'

/** The answer of GET at a path. */
export type Get<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer T } } } }
}
  ? T
  : never

export type PairItem = Get<'/api/v3/analytics/spot-pairs'>['items'][number]
export type MarketPool = Get<'/api/v3/market/pools/{poolId}'>['pool']
export type MarketBook = Get<'/api/v3/market/orderbooks/{marketId}'>['orderbook']
export type AccountAnswer = Get<'/api/v3/explore/account/{account}'>
export type Fact = Get<'/api/v3/explore/tx/{id}'>['facts'][number]
