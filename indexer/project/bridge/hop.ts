// The hop contract: journeys that were passed on or returned, and its current rows.

import type { HopRow } from '../../../core/contract-rows.ts'
import { type ActionProjection, ledger, state, type TableProjection } from '../projection.ts'

type Hop = Omit<HopRow, 'status'>

function columns(hop: Hop): object {
  return {
    id: hop.id,
    srcDomain: hop.src_domain,
    srcNonce: hop.src_nonce,
    dstDomain: hop.dst_domain,
    recipient: hop.recipient,
    backDomain: hop.back_domain,
    back: hop.back,
    amount: hop.quantity.amount,
    symbol: hop.quantity.symbol,
    decimals: hop.quantity.precision,
    withdrawalId: hop.wd_id,
  }
}

export const hop: ActionProjection<Hop> = {
  contract: 'hop',
  action: 'hoplog',
  rows: (a, at) => ({ ledger: [ledger('hops', at, columns(a))] }),
}

export const hopReturn: ActionProjection<{ id: bigint; wd_id: bigint }> = {
  contract: 'hop',
  action: 'returnlog',
  rows: (a, at) => ({ ledger: [ledger('hop_returns', at, { id: a.id, withdrawalId: a.wd_id })] }),
}

export const hopRows: TableProjection<Hop & { status: number }> = {
  contract: 'hop',
  table: 'hops',
  current: (at) => ({ table: 'hop_rows', key: { id: at.primaryKey } }),
  rows: (r, at) => ({ state: [state('hop_rows', at, { ...columns(r), status: r.status })] }),
}
