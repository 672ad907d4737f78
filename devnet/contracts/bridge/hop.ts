// hop.svc on telos joins two legs: a deposit delivered to it leaves again as a withdrawal. A withdrawal that returned
// can be sent on to its way-back address.

import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import type { HopRow, WithdrawalRow } from '../../../core/contract-rows.ts'
import type { ApplyContext, Contract } from '../../chain/contract.ts'
import { abiFile } from '../abi-file.ts'
import { incomingTransfer, log, pay, type Transfer } from '../actions.ts'
import type { CounterRow } from './rows.ts'

const MEMO = /^(\d{1,20}):([^|:]{1,64})\|(\d{1,20}):([^|:]{1,64})$/

export class HopContract implements Contract {
  readonly account: string
  readonly abi: AbiDefinition = abiFile('hop.svc')
  private readonly bridge: string
  private readonly wrap: string

  constructor(account = 'hop.svc', bridge = 'bridge.svc', wrap = 'wrap.svc') {
    this.account = account
    this.bridge = bridge
    this.wrap = wrap
  }

  apply(context: ApplyContext): void {
    const { account, name, data } = context.action
    if (account === this.account && name === 'recover') this.recover(context, data as { id: bigint })
    if (account === this.bridge && name === 'settle') this.settled(context, data as { id: bigint; released: boolean })
    const transfer = account === this.wrap ? incomingTransfer(context) : null
    if (transfer && transfer.from === this.bridge && !transfer.memo.startsWith('refund ')) this.hop(context, transfer)
  }

  /** `<domain>:<recipient>|<way-back domain>:<way-back recipient>`. */
  private hop(context: ApplyContext, { quantity, memo }: Transfer): void {
    const match = MEMO.exec(memo)
    context.check(match !== null, 'invalid memo')
    const [, dstDomain, recipient, backDomain, back] = match as unknown as [string, string, string, string, string]
    const counters = context.table(this.bridge).get<CounterRow>('counters', this.bridge, 0n)
    context.check(counters !== undefined, 'no delivery')
    const id = this.nextId(context)
    const row: HopRow = {
      id,
      src_domain: counters.forward_domain,
      src_nonce: counters.forward_nonce,
      dst_domain: BigInt(dstDomain),
      recipient,
      back_domain: BigInt(backDomain),
      back,
      quantity,
      wd_id: counters.next_withdrawal,
      status: 0,
    }
    context.db.set('hops', this.account, id, row)
    pay(context, this.wrap, this.bridge, quantity, `${dstDomain}:${recipient}`)
    const { status: _, ...members } = row
    log(context, 'hoplog', members)
  }

  private settled(context: ApplyContext, { id, released }: { id: bigint; released: boolean }): void {
    for (const row of context.db.rows<HopRow>('hops', this.account)) {
      if (row.wd_id !== id) continue
      const status = row.status === 0 ? (released ? 1 : 2) : row.status
      context.db.set('hops', this.account, row.id, { ...row, status })
      return
    }
  }

  private recover(context: ApplyContext, { id }: { id: bigint }): void {
    const row = context.db.get<HopRow>('hops', this.account, id)
    context.check(row !== undefined && row.status === 2, 'nothing to recover')
    const withdrawal = context.table(this.bridge).get<WithdrawalRow>('wdraws', this.bridge, row.wd_id)
    context.check(withdrawal?.status === 3, 'the withdrawal is not refunded yet')
    const counters = context.table(this.bridge).get<CounterRow>('counters', this.bridge, 0n)
    const wdId = counters?.next_withdrawal ?? 0n
    context.db.set('hops', this.account, id, { ...row, status: 3 })
    pay(context, this.wrap, this.bridge, row.quantity, `${row.back_domain}:${row.back}`)
    log(context, 'returnlog', { id, wd_id: wdId })
  }

  private nextId(context: ApplyContext): bigint {
    let next = 0n
    for (const row of context.db.rows<HopRow>('hops', this.account)) next = row.id + 1n
    return next
  }
}
