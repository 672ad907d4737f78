// The token registry: names and image links of tokens.
import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import type { ApplyContext, Contract } from '../chain/contract.ts'
import { abiFile } from './abi-file.ts'
import { requireAuthority } from './actions.ts'

interface RegistryRow {
  id: bigint
  contract: string
  sym: { precision: number; code: string }
  name: string
  image: string
}

export class RegistryContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition = abiFile('tokenregistry')

  constructor(account = 'tokens.svc') {
    this.account = account
  }

  apply(context: ApplyContext): void {
    const { account, name, data } = context.action
    if (account !== this.account) return
    requireAuthority(context, this.account)
    if (name === 'settoken') this.set(context, data as unknown as RegistryRow)
    else if (name === 'rmtoken') context.db.erase('tokens', this.account, (data as { id: bigint }).id)
  }

  private set(context: ApplyContext, data: Omit<RegistryRow, 'id'>): void {
    let id = 0n
    for (const row of context.db.rows<RegistryRow>('tokens', this.account)) {
      if (row.contract === data.contract && row.sym.code === data.sym.code) {
        context.db.set('tokens', this.account, row.id, { ...row, ...data })
        return
      }
      id = row.id + 1n
    }
    context.db.set('tokens', this.account, id, { id, ...data })
  }
}
