// Memos of transfers to the exchange's contracts. Their formats are in docs/api/overview.md, "Swap routes".
import { formatAsset } from '../../core/antelope/asset.ts'
import type { TokenRef } from '../live-market/model.ts'

/** Formats raw units as an asset: `1.0000 TLM`. */
export function assetText(amount: bigint, { decimals, symbol }: TokenRef): string {
  return formatAsset({ amount, precision: decimals, symbol })
}

/**
 * Memo of a swap over pools.
 *
 * @param amount  exact input: least output, raw units; exact output: the output, raw units
 */
export function swapMemo(
  exact: 'in' | 'out',
  pools: readonly number[],
  receiver: string,
  amount: bigint,
  output: TokenRef,
): string {
  return `swapexact${exact}#${pools.join(',')}#${receiver}#${assetText(amount, output)}@${output.contract}#0`
}

/** Memo of a market order that is refunded as a whole unless it gives at least the minimum. */
export function orderMemo(minimum: bigint, output: TokenRef): string {
  return `${assetText(minimum, output)}@${output.contract}|min`
}
