// Withdrawals that can be released or expired now, and the obstacles of withdrawals that cannot succeed.

import type { EvmChainConfig } from '../../../config/evm-schema.ts'
import { isEvmDomain } from '../../../core/chains.ts'
import { itemAt } from '../../../core/required.ts'
import { withdrawalKey } from '../../kit/leg-key.ts'
import { type BridgeContext, indexedChain, nowOf, type Snapshot } from '../bridge-context.ts'
import { destinationOf, isCovered, type KnownDestination } from '../destination.ts'
import type { WithdrawalFacts } from '../facts.ts'
import { hasProof } from '../leg.ts'
import { withdrawalStanding } from '../leg-state.ts'
import { chainAt, ledgerDomain, unixSeconds } from '../parties.ts'
import type { RouteSide } from '../route-list.ts'
import { Allowances } from './allowances.ts'
import { byPlace, type Place } from './fair-order.ts'
import { gasOf } from './gas-of.ts'
import { type NewestDone, OVERTAKEN_AFTER_MS } from './newest-done.ts'
import { type Page, type PendingFilter, pageOf } from './page.ts'
import type { Pending } from './schema.ts'
import type { PendingWork } from './work.ts'

/** Contracts to call by vault; none on an Antelope chain. */
type Destinations = ReadonlyMap<string, KnownDestination>
type Standing = Pick<Pending, 'action' | 'fits' | 'obstacle'>

export async function pendingWithdrawals(
  at: Snapshot,
  open: readonly WithdrawalFacts[],
  { sides, configured, work, filter }: WithdrawalContext,
): Promise<Page<Pending>> {
  const { database, context } = at
  const ready = open.filter(
    (facts) => facts.domain !== ledgerDomain(context) && withdrawalStanding(facts).status === 'provable',
  )
  const rounds = work.rounds('withdrawal', ready.map(waitingOf))
  const destinations = await readDestinations(at, ready, configured)
  const done = await work.newestDone(database, context)
  const places = ready.map((facts): ReadyPlace => {
    const side = sides.find(
      ({ row }) => row.domain === facts.domain && row.vault === facts.vault && row.token === facts.token,
    )
    const standing = standingOf(facts, context, side, destinations, done, work)
    const round = rounds.get(withdrawalKey(facts.id)) as number
    return { facts, side, standing, blocked: standing.obstacle !== null, round, domain: facts.domain }
  })
  applyAllowances(places)
  const matching = places.filter(
    ({ facts, standing }) =>
      (filter.domain === null || facts.domain === filter.domain) &&
      (filter.key === null || withdrawalKey(facts.id) === filter.key) &&
      (filter.action === null || standing.action === filter.action),
  )
  return pageOf('withdrawal', matching, filter, async (some) => {
    const gas = await gasOf(
      at,
      some.map(({ facts, standing: { action } }) => ({ facts, action, destination: destinations.get(vaultOf(facts)) })),
    )
    return some.map(({ facts, standing }, i) =>
      pendingWithdrawal(facts, context, destinations.get(vaultOf(facts)) ?? null, itemAt(gas, i), standing),
    )
  })
}

/** Sets whether each withdrawal fits into the rest of the vault's allowance, in list order. */
function applyAllowances(places: readonly ReadyPlace[]): void {
  const allowances = new Allowances()
  for (const place of [...places].sort(byPlace)) {
    const { facts, side, standing } = place
    if (standing.action === 'expire') continue
    standing.fits = allowances.take(side, facts.amount)
    // The allowance may be why younger ones were released first.
    if (standing.fits === false && (standing.obstacle === null || standing.obstacle === 'overtaken'))
      standing.obstacle = 'allowance'
    place.blocked = standing.obstacle !== null
  }
}

export interface WithdrawalContext {
  sides: readonly RouteSide[]
  configured: readonly EvmChainConfig[]
  work: PendingWork
  filter: PendingFilter
}

interface ReadyPlace extends Place {
  facts: WithdrawalFacts
  /** Route of the withdrawal; undefined if unknown. */
  side: RouteSide | undefined
  standing: Standing
}

function waitingOf({ id, domain, recipient, burn }: WithdrawalFacts) {
  return { key: withdrawalKey(id), domain, account: recipient, time: burn.time, number: id }
}

const vaultOf = ({ domain, vault }: WithdrawalFacts): string => `${domain} ${vault}`

async function readDestinations(
  { database, context }: Snapshot,
  ready: readonly WithdrawalFacts[],
  configured: readonly EvmChainConfig[],
): Promise<Destinations> {
  const destinations = new Map<string, KnownDestination>()
  for (const facts of ready)
    if (isEvmDomain(facts.domain) && !destinations.has(vaultOf(facts)))
      destinations.set(vaultOf(facts), await destinationOf(database, context, facts.domain, facts.vault, configured))
  return destinations
}

/** Action and obstacle, without the vault's allowance. */
function standingOf(
  facts: WithdrawalFacts,
  context: BridgeContext,
  side: RouteSide | undefined,
  destinations: Destinations,
  done: NewestDone,
  work: PendingWork,
): Standing {
  const { domain, deadline } = facts
  const clock = isEvmDomain(domain) ? context.domains.find((one) => one.domain === domain)?.chain : undefined
  const isLate = unixSeconds(nowOf(context, clock)) > deadline
  const action = isLate ? 'expire' : 'release'
  const destination = destinations.get(vaultOf(facts))
  if (destination?.releaseTo === null) return { action, fits: null, obstacle: 'no_contract' }
  if (destination !== undefined && !hasProof(facts)) return { action, fits: null, obstacle: 'no_proof' }
  if (isLate) return { action, fits: null, obstacle: null }
  const isOvertaken = (done.get(domain)?.paid ?? 0) > facts.burn.time + OVERTAKEN_AFTER_MS
  if (destination !== undefined) {
    const isPaused = side?.view?.withdrawalsPaused === true
    return { action, fits: null, obstacle: isPaused ? 'paused' : isOvertaken ? 'overtaken' : null }
  }
  const isMissing = work.accounts.isMissing(indexedChain(context, domain), facts.recipient)
  return { action, fits: null, obstacle: isMissing ? 'no_account' : isOvertaken ? 'overtaken' : null }
}

function pendingWithdrawal(
  facts: WithdrawalFacts,
  context: BridgeContext,
  destination: KnownDestination | null,
  estimatedGas: Pending['estimatedGas'],
  { action, fits, obstacle }: Standing,
): Pending {
  const { id, domain, burn, deadline, amount, fee } = facts
  return {
    key: withdrawalKey(id),
    action,
    id: String(id),
    domain: String(domain),
    chain: chainAt(context, domain).id,
    releaseTo: destination?.releaseTo ?? null,
    track: destination === null ? null : isCovered(destination, burn.block) ? 'light' : 'hard',
    recipient: facts.recipient,
    token: facts.token,
    symbol: facts.symbol,
    amount: String(amount),
    precision: facts.decimals,
    fee: String(fee),
    deadline,
    estimatedGas,
    fits,
    hasProof: hasProof(facts),
    src_time: unixSeconds(burn.time),
    obstacle,
  }
}
