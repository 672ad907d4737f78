// The accounts of the recordings (profile `dev`).
import { DEFAULT_THRESHOLD } from '../../core/price/threshold.ts'
import type { IndexOptions } from '../../indexer/run.ts'

export const DEV: Pick<
  IndexOptions,
  'accounts' | 'systemAccount' | 'tokenContracts' | 'chainId' | 'startBlock' | 'valuation'
> = {
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
  valuation: {
    systemToken: { contract: 'eosio.token', symbol: 'WAX', decimals: 8 },
    threshold: DEFAULT_THRESHOLD,
    trust: { stable: ['usdt-usdt.svc'], trusted: [], scam: [], minimumScore: 41 },
    usd: { kind: 'fixed', usd: 10n ** 16n },
  },
}
