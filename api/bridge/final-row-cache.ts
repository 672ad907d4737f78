// Rows of legs and journeys that nothing can change any more, kept in memory: lists show the newest ones again and again.
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
   * What is kept as of a world. Everything is forgotten when that is another one than before, because irreversible blocks
   * went back; what is read as of the old one is then kept by nobody.
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

/** Whether a deposit has come to its end on the ledger's chain, for good, and its own chain has nothing to add. */
export function isDepositOver(facts: DepositFacts, world: BridgeContext): boolean {
  const { status, by } = depositStanding(facts)
  const ended = status === 'credited' || status === 'forwarded' || status === 'bounced'
  if (!ended || by === null || !isFinal(by.block, world.ledger, world)) return false
  return facts.source?.final ?? indexedChain(world, facts.domain) === undefined
}

/** Whether a withdrawal has been paid or refunded for good, and its destination has nothing to add. */
export function isWithdrawalOver(facts: WithdrawalFacts, world: BridgeContext): boolean {
  const { status, by } = withdrawalStanding(facts)
  if ((status !== 'released' && status !== 'refunded') || by === null || !facts.final || facts.proved === false)
    return false
  const there = facts.outcomes.find((one) => one === by)
  if (there !== undefined) return isFinal(there.block, there.chain, world)
  const heard = facts.outcomes.some(({ block, chain }) => isFinal(block, chain, world))
  return isFinal(by.block, world.ledger, world) && (heard || indexedChain(world, facts.domain) === undefined)
}

/** Whether a journey over the hop contract is at its end with all of its legs. */
export function isJourneyOver(facts: JourneyFacts, world: BridgeContext): boolean {
  const { deposit, hop, onward, back } = facts
  if (hop === null || !isFinal(hop.block, world.ledger, world) || !isDepositOver(deposit, world)) return false
  const last = hopStatus(facts) === 'delivered' ? onward : hopStatus(facts) === 'returned' ? back : null
  return last !== null && isWithdrawalOver(last, world)
}
