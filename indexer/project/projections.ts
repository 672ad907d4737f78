// All datasets of the project.
import * as incentives from './amm/incentives.ts'
import { poolCreation } from './amm/pool-creation.ts'
import * as positionEvents from './amm/position-events.ts'
import * as protocolFees from './amm/protocol-fees.ts'
import { swap } from './amm/swap.ts'
import * as ammTables from './amm/tables.ts'
import * as bridge from './bridge/bridge.ts'
import { gatewayCredit } from './bridge/gateway.ts'
import * as hop from './bridge/hop.ts'
import { noop } from './bridge/liquid.ts'
import type { ActionProjection, TableProjection } from './projection.ts'
import * as bans from './registry/bans.ts'
import { oraclePoints } from './registry/oracle.ts'
import { registryTokens } from './registry/token-registry.ts'
import * as spot from './spot/spot.ts'
import * as token from './token/token.ts'

type AnyProjection = ActionProjection<never> | TableProjection<never>

const all: AnyProjection[] = [
  swap,
  poolCreation,
  ...Object.values(positionEvents),
  ...Object.values(protocolFees),
  ...Object.values(incentives),
  ...Object.values(ammTables),
  ...Object.values(spot),
  ...Object.values(token),
  ...Object.values(bridge),
  ...Object.values(hop),
  gatewayCredit,
  noop,
  ...Object.values(bans),
  oraclePoints,
  registryTokens,
]

export const ACTIONS = all.filter((projection) => 'action' in projection) as ActionProjection<unknown>[]
export const TABLES = all.filter((projection) => 'table' in projection) as TableProjection<unknown>[]
