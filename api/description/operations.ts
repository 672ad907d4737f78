// Every operation of the API, by method and path.
import { ANALYTICS } from './analytics.ts'
import { BRIDGE, CPU } from './bridge.ts'
import { EXCHANGE } from './exchange.ts'
import { EXPLORE } from './explore.ts'
import { FEED } from './feed.ts'
import { HYPERION } from './hyperion.ts'
import { MARKET } from './market.ts'
import { OPERATE } from './operate.ts'
import type { Operations } from './operation.ts'
import { SWAP_ROUTES } from './routes.ts'
import { STREAM } from './stream.ts'

export const OPERATIONS: Operations = {
  ...EXCHANGE,
  ...SWAP_ROUTES,
  ...MARKET,
  ...STREAM,
  ...ANALYTICS,
  ...EXPLORE,
  ...HYPERION,
  ...FEED,
  ...BRIDGE,
  ...CPU,
  ...OPERATE,
}
