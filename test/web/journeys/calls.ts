// Selectors of the bridge contracts' functions.
import { interfaceOf } from '../../../devnet/evm/contracts.ts'

const selector = (contract: 'PlainToken' | 'SvcVault' | 'SvcWithdrawals' | 'SvcLightClient', name: string) =>
  interfaceOf(contract).getFunction(name)!.selector

export const APPROVE = selector('PlainToken', 'approve')
export const DEPOSIT = selector('SvcVault', 'deposit')
export const NATIVE = selector('SvcVault', 'depositNative')
export const RELEASES = ['release', 'submitAndRelease'].map((name) => selector('SvcWithdrawals', name))
export const EXPIRIES = ['expire', 'submitAndExpire'].map((name) => selector('SvcWithdrawals', name))
/** Precedes a release when finalizers have changed since the last one. */
export const LESSON = selector('SvcLightClient', 'submitAndLearn')
