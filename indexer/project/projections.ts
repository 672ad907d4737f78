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
import type { AnyAction, AnyTable } from './projection.ts'
import * as bans from './registry/bans.ts'
import { oraclePoints } from './registry/oracle.ts'
import { registryTokens } from './registry/token-registry.ts'
import * as spot from './spot/spot.ts'
import * as token from './token/token.ts'

const all: (AnyAction | AnyTable)[] = [
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

export const ACTIONS: AnyAction[] = all.filter((projection) => 'action' in projection)
export const TABLES: AnyTable[] = all.filter((projection) => 'table' in projection)
