// Bridge traffic. On telos: deposits that the relayer credits, deliveries, claims, withdrawals and their ends.
// On wax: deposits and payments. Each chain plays its partner's side by itself.
import type { Asset } from '../../../core/antelope/asset.ts'
import type { ActionCall } from '../../chain/contract.ts'
import { call } from '../actions.ts'
import { ETHEREUM_DOMAIN, partyBytes, WAX_DOMAIN } from '../bridge/domains.ts'
import { packRelayed } from '../bridge/gateway.ts'
import type { HopRow } from '../bridge/hop.ts'
import type { ParkedRow, RouteRow, WithdrawalRow } from '../bridge/rows.ts'
import { amountOf, BRIDGE, EVM_TOKENS, GATEWAYS, HOP, RELAYER, WRAP } from '../exchange.ts'
import type { TokenSpec } from '../profile.ts'
import { transfer, type View } from './view.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Counters of what happens outside the chain. */
export class Bridging {
  private nonce = 0n
  private paid = 0n

  next(view: View): ActionCall[] | null {
    return view.profile.name === 'wax' ? this.onWax(view) : this.onTelos(view)
  }

  private onWax(view: View): ActionCall[] | null {
    const tokens = view.profile.tokens.filter((token) => token.contract === WRAP || token.code === 'WAX')
    const token = view.pick(tokens)
    const user = view.user()
    if (view.random() < 0.4) return this.payOut(view, token, user)
    const quantity = view.affordable(user, token, view.between(10, 300))
    if (!quantity) return null
    const onward = `hop.svc:1:${address(view)}|${WAX_DOMAIN}:${user}`
    const memo = view.pick([user, `${user}:note`, onward])
    return [transfer(token.contract, user, BRIDGE, quantity, memo)]
  }

  /** A mirror is issued; the system token comes from what was locked. */
  private payOut(view: View, token: TokenSpec, recipient: string): ActionCall[] | null {
    const wanted = amountOf(token, view.between(6, 100) / view.usd(token))
    const quantity = token.contract === WRAP ? wanted : smaller(wanted, view.affordable(BRIDGE, token, 100))
    if (!quantity) return null
    const id = this.paid++
    const data = { id, token_contract: token.contract, recipient, quantity, memo: `withdrawal ${id}` }
    return [call(BRIDGE, 'pay', BRIDGE, data)]
  }

  private onTelos(view: View): ActionCall[] | null {
    const tables = view.tables(BRIDGE)
    const kind = view.random()
    const parked = [...tables.rows<ParkedRow>('parked', BRIDGE)]
    if (parked.length > 0 && kind < 0.3) {
      const { domain, nonce } = view.pick(parked)
      return [call(BRIDGE, 'forward', RELAYER, { domain, nonce })]
    }
    const open = [...tables.rows<WithdrawalRow>('wdraws', BRIDGE)].slice(-40).filter((row) => row.status === 0)
    if (open.length > 0 && kind < 0.5) return settle(view, view.pick(open))
    const hops = [...view.tables(HOP).rows<HopRow>('hops', HOP)].slice(-40).filter((row) => row.status === 2)
    if (hops.length > 0 && kind < 0.55) return [call(HOP, 'recover', view.user(), { id: (hops[0] as HopRow).id })]
    return kind < 0.72 ? this.withdraw(view) : this.deposit(view)
  }

  private deposit(view: View): ActionCall[] | null {
    const evm = view.random() < 0.6
    const tokens = view.profile.tokens.filter((token) => token.contract === WRAP && (!evm || EVM_TOKENS[token.code]))
    if (tokens.length === 0) return null
    const token = view.pick(tokens)
    const domain = evm ? ETHEREUM_DOMAIN : WAX_DOMAIN
    const user = view.user()
    const kind = view.random()
    const back = evm ? address(view) : user
    const onward = `${evm ? WAX_DOMAIN : ETHEREUM_DOMAIN}:${evm ? user : address(view)}|${domain}:${back}`
    const hops = kind < 0.4 && EVM_TOKENS[token.code] !== undefined
    const deposit = {
      telosTo: hops ? HOP : user,
      token: partyBytes(domain, evm ? (EVM_TOKENS[token.code] as string) : token.code === 'WAX' ? 'eosio.token' : WRAP),
      sym_code: token.code,
      canonical: amountOf(token, view.between(10, 2000) / view.usd(token)).amount,
      refund_to: partyBytes(domain, back),
      memo: encode(hops ? onward : kind < 0.7 ? '' : 'note'),
    }
    const account = evm ? GATEWAYS.evm : GATEWAYS.wax
    const data = { relayer: RELAYER, nonce: this.nonce++, proof: packRelayed(deposit) }
    return [call(account, 'credit', RELAYER, data)]
  }

  private withdraw(view: View): ActionCall[] | null {
    const user = view.user()
    const owed = [...view.tables(BRIDGE).rows<{ balance: Asset }>('claims', user)]
    const [claim] = owed
    if (claim) return [call(BRIDGE, 'claim', user, { owner: user, sym_code: claim.balance.symbol })]
    const routes = [...view.tables(BRIDGE).rows<RouteRow>('routes', BRIDGE)]
    const route = view.pick(routes)
    const token = view.token(WRAP, route.wrapped.sym.code)
    const quantity = token ? view.affordable(user, token, view.between(8, 200)) : null
    if (!token || !quantity || quantity.amount < route.min || quantity.amount > route.backing) return null
    const { domain } = route
    const recipient = domain === ETHEREUM_DOMAIN ? address(view) : user
    if (view.random() < 0.25) {
      const fee = { ...quantity, amount: 0n }
      const data = { owner: user, quantity, domain, recipient: partyBytes(domain, recipient), fee, memo: encode('hi') }
      return [call(WRAP, 'withdraw', user, data)]
    }
    return [transfer(WRAP, user, BRIDGE, quantity, `${domain}:${recipient}`)]
  }
}

function settle(view: View, { id, domain }: WithdrawalRow): ActionCall[] {
  const gateway = domain === ETHEREUM_DOMAIN ? GATEWAYS.evm : GATEWAYS.wax
  return [call(BRIDGE, 'settle', gateway, { id, released: view.random() < 0.95 })]
}

function smaller(a: Asset, b: Asset | null): Asset | null {
  return b === null || a.amount < b.amount ? b && a : b
}

function address(view: View): string {
  let digits = ''
  while (digits.length < 40) digits += Math.floor(view.random() * 16).toString(16)
  return `0x${digits}`
}
