// Deposits that can be credited, delivered or sent back now.

import { depositKey } from '../../kit/leg-key.ts'
import { accountsWithRole, type BridgeContext, gatewayOf, nowOf, type Snapshot } from '../bridge-context.ts'
import type { DepositFacts } from '../facts.ts'
import { depositValues } from '../leg.ts'
import { depositStanding } from '../leg-state.ts'
import { chainAt, unixSeconds } from '../parties.ts'
import { type NewestDone, OVERTAKEN_AFTER_MS } from './newest-done.ts'
import { type Page, type PendingFilter, pageOf } from './page.ts'
import type { PendingDeposit } from './schema.ts'
import type { PendingWork } from './work.ts'

/** Seconds from the arrival of a deposit until it may be sent back. */
const BOUNCE_AFTER = 3600

export async function pendingDeposits(
  { database, context }: Snapshot,
  open: readonly DepositFacts[],
  work: PendingWork,
  filter: PendingFilter,
): Promise<Page<PendingDeposit>> {
  const done = await work.newestDone(database, context)
  const waiting = open.flatMap((facts) => {
    const entry = pendingDeposit(facts, context, done, work)
    return entry === null ? [] : [{ entry, domain: facts.domain, time: depositValues(facts).time, number: facts.nonce }]
  })
  const rounds = work.rounds(
    'deposit',
    waiting.map(({ entry, ...rest }) => ({ ...rest, key: entry.key, account: entry.recipient ?? '' })),
  )
  const places = waiting
    .map(({ entry, domain }) => {
      return { entry, domain, blocked: entry.obstacle !== null, round: rounds.get(entry.key) as number }
    })
    .filter(
      ({ entry: { key, actions }, domain }) =>
        (filter.domain === null || domain === filter.domain) &&
        (filter.key === null || key === filter.key) &&
        (filter.action === null || (actions as string[]).includes(filter.action)),
    )
  return pageOf('deposit', places, filter, async (some) => some.map(({ entry }) => entry))
}

/** Null if nothing can be done now: the deposit's block is not final, or it has ended. */
function pendingDeposit(
  deposit: DepositFacts,
  context: BridgeContext,
  done: NewestDone,
  work: PendingWork,
): PendingDeposit | null {
  const { status } = depositStanding(deposit)
  if (status !== 'provable' && status !== 'parked') return null
  const { domain, nonce } = deposit
  const values = depositValues(deposit)
  const arrived = deposit.events.find(({ type }) => type === 'parked')
  const bounceFrom = arrived === undefined ? null : unixSeconds(arrived.time) + BOUNCE_AFTER
  const mayBounce = bounceFrom !== null && unixSeconds(nowOf(context)) >= bounceFrom
  const actions: PendingDeposit['actions'] =
    status === 'provable' ? ['credit'] : mayBounce ? ['forward', 'bounce'] : ['forward']
  const bridge = accountsWithRole(context, context.ledger, 'bridge')[0] ?? null
  const contract = status === 'provable' ? gatewayOf(context, domain) : bridge
  const furthest = status === 'provable' ? done.get(domain)?.arrived : done.get(domain)?.forwarded
  const waitsSince = arrived?.time ?? values.time
  const isOvertaken =
    !mayBounce && furthest != null && furthest > nonce && nowOf(context) > waitsSince + OVERTAKEN_AFTER_MS
  // A deposit that may be sent back can succeed without its account.
  const isMissing = !mayBounce && values.recipient !== null && work.accounts.isMissing(context.ledger, values.recipient)
  return {
    key: depositKey(domain, nonce),
    action: actions[0] as PendingDeposit['action'],
    actions,
    contract,
    domain: String(domain),
    nonce: String(nonce),
    chain: chainAt(context, domain).id,
    recipient: values.recipient,
    symbol: values.symbol,
    amount: String(values.amount),
    precision: values.precision,
    src_time: unixSeconds(values.time),
    bounceFrom,
    obstacle: contract === null ? 'no_contract' : isMissing ? 'no_account' : isOvertaken ? 'overtaken' : null,
  }
}
