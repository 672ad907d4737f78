// Who takes part in journeys: users with an account on each chain and an address on the EVM side, and those who do not
// do their part.

import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'

/** Address of a user on the EVM side. */
export function evmAddress(user: string): string {
  return `0x${toHex(sha256(Buffer.from(`evm/${user}`)).subarray(0, 20))}`
}

/** Owners of these addresses never release what waits for them. */
export const SLEEPERS: readonly string[] = ['sleeper 1', 'sleeper 2', 'sleeper 3'].map(evmAddress)

/** Accounts that do not exist on wax: they cannot be paid. */
export const MISSING: readonly string[] = ['lost.gm', 'nobody.wam', 'typo1']
