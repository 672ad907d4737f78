// The chain of the benchmark of packs, and the settings that determine its rows.
import type { ChainSettings } from '../../packs/format/settings.ts'
import { DEV } from '../support/profile.ts'

export const CHAIN = 'telos'
const { accounts, systemAccount, tokenContracts, valuation } = DEV
export const SETTINGS: ChainSettings = {
  accounts,
  systemAccount,
  tokenContracts,
  valuation,
  finality: { bridge: 'bridge.svc' },
}
