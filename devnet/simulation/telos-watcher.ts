// Reads burns in the ledger's irreversible blocks, for the relayer and the owners of withdrawals.

import type { Asset } from '../../core/antelope/asset.ts'
import type { Actions } from '../../core/contracts/bridge-telos-devnet.ts'
import type { Actions as HopActions } from '../../core/contracts/hop.ts'
import { required } from '../../core/required.ts'
import type { Chain, FinalBlock } from '../chain/chain.ts'
import type { WithdrawalRow } from '../contracts/bridge/rows.ts'
import { BRIDGE, HOP } from '../contracts/exchange.ts'

/** Members of `wdlog`, with its asset. */
export interface Burn extends Pick<Actions['wdlog'], 'id' | 'domain' | 'token' | 'recipient' | 'fee' | 'deadline'> {
  /** Gross: the fee is part of it. */
  quantity: Asset
  /** Whether a hop returns to its way-back address. */
  wayBack: boolean
}

/** @param burned  called with each burn and the time of the block that made it irreversible, Unix milliseconds */
export function watchTelos(chain: Chain, burned: (burn: Burn, now: number) => void): void {
  chain.onIrreversible((blocks) => {
    for (const block of blocks) for (const burn of burnsIn(chain, block)) burned(burn, chain.headTime)
  })
}

function burnsIn(chain: Chain, { actions }: FinalBlock): Burn[] {
  const logs = <Members>(account: string, name: string) =>
    actions
      .filter(({ receiver, action }) => receiver === account && action.account === account && action.name === name)
      .map(({ action }) => chain.state.abiOf(account).decodeAction<Members>(name, action.data))
  const burns = logs<Actions['wdlog']>(BRIDGE, 'wdlog')
  if (burns.length === 0) return []
  const returns = new Set(logs<HopActions['returnlog']>(HOP, 'returnlog').map((log) => log.wd_id))
  return burns.map((burn) => {
    const { quantity } = required(
      chain.tables(BRIDGE).get<WithdrawalRow>('wdraws', BRIDGE, burn.id),
      `withdrawal ${burn.id}`,
    )
    return { ...burn, quantity, wayBack: returns.has(burn.id) }
  })
}
