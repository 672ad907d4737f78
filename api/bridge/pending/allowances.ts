// What vaults let out now, shared out among withdrawals in their order: each takes what the ones before it have left.
import { isEvmDomain } from '../../chain-names.ts'
import { assetOf, isUnlimited, type RouteSide } from '../route-list.ts'

export class Allowances {
  /** Ledger units by side. */
  private readonly left = new Map<RouteSide, bigint>()

  /**
   * Whether the rest of the allowance is enough. One for which it is not takes nothing: its release would revert.
   *
   * @param side    the route that it leaves by; undefined when not known
   * @param amount  ledger units, the fee included
   * @returns null when the allowance is not known
   */
  take(side: RouteSide | undefined, amount: bigint): boolean | null {
    if (side === undefined) return null
    // Nothing limits what a relayer pays: the ledger has taken it off the route when it was burned.
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
