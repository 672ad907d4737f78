// The accounts of the recordings (profile `dev`).
import type { IndexOptions } from '../../indexer/run.ts'

export const DEV: Pick<IndexOptions, 'accounts' | 'systemAccount' | 'tokenContracts' | 'chainId' | 'startBlock'> = {
  accounts: {
    amm: 'swap.svc',
    spot: 'svcdexmain',
    bridge: 'bridge.svc',
    hop: 'hop.svc',
    wrap: 'wrap.svc',
  },
  systemAccount: 'eosio',
  tokenContracts: '*',
  chainId: null,
  startBlock: 2,
}
