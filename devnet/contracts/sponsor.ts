// Contract of the account that pays CPU: its action does nothing, and precedes a user's actions.

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
