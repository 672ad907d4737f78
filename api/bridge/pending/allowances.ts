// Distributes the vaults' current allowances over withdrawals in list order.
import { isEvmDomain } from '../../../core/chains.ts'
import { assetOf, isUnlimited, type RouteSide } from '../route-list.ts'

export class Allowances {
  /** Rest of the allowance, ledger units. */
  private readonly left = new Map<RouteSide, bigint>()

  /**
   * Subtracts a withdrawal from the rest of the allowance. If it does not fit, nothing is subtracted: its release would
   * revert.
   *
   * @param side    route of the withdrawal; undefined if unknown
   * @param amount  ledger units, including the fee
   * @returns whether it fits; null if the allowance is unknown
   */
  take(side: RouteSide | undefined, amount: bigint): boolean | null {
    if (side === undefined) return null
    // A relayer's payment has no allowance: the burn has already reduced the route's backing.
    if (!isEvmDomain(side.row.domain)) return true
    const available = assetOf(side)?.available ?? null
    if (available === null) return null
    if (isUnlimited(available)) return true
    const left = this.left.get(side) ?? available / side.row.scale
    if (amount > left) return false
    this.left.set(side, left - amount)
    return true
  }
}
