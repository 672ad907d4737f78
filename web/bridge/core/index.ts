// The core of the deposit page: the bridge without a user interface. `types.ts` declares its interface.
import { Client } from './client.ts'
import type { BridgeClient, BridgeConfig } from './types.ts'

export type * from './types.ts'

export function openBridge(config: BridgeConfig): BridgeClient {
  return new Client(config)
}
