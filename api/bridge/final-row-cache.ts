// LRU cache of legs and journeys that can no longer change. Lists request the newest of them again and again.
import { LRUCache } from '../../core/cache.ts'
import { type BridgeContext, type ChainPosition, hasRewound, indexedChain } from './bridge-context.ts'
import type { DepositFacts, WithdrawalFacts } from './facts.ts'
import { hopStatus, type JourneyFacts } from './journey-state.ts'
import { depositStanding, withdrawalStanding } from './leg-state.ts'

const MAX_ROWS = 5000

export class FinalRowCache<Row extends {}> {
  private rows = rowCache<Row>()
  private ledger = ''
  private marks: ReadonlyMap<string, ChainPosition> = new Map()

  /**
   * The cache as of a snapshot. A rewind of irreversible blocks replaces it by an empty one, so that rows of an older
   * snapshot that are still being read do not enter the new one.
   */
  at(world: BridgeContext): LRUCache<string, Row> {
    if (hasRewound(world, this.ledger, this.marks)) this.rows = rowCache()
    this.ledger = world.ledger
    this.marks = world.positions
    return this.rows
  }
}

const rowCache = <Row extends {}>() => new LRUCache<string, Row>({ max: MAX_ROWS })

const isFinal = (block: number, chain: string, { positions }: BridgeContext): boolean =>
  block <= (positions.get(chain)?.lib ?? -1)

/**
 * Whether a deposit's end on the ledger's chain is irreversible, and its source is final or its chain is not indexed.
 */
export function isDepositOver(facts: DepositFacts, world: BridgeContext): boolean {
  const { status, by } = depositStanding(facts)
  const ended = status === 'credited' || status === 'forwarded' || status === 'bounced'
  if (!ended || by === null || !isFinal(by.block, world.ledger, world)) return false
  return facts.source?.final ?? indexedChain(world, facts.domain) === undefined
}

/** Whether a withdrawal's payment or refund is irreversible, and no fact of its destination is still expected. */
export function isWithdrawalOver(facts: WithdrawalFacts, world: BridgeContext): boolean {
  const { status, by } = withdrawalStanding(facts)
  if ((status !== 'released' && status !== 'refunded') || by === null || !facts.final || facts.proved === false)
    return false
  const there = facts.outcomes.find((one) => one === by)
  if (there !== undefined) return isFinal(there.block, there.chain, world)
  const hasFinalOutcome = facts.outcomes.some(({ block, chain }) => isFinal(block, chain, world))
  return isFinal(by.block, world.ledger, world) && (hasFinalOutcome || indexedChain(world, facts.domain) === undefined)
}

/** Whether a journey over the hop contract and all of its legs have ended irreversibly. */
export function isJourneyOver(facts: JourneyFacts, world: BridgeContext): boolean {
  const { deposit, hop, onward, back } = facts
  if (hop === null || !isFinal(hop.block, world.ledger, world) || !isDepositOver(deposit, world)) return false
  const last = hopStatus(facts) === 'delivered' ? onward : hopStatus(facts) === 'returned' ? back : null
  return last !== null && isWithdrawalOver(last, world)
}
