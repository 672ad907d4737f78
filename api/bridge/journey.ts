// A journey in the answer of `/hops`: two legs joined by the hop contract, or a single leg.

import { depositKey, withdrawalKey } from '../kit/leg-key.ts'
import { accountsWithRole, type BridgeContext } from './bridge-context.ts'
import type { DepositFacts, WithdrawalFacts } from './facts.ts'
import { depositJourneyStatus, hopStatus, type JourneyFacts, withdrawalJourneyStatus } from './journey-state.ts'
import { depositValues, isOutcome } from './leg.ts'
import { depositStanding, withdrawalStanding } from './leg-state.ts'
import { chainAt, ledgerDomain, ledgerId, transactionAt, unixSeconds } from './parties.ts'
import { depositProgress, type Goal, withdrawalProgress } from './progress.ts'
import type { Journey } from './schema.ts'
import type { Timings } from './timing.ts'

/** Destination and return address from the memo of a journey. */
interface HopRoute {
  domain: bigint
  recipient: string
  backDomain: bigint
  back: string
}

const ROUTE = /^(\d{1,20}):([^|:\\]+)\|(\d{1,20}):([^|:\\]+)$/

/** Parses `<domain>:<recipient>|<back domain>:<back>`. @returns null for any other memo */
function parseHopMemo(memo: Uint8Array): HopRoute | null {
  const found = ROUTE.exec(Buffer.from(memo).toString('latin1'))
  if (found === null || memo.some((byte) => byte >= 0x80)) return null
  const [, domain, recipient, backDomain, back] = found as unknown as [string, string, string, string, string]
  return { domain: BigInt(domain), recipient, backDomain: BigInt(backDomain), back }
}

/** Longest memo that a vault accepts, bytes. */
const MAX_MEMO_BYTES = 256

/** Warnings about a deposit's memo, for users. @param onward  whether it must name a destination and a way back */
function memoWarnings(memo: Uint8Array, onward: boolean): string[] {
  const warnings: string[] = []
  if (memo.length > MAX_MEMO_BYTES) warnings.push(`the memo is longer than ${MAX_MEMO_BYTES} bytes`)
  if (onward && parseHopMemo(memo) === null) warnings.push('the memo names no destination and way back')
  return warnings
}

/** Whether a deposit is the first leg of a journey over the hop contract. */
function isHop({ deposit, hop }: JourneyFacts, context: BridgeContext): boolean {
  if (hop) return true
  const { recipient, memo } = depositValues(deposit)
  const { status } = depositStanding(deposit)
  return (
    status !== 'credited' &&
    memo.length > 0 &&
    accountsWithRole(context, context.ledger, 'hop').includes(recipient ?? '')
  )
}

/** The journey that begins with a deposit: over the hop contract, or of this one leg. */
export function depositJourney(facts: JourneyFacts, context: BridgeContext, timings: Timings): Journey {
  const { deposit, hop, onward, back } = facts
  const values = depositValues(deposit)
  const isOverHop = isHop(facts, context)
  const route = hop ? routeOf(hop) : isOverHop ? parseHopMemo(values.memo) : null
  const status = isOverHop ? hopStatus(facts) : depositJourneyStatus(facts)
  const goal = isOverHop ? goalOf(route, values, timings) : null
  const home = { chain: ledgerId(context).id, recipient: values.recipient }
  const refund = { chain: chainAt(context, deposit.domain).id, recipient: values.refundTo }
  return {
    key: depositKey(deposit.domain, deposit.nonce),
    direction: isOverHop ? 'hop' : 'deposit',
    status,
    ...depositProgress(facts, status, { context, timings }, goal),
    from: { chain: chainAt(context, deposit.domain).id, address: values.sender },
    to: route ? { chain: chainAt(context, route.domain).id, recipient: route.recipient } : home,
    back: route ? { chain: chainAt(context, route.backDomain).id, recipient: route.back } : refund,
    deposit: {
      symbol: values.symbol,
      amount: String(values.amount),
      precision: values.precision,
      src_tx: deposit.source && transactionAt(deposit.domain, deposit.source.trx),
    },
    src_time: unixSeconds(values.time),
    warnings: [
      ...memoWarnings(values.memo, isOverHop && !hop),
      ...(route && !hop && goal?.onward === null ? ['no open route takes this amount to this destination'] : []),
    ],
    legs: [
      depositStep(deposit, context),
      ...[onward, back].filter((leg) => leg !== null).map((leg) => withdrawalStep(leg, context)),
    ],
  }
}

/** The journey of a withdrawal that is no leg of another journey. */
export function withdrawalJourney(facts: WithdrawalFacts, context: BridgeContext, timings: Timings): Journey {
  const status = withdrawalJourneyStatus(facts)
  const home = ledgerId(context).id
  return {
    key: withdrawalKey(facts.id),
    direction: 'withdrawal',
    status,
    ...withdrawalProgress(facts, status, { context, timings }),
    from: { chain: home, address: facts.owner },
    to: { chain: chainAt(context, facts.domain).id, recipient: facts.recipient },
    back: { chain: home, recipient: facts.owner },
    deposit: {
      symbol: facts.symbol,
      amount: String(facts.amount),
      precision: facts.decimals,
      src_tx: transactionAt(ledgerDomain(context), facts.burn.trx),
    },
    src_time: unixSeconds(facts.burn.time),
    warnings: [],
    legs: [withdrawalStep(facts, context)],
  }
}

function goalOf(route: HopRoute | null, { symbol, amount }: ReturnType<typeof depositValues>, timings: Timings): Goal {
  if (route === null) return { domain: null, onward: null }
  const { domain, recipient } = route
  return { domain, onward: timings.onward({ domain, recipient, symbol, amount }) }
}

function routeOf(hop: NonNullable<JourneyFacts['hop']>): HopRoute {
  return { domain: hop.dstDomain, recipient: hop.recipient, backDomain: hop.backDomain, back: hop.back }
}

function depositStep(deposit: DepositFacts, context: BridgeContext): Journey['legs'][number] {
  const { status, by } = depositStanding(deposit)
  const own = deposit.source && transactionAt(deposit.domain, deposit.source.trx)
  const tx = by ? transactionAt(ledgerDomain(context), by.trx) : own
  return { key: depositKey(deposit.domain, deposit.nonce), status, tx }
}

function withdrawalStep(facts: WithdrawalFacts, context: BridgeContext): Journey['legs'][number] {
  const { status, by } = withdrawalStanding(facts)
  const tx = transactionAt(isOutcome(facts, by) ? facts.domain : ledgerDomain(context), (by ?? facts.burn).trx)
  return { key: withdrawalKey(facts.id), status, tx }
}
