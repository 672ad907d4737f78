// The bridge contract: withdrawals, deposits, their outcomes, and the current rows of its tables.

import { type Asset, symbolCodeOf } from '../../../core/antelope/asset.ts'
import type { DepositLog, WithdrawalRow } from '../../../core/contract-rows.ts'
import type { Withdrawal } from '../../../core/finality/burn.ts'
import {
  type ActionPlace,
  type ActionProjection,
  type ExtendedSymbol,
  ledger,
  type Projected,
  state,
  type TableProjection,
} from '../projection.ts'

export const withdrawal: ActionProjection<Withdrawal> = {
  contract: 'bridge',
  action: 'wdlog',
  rows: (a, at, _account, context) => {
    const { id, domain, vault, token, recipient, amount, deadline, fee, memo } = a
    const given = context.bridgeSenders.get(at.trxId)
    const burned = { symbol: given?.quantity?.symbol, decimals: given?.quantity?.precision }
    const logged = { id, domain, vault, token, recipient, amount, deadline, fee, memo }
    return { ledger: [ledger('withdrawals', at, { ...logged, sender: given?.account, ...burned })] }
  },
}

/** `wrap.svc::withdraw` burns without a transfer, so only this action names the owner and the token. */
export const wrapWithdraw: ActionProjection<{ owner: string; quantity?: Asset }> = {
  contract: 'wrap',
  action: 'withdraw',
  rows: (a, at, _account, context) => {
    context.bridgeSenders.set(at.trxId, { account: a.owner, quantity: a.quantity })
    return {}
  },
}

function withdrawalEvent(type: string, id: bigint, at: ActionPlace, more: object): Projected {
  return { ledger: [ledger('withdrawal_events', at, { type, id, ...more })] }
}

function quantity(asset: Asset): object {
  return { amount: asset.amount, symbol: asset.symbol, decimals: asset.precision }
}

export const settled: ActionProjection<{ id: bigint; released: boolean }> = {
  contract: 'bridge',
  action: 'settlelog',
  rows: (a, at) => withdrawalEvent('settled', a.id, at, { released: a.released }),
}

export const refunded: ActionProjection<{ id: bigint; owner: string; quantity: Asset }> = {
  contract: 'bridge',
  action: 'refundlog',
  rows: (a, at) => withdrawalEvent('refunded', a.id, at, { account: a.owner, ...quantity(a.quantity) }),
}

export const paid: ActionProjection<{ id: bigint; recipient: string; quantity: Asset }> = {
  contract: 'bridge',
  action: 'paylog',
  rows: (a, at) => withdrawalEvent('paid', a.id, at, { account: a.recipient, ...quantity(a.quantity) }),
}

export const deposit: ActionProjection<DepositLog> = {
  contract: 'bridge',
  action: 'deplog',
  rows: (a, at) => ({
    ledger: [
      ledger('deposits', at, {
        nonce: a.nonce,
        bridge: a.bridge,
        tokenContract: a.token_contract,
        tokenSymbol: a.token_symbol.code,
        tokenDecimals: a.token_symbol.precision,
        sender: a.from,
        raw: a.raw,
        canonical: a.canonical,
        beneficiary: a.beneficiary,
        memo: a.memo,
      }),
    ],
  }),
}

function depositEvent(type: string, a: { domain: bigint; nonce: bigint }, at: ActionPlace, more: object): Projected {
  return { ledger: [ledger('deposit_events', at, { type, domain: a.domain, nonce: a.nonce, ...more })] }
}

export const credited: ActionProjection<{ domain: bigint; nonce: bigint; owner: string; quantity: Asset }> = {
  contract: 'bridge',
  action: 'credlog',
  rows: (a, at) => depositEvent('credited', a, at, { account: a.owner, ...quantity(a.quantity) }),
}

interface ParkLog {
  domain: bigint
  nonce: bigint
  receiver: string
  quantity: Asset
  memo: Uint8Array
  refund_to: Uint8Array
}

export const parked: ActionProjection<ParkLog> = {
  contract: 'bridge',
  action: 'parklog',
  rows: (a, at) => {
    const more = { account: a.receiver, ...quantity(a.quantity), memo: a.memo, refundTo: a.refund_to }
    return depositEvent('parked', a, at, more)
  },
}

export const forwarded: ActionProjection<{ domain: bigint; nonce: bigint; receiver: string; quantity: Asset }> = {
  contract: 'bridge',
  action: 'fwdlog',
  rows: (a, at) => depositEvent('forwarded', a, at, { account: a.receiver, ...quantity(a.quantity) }),
}

export const bounced: ActionProjection<{ domain: bigint; nonce: bigint; refund_to: Uint8Array; wd_id: bigint }> = {
  contract: 'bridge',
  action: 'bouncelog',
  rows: (a, at) => depositEvent('bounced', a, at, { refundTo: a.refund_to, withdrawalId: a.wd_id }),
}

/** Pays out a credited balance. The amount is in the bridge's transfer of the same transaction. */
export const claimed: ActionProjection<{ owner: string; sym_code: string }> = {
  contract: 'bridge',
  action: 'claim',
  rows: (a, at) => ({ ledger: [ledger('claim_events', at, { owner: a.owner, symbol: a.sym_code })] }),
}

interface RouteRow {
  id: bigint
  domain: bigint
  vault: Uint8Array
  token: Uint8Array
  wrapped: ExtendedSymbol
  scale: bigint
  min: bigint
  max: bigint
  backing: bigint
  deposits_open: boolean
  withdrawals_open: boolean
}

export const bridgeRoutes: TableProjection<RouteRow> = {
  contract: 'bridge',
  table: 'routes',
  current: (at) => ({ table: 'bridge_routes', key: { id: at.primaryKey } }),
  rows: (r, at) => {
    const wrapped = r.wrapped.sym ?? r.wrapped.symbol
    return {
      state: [
        state('bridge_routes', at, {
          id: at.primaryKey,
          domain: r.domain,
          vault: r.vault,
          token: r.token,
          wrappedContract: r.wrapped.contract,
          wrappedSymbol: wrapped?.code,
          wrappedDecimals: wrapped?.precision,
          scale: r.scale,
          min: r.min,
          max: r.max,
          backing: r.backing,
          depositsOpen: r.deposits_open,
          withdrawalsOpen: r.withdrawals_open,
        }),
      ],
    }
  },
}

export const claims: TableProjection<{ balance: Asset }> = {
  contract: 'bridge',
  table: 'claims',
  current: (at) => ({ table: 'claims', key: { owner: at.scope, symbol: symbolCodeOf(at.primaryKey) } }),
  rows: (r, at) => ({ state: [state('claims', at, { owner: at.scope, ...quantity(r.balance) })] }),
}

export const withdrawalRows: TableProjection<WithdrawalRow> = {
  contract: 'bridge',
  table: 'wdraws',
  current: (at) => ({ table: 'wdraws', key: { id: at.primaryKey } }),
  rows: (r, at) => {
    const { domain, owner, recipient, deadline, fee, status } = r
    const row = { id: at.primaryKey, domain, owner, ...quantity(r.quantity), recipient, deadline, fee, status }
    return { state: [state('wdraws', at, row)] }
  },
}
