// Wrapped tokens on telos: a token contract whose holders can withdraw with data for the receiver.
import type { ApplyContext } from '../../chain/contract.ts'
import { abiFile } from '../abi-file.ts'
import { call, membersOf, requireAuthority } from '../actions.ts'
import { TokenContract } from '../token.ts'
import type { WithdrawData } from './rows.ts'

export class WrapContract extends TokenContract {
  private readonly bridge: string

  constructor(isAccount?: (name: string) => boolean, account = 'wrap.svc', bridge = 'bridge.svc') {
    super(account, { abi: abiFile('wrap.svc'), isAccount })
    this.bridge = bridge
  }

  protected override other(context: ApplyContext): void {
    context.check(context.action.name === 'withdraw', `unknown action ${context.action.name}`)
    const data = membersOf<WithdrawData>(context.action)
    requireAuthority(context, data.owner)
    context.check(data.quantity.amount > 0n, 'must withdraw positive quantity')
    context.check(data.memo.length <= 1024, 'memo has more than 1024 bytes')
    this.burn(context, data.owner, data.quantity)
    context.inline(call(this.bridge, 'withdraw', this.account, { ...data }))
  }
}
