// The bridge on wax: locks the system token, burns mirrored tokens, and pays each withdrawal once.
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import type { Asset } from '../../../core/antelope/asset.ts'
import type { DepositLog } from '../../../core/contract-rows.ts'
import type { ApplyContext, Contract } from '../../chain/contract.ts'
import { abiFile } from '../abi-file.ts'
import { call, incomingTransfer, log, pay, requireAuthority, type Transfer } from '../actions.ts'
import type { PaymentLog } from './antelope-gateway.ts'

const MEMO = /^([a-z1-5.]{1,13})(?::(.*))?$/

interface PayData {
  id: bigint
  token_contract: string
  recipient: string
  quantity: Asset
  memo: string
}

export class WaxBridge implements Contract {
  readonly account: string
  readonly abi: AbiDefinition = abiFile('bridge.svc.wax.devnet')
  private readonly wrap: string
  private readonly relayer: string

  /** @param relayer  the only account that may pay withdrawals */
  constructor(relayer: string, account = 'bridge.svc', wrap = 'wrap.svc') {
    this.account = account
    this.wrap = wrap
    this.relayer = relayer
  }

  apply(context: ApplyContext): void {
    const { account, name, data } = context.action
    if (account === this.account) {
      if (name === 'pay') this.payOut(context, data as unknown as PayData)
      return
    }
    const transfer = incomingTransfer(context)
    if (transfer) this.deposit(context, transfer, account)
  }

  /** `<telos account>` or `<telos account>:<note>`. */
  private deposit(context: ApplyContext, { from, quantity, memo }: Transfer, token: string): void {
    const match = MEMO.exec(memo)
    context.check(match !== null, 'invalid memo')
    const row = context.db.get<{ next_nonce: bigint }>('counters', this.account, 0n)
    const nonce = row?.next_nonce ?? 0n
    context.db.set('counters', this.account, 0n, { next_nonce: nonce + 1n })
    if (token === this.wrap) context.inline(call(token, 'retire', this.account, { quantity, memo: 'deposit' }))
    const locked: DepositLog = {
      nonce,
      bridge: this.account,
      token_contract: token,
      token_symbol: { precision: quantity.precision, code: quantity.symbol },
      from,
      raw: quantity.amount,
      canonical: quantity.amount,
      beneficiary: match[1] as string,
      memo: match[2] ?? '',
    }
    log(context, 'deplog', { ...locked })
  }

  private payOut(context: ApplyContext, { id, token_contract, recipient, quantity, memo }: PayData): void {
    requireAuthority(context, this.relayer)
    context.check(context.db.get('paid', this.account, id) === undefined, 'withdrawal is paid already')
    context.db.set('paid', this.account, id, { id })
    const data = { to: this.account, quantity, memo: 'withdrawal' }
    if (token_contract === this.wrap) context.inline(call(token_contract, 'issue', this.account, data))
    pay(context, token_contract, recipient, quantity, memo)
    const paid: PaymentLog = { id, recipient, quantity }
    log(context, 'paylog', { ...paid })
  }
}
