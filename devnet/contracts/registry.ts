// The token registry: names and image links of tokens.

import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import type { Actions, Tables } from '../../core/contracts/registry.ts'
import type { ApplyContext, Contract } from '../chain/contract.ts'
import { abiFile } from './abi-file.ts'
import { membersOf, requireAuthority } from './actions.ts'

export class RegistryContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition = abiFile('tokenregistry')

  constructor(account = 'tokens.svc') {
    this.account = account
  }

  apply(context: ApplyContext): void {
    const { account, name } = context.action
    if (account !== this.account) return
    requireAuthority(context, this.account)
    if (name === 'settoken') this.set(context, membersOf<Actions['settoken']>(context.action))
    else if (name === 'rmtoken')
      context.db.erase('tokens', this.account, membersOf<Actions['rmtoken']>(context.action).id)
  }

  private set(context: ApplyContext, data: Actions['settoken']): void {
    let id = 0n
    for (const row of context.db.rows<Tables['tokens']>('tokens', this.account)) {
      if (row.contract === data.contract && row.sym.code === data.sym.code) {
        context.db.set('tokens', this.account, row.id, { ...row, ...data })
        return
      }
      id = row.id + 1n
    }
    context.db.set('tokens', this.account, id, { id, ...data })
  }
}
