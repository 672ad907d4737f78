// The contract of the account that pays CPU: an action that does nothing, before what a user does.

import type { ApplyContext, Contract } from '../chain/contract.ts'
import { abiFile } from './abi-file.ts'
import { requireAuthority } from './actions.ts'

export const SPONSOR = 'liquid.svc'

export class SponsorContract implements Contract {
  readonly account = SPONSOR
  readonly abi = abiFile('liquid.svc')

  apply(context: ApplyContext): void {
    if (context.receiver === SPONSOR && context.action.account === SPONSOR) requireAuthority(context, SPONSOR)
  }
}
