// What waits for somebody: withdrawals that can be released or expired now, deposits to be credited, delivered or sent
// back, what the ledger has still to be told, and journeys that came back to the hop contract. Everything that a relayer
// needs for a round of work.
import type { EvmChainConfig } from '../../config/evm-schema.ts'
import { readFinalizerPolicy } from '../../core/antelope/finalizer-policy.ts'
import { Reader } from '../../core/antelope/reader.ts'
import { isEvmDomain } from '../chain-names.ts'
import { destinationOf, type KnownDestination } from './destination.ts'
import type { DepositFacts, WithdrawalFacts } from './facts.ts'
import { estimateGas } from './gas.ts'
import { hopStatus } from './journey-state.ts'
import { depositKey, withdrawalKey } from './key.ts'
import { depositValues, hasProof } from './leg.ts'
import { depositStanding, withdrawalStanding } from './leg-state.ts'
import type { Snapshot } from './lists.ts'
import type { OpenLegs } from './open-legs.ts'
import { chainAt, ledgerDomain, unixSeconds } from './parties.ts'
import { readJourneys, readJourneysOf } from './read-legs.ts'
import { type RouteSide, withdrawableNow } from './route-list.ts'
import type { Pending, PendingAnswer, PendingDeposit, PendingHop } from './schema.ts'
import { settlementsOf } from './settlements.ts'
import { SIGNERS } from './sql.ts'
import { type BridgeWorld, gatewayOf, nowOf, playing } from './world.ts'

/** Seconds after its arrival from which a deposit may be sent back. */
export const BOUNCE_AFTER = 3600
/** Most of each kind in an answer. */
const MOST = 1000

export async function pendingAnswer(
  at: Snapshot,
  open: OpenLegs,
  sides: readonly RouteSide[],
  configured: readonly EvmChainConfig[],
): Promise<PendingAnswer> {
  const { database, world } = at
  const known = await open.read(database, world)
  // The oldest have waited longest.
  const withdrawals = [...known.withdrawals.values()].sort((one, other) => one.burn.time - other.burn.time)
  const arriving = [...known.deposits.values()].sort(
    (one, other) => depositValues(one).time - depositValues(other).time,
  )
  const ready = withdrawals.filter((facts) => withdrawalStanding(facts).status === 'provable').slice(0, MOST)
  return {
    pending: await pendingWithdrawals(at, ready, sides, configured),
    deposits: arriving.flatMap((facts) => pendingDeposit(facts, world) ?? []).slice(0, MOST),
    settlements: await settlementsOf(at, withdrawals, MOST),
    hops: await pendingHops(at, withdrawals),
  }
}

async function pendingWithdrawals(
  at: Snapshot,
  ready: readonly WithdrawalFacts[],
  sides: readonly RouteSide[],
  configured: readonly EvmChainConfig[],
): Promise<Pending[]> {
  const { database, world } = at
  const signers = await readSigners(at)
  const destinations = new Map<string, KnownDestination>()
  const pending: Pending[] = []
  for (const facts of ready.filter(({ domain }) => domain !== ledgerDomain(world))) {
    const place = `${facts.domain} ${facts.vault}`
    if (!destinations.has(place) && isEvmDomain(facts.domain))
      destinations.set(place, await destinationOf(database, world, facts.domain, facts.vault, configured))
    pending.push(pendingWithdrawal(facts, world, destinations.get(place) ?? null, signers, sides))
  }
  return pending
}

interface Signers {
  finalizers: number
  pending: number
}

async function readSigners({ database, world }: Snapshot): Promise<Signers> {
  type Row = { policy: Uint8Array; active: boolean }
  const { rows } = await database.query<Row>({ name: 'bridge-signers', text: SIGNERS, values: [world.ledger] })
  const count = (row: Row | undefined) =>
    row === undefined ? 0 : readFinalizerPolicy(new Reader(row.policy)).finalizers.length
  return { finalizers: count(rows.find(({ active }) => active)), pending: count(rows.find(({ active }) => !active)) }
}

/** @param destination  null where no contract is called */
function pendingWithdrawal(
  facts: WithdrawalFacts,
  world: BridgeWorld,
  destination: KnownDestination | null,
  signers: Signers,
  sides: readonly RouteSide[],
): Pending {
  const { id, domain, burn, deadline, amount, fee } = facts
  const clock = isEvmDomain(domain) ? world.domains.find((one) => one.domain === domain)?.chain : undefined
  const isLate = unixSeconds(nowOf(world, clock)) > deadline
  const covered = destination?.covered != null && destination.covered >= burn.block
  const side = sides.find(({ row }) => row.domain === domain && row.vault === facts.vault && row.token === facts.token)
  const allowed = side === undefined ? null : withdrawableNow(side)
  return {
    key: withdrawalKey(id),
    action: isLate ? 'expire' : 'release',
    id: String(id),
    domain: String(domain),
    chain: chainAt(world, domain).id,
    releaseTo: destination?.releaseTo ?? null,
    track: destination === null ? null : covered ? 'light' : 'hard',
    recipient: facts.recipient,
    token: facts.token,
    symbol: facts.symbol,
    amount: String(amount),
    precision: facts.decimals,
    fee: String(fee),
    deadline,
    estimatedGas:
      destination === null
        ? null
        : estimateGas({ memoBytes: facts.memo.length, hasFee: !isLate && fee > 0n, ...signers, covered }),
    fits: isLate || allowed === null ? null : amount <= allowed,
    hasProof: hasProof(facts),
    src_time: unixSeconds(burn.time),
  }
}

/** Null for a deposit that waits for nobody but its own chain. */
export function pendingDeposit(deposit: DepositFacts, world: BridgeWorld): PendingDeposit | null {
  const { status } = depositStanding(deposit)
  if (status !== 'provable' && status !== 'parked') return null
  const { domain, nonce } = deposit
  const values = depositValues(deposit)
  const arrived = deposit.events.find(({ type }) => type === 'parked')
  const bounceFrom = arrived === undefined ? null : unixSeconds(arrived.time) + BOUNCE_AFTER
  const mayBounce = bounceFrom !== null && unixSeconds(nowOf(world)) >= bounceFrom
  const actions: PendingDeposit['actions'] =
    status === 'provable' ? ['credit'] : mayBounce ? ['forward', 'bounce'] : ['forward']
  const bridge = playing(world, world.ledger, 'bridge')[0] ?? null
  return {
    key: depositKey(domain, nonce),
    action: actions[0] as PendingDeposit['action'],
    actions,
    contract: status === 'provable' ? gatewayOf(world, domain) : bridge,
    domain: String(domain),
    nonce: String(nonce),
    chain: chainAt(world, domain).id,
    recipient: values.recipient,
    symbol: values.symbol,
    amount: String(values.amount),
    precision: values.precision,
    src_time: unixSeconds(values.time),
    bounceFrom,
  }
}

/** Journeys whose second leg was refunded to the hop contract and that have not been sent back. */
async function pendingHops({ database, world }: Snapshot, open: readonly WithdrawalFacts[]): Promise<PendingHop[]> {
  const refunded = open.filter((facts) => withdrawalStanding(facts).status === 'refunded').map(({ id }) => id)
  const beginnings = await readJourneysOf(database, world, refunded)
  const journeys = await readJourneys(database, world, [...beginnings.values()])
  const contract = playing(world, world.ledger, 'hop')[0] ?? null
  return journeys.flatMap((facts) => {
    const { hop, deposit } = facts
    if (hop === null || hopStatus(facts) !== 'bounced') return []
    const back = { chain: chainAt(world, hop.backDomain).id, recipient: hop.back }
    return [
      {
        key: depositKey(deposit.domain, deposit.nonce),
        action: 'recover' as const,
        contract,
        id: String(hop.id),
        back,
      },
    ]
  })
}
