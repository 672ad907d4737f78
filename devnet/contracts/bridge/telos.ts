// The bridge's ledger on telos: routes, deposits from gateways, withdrawals.
// A deposit issues wrapped tokens, a withdrawal retires them.

import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import { type Asset, symbolCodeToU64 } from '../../../core/antelope/asset.ts'
import { isEvmDomain } from '../../../core/chains.ts'
import type { Actions } from '../../../core/contracts/bridge-telos-devnet.ts'
import type { ApplyContext, Contract } from '../../chain/contract.ts'
import { abiFile } from '../abi-file.ts'
import { call, incomingTransfer, log, membersOf, nowSeconds, pay, requireAuthority, type Transfer } from '../actions.ts'
import { partyBytes } from './domains.ts'
import type { CounterRow, CreditData, ParkedRow, RouteRow, WithdrawalRow, WithdrawData } from './rows.ts'

const WEEK = 7 * 86_400
const HOUR = 3_600
const MEMO = /^(\d{1,20}):([^:]{1,64})(?::(\d{1,19}))?$/
const NO_BYTES = new Uint8Array()

type NewRoute = Omit<RouteRow, 'id' | 'backing' | 'deposits_open' | 'withdrawals_open'>

interface Withdrawal {
  owner: string
  quantity: Asset
  contract: string
  domain: bigint
  recipient: Uint8Array
  fee: bigint
  memo: Uint8Array
}

export interface TelosBridgeOptions {
  account?: string
  /** Accounts that may credit deposits. */
  gateways: readonly string[]
  /** Contract of the wrapped tokens. */
  wrap?: string
  /** Account that is notified when its withdrawals are settled. */
  hop?: string
  /** Time in which a withdrawal can be released, seconds. */
  releaseSeconds?: number
}

export class TelosBridge implements Contract {
  readonly account: string
  readonly abi: AbiDefinition = abiFile('bridge.svc.telos.devnet')
  private readonly gateways: readonly string[]
  private readonly wrap: string
  private readonly hop: string
  private readonly releaseSeconds: number

  constructor(options: TelosBridgeOptions) {
    const { account = 'bridge.svc', gateways, wrap = 'wrap.svc', hop = 'hop.svc', releaseSeconds = WEEK } = options
    this.releaseSeconds = releaseSeconds
    this.account = account
    this.gateways = gateways
    this.wrap = wrap
    this.hop = hop
  }

  apply(context: ApplyContext): void {
    const { account, name } = context.action
    if (account !== this.account) {
      const transfer = incomingTransfer(context)
      if (transfer && account === this.wrap) this.receive(context, transfer)
    } else if (name === 'addroute') this.addRoute(context, membersOf<Actions['addroute']>(context.action))
    else if (name === 'credit') this.credit(context, membersOf<Actions['credit']>(context.action))
    else if (name === 'claim') this.claim(context, membersOf<Actions['claim']>(context.action))
    else if (name === 'forward') this.forward(context, membersOf<Actions['forward']>(context.action))
    else if (name === 'bounce') this.bounce(context, membersOf<Actions['bounce']>(context.action))
    else if (name === 'withdraw') this.withdraw(context, membersOf<WithdrawData>(context.action))
    else if (name === 'settle') this.settle(context, membersOf<Actions['settle']>(context.action))
    else if (name === 'refund') this.refund(context, membersOf<Actions['refund']>(context.action))
  }

  private addRoute(context: ApplyContext, data: NewRoute): void {
    requireAuthority(context, this.account)
    let id = 0n
    for (const row of context.db.rows<RouteRow>('routes', this.account)) id = row.id + 1n
    const open = { backing: 0n, deposits_open: true, withdrawals_open: true }
    context.db.set('routes', this.account, id, { id, ...data, ...open })
  }

  private credit(context: ApplyContext, data: CreditData): void {
    const { domain, nonce, receiver, token, sym_code, canonical, refund_to, memo } = data
    const gateway = context.action.authorization.some(({ actor }) => this.gateways.includes(actor))
    context.check(gateway, 'only a gateway may credit')
    const same = (row: RouteRow) =>
      row.domain === domain && row.wrapped.sym.code === sym_code && Buffer.compare(row.token, token) === 0
    const route = this.route(context, same)
    context.check(route.deposits_open, 'deposits are closed')
    const { sym, contract } = route.wrapped
    const quantity = { amount: canonical, precision: sym.precision, symbol: sym.code }
    this.back(context, route, canonical)
    if (memo.length === 0) {
      const key = symbolCodeToU64(sym.code)
      const owed = context.db.get<{ balance: Asset }>('claims', receiver, key)?.balance.amount ?? 0n
      context.db.set('claims', receiver, key, { balance: { ...quantity, amount: owed + canonical } })
      log(context, 'credlog', { domain, nonce, owner: receiver, quantity })
      return
    }
    const counters = this.counters(context)
    const id = counters.next_parked
    this.saveCounters(context, { ...counters, next_parked: id + 1n })
    const arrived = nowSeconds(context)
    const parked: ParkedRow = { id, domain, nonce, receiver, quantity, contract, memo, refund_to, arrived }
    context.db.set('parked', this.account, id, parked)
    log(context, 'parklog', { domain, nonce, receiver, quantity, memo, refund_to })
  }

  private claim(context: ApplyContext, { owner, sym_code }: { owner: string; sym_code: string }): void {
    requireAuthority(context, owner)
    const key = symbolCodeToU64(sym_code)
    const row = context.db.get<{ balance: Asset }>('claims', owner, key)
    context.check(row !== undefined, 'nothing to claim')
    context.db.erase('claims', owner, key)
    this.deliver(context, owner, row.balance, 'claim')
  }

  private forward(context: ApplyContext, { domain, nonce }: { domain: bigint; nonce: bigint }): void {
    const { id, receiver, quantity, memo } = this.parked(context, domain, nonce)
    context.db.erase('parked', this.account, id)
    const counters = this.counters(context)
    this.saveCounters(context, { ...counters, forward_domain: domain, forward_nonce: nonce })
    this.deliver(context, receiver, quantity, new TextDecoder().decode(memo))
    log(context, 'fwdlog', { domain, nonce, receiver, quantity })
  }

  private bounce(context: ApplyContext, { domain, nonce }: { domain: bigint; nonce: bigint }): void {
    const { id, arrived, quantity, contract, refund_to } = this.parked(context, domain, nonce)
    context.check(nowSeconds(context) >= arrived + HOUR, 'too early')
    context.db.erase('parked', this.account, id)
    const owner = this.account
    const wdId = this.open(context, {
      owner,
      quantity,
      contract,
      domain,
      recipient: refund_to,
      fee: 0n,
      memo: NO_BYTES,
    })
    log(context, 'bouncelog', { domain, nonce, refund_to, wd_id: wdId })
  }

  /** A transfer of a wrapped token, with the memo `<domain>:<recipient>[:<fee>]`. */
  private receive(context: ApplyContext, { from, quantity, memo }: Transfer): void {
    const match = MEMO.exec(memo)
    context.check(match !== null, 'invalid memo')
    const domain = BigInt(match[1] as string)
    const recipient = partyBytes(domain, match[2] as string)
    const fee = BigInt(match[3] ?? 0)
    const contract = this.wrap
    context.inline(call(contract, 'retire', this.account, { quantity, memo: 'withdrawal' }))
    this.open(context, { owner: from, quantity, contract, domain, recipient, fee, memo: NO_BYTES })
  }

  /** Registers a withdrawal whose tokens the token contract has burned. */
  private withdraw(context: ApplyContext, { owner, quantity, domain, recipient, fee, memo }: WithdrawData): void {
    requireAuthority(context, this.wrap)
    this.open(context, { owner, quantity, contract: this.wrap, domain, recipient, fee: fee.amount, memo })
  }

  private open(context: ApplyContext, { owner, quantity, contract, domain, recipient, fee, memo }: Withdrawal): bigint {
    const matches = (row: RouteRow) =>
      row.domain === domain && row.wrapped.contract === contract && row.wrapped.sym.code === quantity.symbol
    const route = this.route(context, matches)
    const { amount } = quantity
    context.check(route.withdrawals_open, 'withdrawals are closed')
    context.check(amount >= route.min && amount <= route.max, 'amount is outside the limits of the route')
    context.check(fee < amount, 'fee exceeds the amount')
    context.check(recipient.length === 20 || (!isEvmDomain(domain) && recipient.length > 0), 'invalid recipient')
    this.back(context, route, -amount)
    const counters = this.counters(context)
    const id = counters.next_withdrawal
    this.saveCounters(context, { ...counters, next_withdrawal: id + 1n })
    const deadline = BigInt(nowSeconds(context) + this.releaseSeconds)
    const row: WithdrawalRow = { id, domain, owner, quantity, recipient, deadline, fee, status: 0 }
    context.db.set('wdraws', this.account, id, row)
    const { vault, token } = route
    log(context, 'wdlog', { id, domain, vault, token, recipient, amount, deadline, fee, memo })
    return id
  }

  /** Records the outcome of a withdrawal on its chain, as reported by a gateway. */
  private settle(context: ApplyContext, { id, released }: { id: bigint; released: boolean }): void {
    const gateway = context.action.authorization.some(({ actor }) => this.gateways.includes(actor))
    context.check(gateway, 'only a gateway may settle')
    const row = context.db.get<WithdrawalRow>('wdraws', this.account, id)
    context.check(row !== undefined && row.status === 0, 'no open withdrawal')
    context.check(released || nowSeconds(context) > row.deadline, 'before the deadline')
    context.db.set('wdraws', this.account, id, { ...row, status: released ? 1 : 2 })
    log(context, 'settlelog', { id, released })
    if (row.owner === this.hop) context.notify(this.hop)
  }

  /** Returns the burned tokens of an expired withdrawal to its owner. Anyone may call it. */
  private refund(context: ApplyContext, { id }: { id: bigint }): void {
    const row = context.db.get<WithdrawalRow>('wdraws', this.account, id)
    context.check(row !== undefined && row.status === 2, 'no expired withdrawal')
    context.db.set('wdraws', this.account, id, { ...row, status: 3 })
    const { domain, owner, quantity } = row
    const same = (route: RouteRow) => route.domain === domain && route.wrapped.sym.code === quantity.symbol
    this.back(context, this.route(context, same), quantity.amount)
    this.deliver(context, owner, quantity, `refund ${id}`)
    log(context, 'refundlog', { id, owner, quantity })
  }

  private deliver(context: ApplyContext, to: string, quantity: Asset, memo: string): void {
    context.inline(call(this.wrap, 'issue', this.account, { to: this.account, quantity, memo: 'deposit' }))
    if (to !== this.account) pay(context, this.wrap, to, quantity, memo)
  }

  private back(context: ApplyContext, route: RouteRow, amount: bigint): void {
    const backing = route.backing + amount
    context.check(backing >= 0n, 'the route has too little backing')
    context.db.set('routes', this.account, route.id, { ...route, backing })
  }

  private route(context: ApplyContext, matches: (row: RouteRow) => boolean): RouteRow {
    for (const row of context.db.rows<RouteRow>('routes', this.account)) if (matches(row)) return row
    context.check(false, 'no such route')
  }

  private parked(context: ApplyContext, domain: bigint, nonce: bigint): ParkedRow {
    for (const row of context.db.rows<ParkedRow>('parked', this.account)) {
      if (row.domain === domain && row.nonce === nonce) return row
    }
    context.check(false, 'no such deposit')
  }

  private counters(context: ApplyContext): CounterRow {
    const none = { next_withdrawal: 0n, next_parked: 0n, forward_domain: 0n, forward_nonce: 0n }
    return context.db.get<CounterRow>('counters', this.account, 0n) ?? none
  }

  private saveCounters(context: ApplyContext, row: CounterRow): void {
    context.db.set('counters', this.account, 0n, row)
  }
}
