// Kinds of the users' journeys. The recipient decides what happens to a deposit or a withdrawal.

import { itemAt } from '../../core/required.ts'
import { ETHEREUM_DOMAIN, WAX_DOMAIN } from '../contracts/bridge/domains.ts'
import { HOP, SHOP } from '../contracts/exchange.ts'
import type { View } from '../contracts/trader/view.ts'
import { evmAddress, MISSING, SLEEPERS } from './parties.ts'

/**
 * A deposit is: credited and claimed; delivered with a note; refused by its receiver, so that it bounces; forwarded by
 * the hop contract; forwarded to a recipient that never takes it, so that it expires and returns; malformed for the hop
 * contract, so that it bounces.
 */
const DEPOSITS = ['claimed', 'noted', 'refused', 'hop', 'lost hop', 'bad hop'] as const
export type DepositKind = (typeof DEPOSITS)[number]

/** A withdrawal to wax or to the EVM side, or to a recipient there that never takes it. It may carry data or a fee. */
const WITHDRAWALS = ['to wax', 'to evm', 'to nobody', 'to a sleeper', 'with data', 'with a fee'] as const
export type WithdrawalKind = (typeof WITHDRAWALS)[number]

const DEPOSIT_WEIGHTS: Readonly<Record<DepositKind, number>> = {
  claimed: 0.3,
  noted: 0.2,
  refused: 0.05,
  hop: 0.38,
  'lost hop': 0.04,
  'bad hop': 0.03,
}

const WITHDRAWAL_WEIGHTS: Readonly<Record<WithdrawalKind, number>> = {
  'to wax': 0.4,
  'to evm': 0.3,
  'to nobody': 0.04,
  'to a sleeper': 0.04,
  'with data': 0.12,
  'with a fee': 0.1,
}

function weighted<T extends string>(weights: Readonly<Record<T, number>>, random: number): T {
  let rest = random
  const kinds = Object.entries<number>(weights) as [T, number][]
  for (const [kind, weight] of kinds) if ((rest -= weight) < 0) return kind
  return itemAt(kinds, 0)[0]
}

/** Kind of a place's journey number `n`: each kind once, then at random. */
export function depositKind(n: number, random: number): DepositKind {
  return DEPOSITS[n] ?? weighted(DEPOSIT_WEIGHTS, random)
}

export function withdrawalKind(n: number, random: number): WithdrawalKind {
  return WITHDRAWALS[n] ?? weighted(WITHDRAWAL_WEIGHTS, random)
}

/** Recipient of a deposit on the ledger's chain, with its memo there. */
export interface Destination {
  telosTo: string
  memo: string
}

export function isHop(kind: DepositKind): boolean {
  return kind.endsWith('hop')
}

/** @param source  domain of the deposit @param user  depositor and recipient */
export function destination(kind: DepositKind, source: bigint, user: string, view: Pick<View, 'pick'>): Destination {
  if (kind === 'claimed') return { telosTo: user, memo: '' }
  if (kind === 'noted') return { telosTo: user, memo: 'for the trip' }
  if (kind === 'refused') return { telosTo: SHOP, memo: 'hello' }
  const address = evmAddress(user)
  if (source === WAX_DOMAIN) {
    const to = kind === 'hop' ? address : kind === 'lost hop' ? view.pick(SLEEPERS) : address.slice(0, 12)
    return { telosTo: HOP, memo: `${ETHEREUM_DOMAIN}:${to}|${WAX_DOMAIN}:${user}` }
  }
  const to = kind === 'lost hop' ? view.pick(MISSING) : user
  const back = kind === 'bad hop' ? '' : `|${ETHEREUM_DOMAIN}:${address}`
  return { telosTo: HOP, memo: `${WAX_DOMAIN}:${to}${back}` }
}
