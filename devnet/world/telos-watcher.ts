// Reads burns in the ledger's irreversible blocks, for the relayer and the owners of withdrawals.

import type { Asset } from '../../core/antelope/asset.ts'
import type { WithdrawalRow } from '../../core/contract-rows.ts'
import { required } from '../../core/required.ts'
import type { Chain, FinalBlock } from '../chain/chain.ts'
import { BRIDGE, HOP } from '../contracts/exchange.ts'

/** Members of `wdlog`, with its asset. */
export interface Burn {
  id: bigint
  domain: bigint
  token: Uint8Array
  recipient: Uint8Array
  /** Gross. */
  quantity: Asset
  /** Raw units, part of the quantity. */
  fee: bigint
  /** Unix seconds. */
  deadline: bigint
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
  const logs = (account: string, name: string) =>
    actions
      .filter(({ receiver, action }) => receiver === account && action.account === account && action.name === name)
      .map(({ action }) => chain.state.abiOf(account).decodeAction(name, action.data))
  const burns = logs(BRIDGE, 'wdlog') as unknown as Omit<Burn, 'quantity' | 'wayBack'>[]
  if (burns.length === 0) return []
  const returns = new Set(logs(HOP, 'returnlog').map((log) => log.wd_id as bigint))
  return burns.map((burn) => {
    const { quantity } = required(
      chain.tables(BRIDGE).get<WithdrawalRow>('wdraws', BRIDGE, burn.id),
      `withdrawal ${burn.id}`,
    )
    return { ...burn, quantity, wayBack: returns.has(burn.id) }
  })
}
