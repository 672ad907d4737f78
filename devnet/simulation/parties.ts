// Parties of journeys: users with an account on each chain and an address on the EVM side, and parties that never act.

export { evmAddress, SLEEPERS } from '../evm/accounts.ts'

/** Accounts that do not exist on wax, so they cannot be paid. */
export const MISSING: readonly string[] = ['lost.gm', 'nobody.wam', 'typo1']
