// A shop of the devnet: accepts wrapped tokens only with an order number as memo, so that deliveries of the bridge can
// be refused.
import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import type { ApplyContext, Contract } from '../chain/contract.ts'
import { incomingTransfer } from './actions.ts'

const ORDER = /^order \d+$/

export class ShopContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition = {
    version: 'eosio::abi/1.2',
    types: [],
    structs: [],
    actions: [],
    tables: [],
    variants: [],
  }

  constructor(account: string) {
    this.account = account
  }

  apply(context: ApplyContext): void {
    const transfer = incomingTransfer(context)
    if (transfer) context.check(ORDER.test(transfer.memo), 'no such order')
  }
}
