// Every endpoint of a chain. To add one, write a function that takes the Api and call it here.
import { banRoutes } from './analytics/ban-routes.ts'
import { chartRoutes } from './analytics/chart-routes.ts'
import { globalRoutes } from './analytics/global-routes.ts'
import { overviewRoutes } from './analytics/overview-routes.ts'
import { pairRoutes } from './analytics/pair-routes.ts'
import { poolRoutes as analyticsPoolRoutes } from './analytics/pool-routes.ts'
import { tokenRoutes as analyticsTokenRoutes } from './analytics/token-routes.ts'
import { accountRoutes } from './exchange/account/routes.ts'
import { ammFeedRoutes } from './exchange/amm-feed/routes.ts'
import { candleRoutes } from './exchange/candles/routes.ts'
import { digestRoutes } from './exchange/digests/routes.ts'
import { metaRoutes } from './exchange/meta.ts'
import { onchainRoutes } from './exchange/onchain/routes.ts'
import { poolRoutes } from './exchange/pools/routes.ts'
import { positionRoutes } from './exchange/positions/routes.ts'
import { spotRoutes } from './exchange/spot/routes.ts'
import { tokenRoutes } from './exchange/tokens/routes.ts'
import { udfRoutes } from './exchange/udf/routes.ts'
import { exploreRoutes } from './explore/routes.ts'
import type { Api } from './http/typed.ts'
import { hyperionRoutes } from './hyperion/routes.ts'
import { marketApiRoutes } from './market/routes.ts'
import { swapRouteRoutes } from './route/routes.ts'

export function exchangeRoutes(api: Api): void {
  metaRoutes(api)
  digestRoutes(api)
  tokenRoutes(api)
  poolRoutes(api)
  positionRoutes(api)
  candleRoutes(api)
  spotRoutes(api)
  ammFeedRoutes(api)
  accountRoutes(api)
  udfRoutes(api)
  onchainRoutes(api)
  swapRouteRoutes(api)
  marketApiRoutes(api)
  globalRoutes(api)
  chartRoutes(api)
  overviewRoutes(api)
  analyticsPoolRoutes(api)
  pairRoutes(api)
  analyticsTokenRoutes(api)
  banRoutes(api)
  exploreRoutes(api)
  hyperionRoutes(api)
}
