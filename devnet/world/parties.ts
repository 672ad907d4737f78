// Who takes part in journeys: users with an account on each chain and an address on the EVM side, and those who do not
// do their part.

export { evmAddress, SLEEPERS } from '../evm/accounts.ts'

/** Accounts that do not exist on wax: they cannot be paid. */
export const MISSING: readonly string[] = ['lost.gm', 'nobody.wam', 'typo1']
