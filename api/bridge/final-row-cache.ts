// LRU cache of legs and journeys that can no longer change. Most requests for lists contain the newest of them.
import { LRUCache } from '../../core/cache.ts'
import { type BridgeContext, type ChainPosition, hasRewound, indexedChain } from './bridge-context.ts'
import type { DepositFacts, WithdrawalFacts } from './facts.ts'
import { hopStatus, type JourneyFacts } from './journey-state.ts'
import { depositValues } from './leg.ts'
import { depositStanding, withdrawalStanding } from './leg-state.ts'

const MAX_ROWS = 5000

export class FinalRowCache<Row extends {}> {
  private rows = rowCache<Row>()
  private ledger = ''
  private marks: ReadonlyMap<string, ChainPosition> = new Map()

  /**
   * The cache as of a snapshot. A rewind of irreversible blocks replaces it by an empty one: requests that still read
   * the older snapshot then add their rows to the old cache.
   */
  at(context: BridgeContext): LRUCache<string, Row> {
    if (hasRewound(context, this.ledger, this.marks)) this.rows = rowCache()
    this.ledger = context.ledger
    this.marks = context.positions
    return this.rows
  }
}

const rowCache = <Row extends {}>() => new LRUCache<string, Row>({ max: MAX_ROWS })

const isFinal = (block: number, chain: string, { positions }: BridgeContext): boolean =>
  block <= (positions.get(chain)?.lib ?? -1)

/**
 * Whether a deposit can no longer change: its end on the ledger's chain is irreversible, its source is final or its
 * chain is not indexed, and its token is known.
 */
export function isDepositOver(facts: DepositFacts, context: BridgeContext): boolean {
  const { status, by } = depositStanding(facts)
  const ended = status === 'credited' || status === 'forwarded' || status === 'bounced'
  if (!ended || by === null || !isFinal(by.block, context.ledger, context)) return false
  // A token without a route may get one.
  if (depositValues(facts).symbol === null) return false
  return facts.source?.final ?? indexedChain(context, facts.domain) === undefined
}

/**
 * Whether a withdrawal can no longer change: its payment or refund is irreversible, no fact of its destination is still
 * expected, and its token is known.
 */
export function isWithdrawalOver(facts: WithdrawalFacts, context: BridgeContext): boolean {
  const { status, by } = withdrawalStanding(facts)
  if ((status !== 'released' && status !== 'refunded') || by === null || !facts.final || facts.proved === false)
    return false
  if (facts.symbol === null) return false
  const there = facts.outcomes.find((one) => one === by)
  if (there !== undefined) return isFinal(there.block, there.chain, context)
  const hasFinalOutcome = facts.outcomes.some(({ block, chain }) => isFinal(block, chain, context))
  return (
    isFinal(by.block, context.ledger, context) && (hasFinalOutcome || indexedChain(context, facts.domain) === undefined)
  )
}

/** Whether a journey over the hop contract and all of its legs have ended irreversibly. */
export function isJourneyOver(facts: JourneyFacts, context: BridgeContext): boolean {
  const { deposit, hop, onward, back } = facts
  if (hop === null || !isFinal(hop.block, context.ledger, context) || !isDepositOver(deposit, context)) return false
  const last = hopStatus(facts) === 'delivered' ? onward : hopStatus(facts) === 'returned' ? back : null
  return last !== null && isWithdrawalOver(last, context)
}
