// Gas estimates for the withdrawals of a page. They depend on the policies that sign each withdrawal's root, and on the
// policies that the destination's light client must learn first.

import { Reader } from '../../../core/antelope/reader.ts'
import { readFinalizerPolicy } from '../../../core/finality/finalizer-policy.ts'
import { itemAt } from '../../../core/required.ts'
import type { Snapshot } from '../bridge-context.ts'
import { isCovered, type KnownDestination } from '../destination.ts'
import type { WithdrawalFacts } from '../facts.ts'
import { type EstimatedGas, estimateGas, type HandoffCase } from '../gas.ts'
import { NEWEST_SIGNERS, POLICIES_FROM, SIGNERS_OVER } from '../sql/contracts.ts'
import type { Pending } from './schema.ts'

interface GasRequest {
  facts: WithdrawalFacts
  action: Pending['action']
  /** Undefined if no contract is called. */
  destination: KnownDestination | undefined
}

/** Generations of the active and the last pending policy that sign a root; equal if none is pending. */
interface Signers {
  active: number
  last: number
}

interface Policy {
  generation: number
  /** Block in which it became pending. */
  block: number
  finalizers: number
}

/** @returns estimates in the order of the requests; null if no contract is called */
export async function gasOf(at: Snapshot, requests: readonly GasRequest[]): Promise<(EstimatedGas | null)[]> {
  const called = requests.filter((one) => one.destination !== undefined)
  if (called.length === 0) return requests.map(() => null)
  const signing = await readSigning(
    at,
    called.map(({ destination }) => destination as KnownDestination),
    called.map(({ facts }) => facts.burn.block),
  )
  return requests.map(({ facts, action, destination }) => {
    if (destination === undefined) return null
    const covered = isCovered(destination, facts.burn.block)
    const { active, last } = signing.over(facts.burn.block, destination.generation)
    return estimateGas({
      memoBytes: facts.memo.length,
      hasFee: action === 'release' && facts.fee > 0n,
      finalizers: signing.finalizers(active),
      pending: last === active ? 0 : signing.finalizers(last),
      covered,
      // A stored root needs no hand-off, whatever the light client has learned since.
      handoffs: covered ? [] : signing.handoffs(destination, active),
    })
  })
}

class Signing {
  private readonly policies: readonly Policy[]
  private readonly newest: Signers
  private readonly signers: ReadonlyMap<string, Signers>

  constructor(policies: readonly Policy[], newest: Signers, signers: ReadonlyMap<string, Signers>) {
    this.policies = policies
    this.newest = newest
    this.signers = signers
  }

  /**
   * Signers of the first root over a block, with signatures of a generation or newer. The current signers if there is
   * no such root yet.
   */
  over(block: number, generation: number): Signers {
    return this.signers.get(placeKey(block, generation)) ?? this.newest
  }

  finalizers(generation: number): number {
    return this.policies.find((one) => one.generation === generation)?.finalizers ?? 0
  }

  /** Hand-offs up to the generation `active`, in order. */
  handoffs({ newest, generation }: KnownDestination, active: number): HandoffCase[] {
    return this.policies
      .filter((policy) => policy.generation > newest && policy.generation <= active)
      .map(({ block, finalizers: learned }) => {
        return { finalizers: this.finalizers(this.over(block, generation).active), learned }
      })
  }
}

const placeKey = (block: number, generation: number): string => `${block} ${generation}`

async function readSigning(
  { database, context }: Snapshot,
  destinations: readonly KnownDestination[],
  burns: readonly number[],
): Promise<Signing> {
  const oldest = Math.min(...destinations.map(({ generation }) => generation))
  type PolicyRow = { generation: number; block: number; policy: Uint8Array }
  const { rows } = await database.query<PolicyRow>({
    name: 'bridge-policies-from',
    text: POLICIES_FROM,
    values: [context.ledger, oldest],
  })
  const policies = rows.map(({ generation, block, policy }) => {
    return { generation, block, finalizers: readFinalizerPolicy(new Reader(policy)).finalizers.length }
  })
  const { rows: newest } = await database.query<Signers>({
    name: 'bridge-newest-signers',
    text: NEWEST_SIGNERS,
    values: [context.ledger],
  })
  const places = new Map<string, [block: number, generation: number]>()
  for (const [i, { generation, newest: learned }] of destinations.entries()) {
    const blocks = policies.filter((policy) => policy.generation > learned).map(({ block }) => block)
    for (const block of [itemAt(burns, i), ...blocks]) places.set(placeKey(block, generation), [block, generation])
  }
  const values = [...places.values()]
  type SignersRow = Signers & { block: number; generation: number }
  const { rows: over } = await database.query<SignersRow>({
    name: 'bridge-signers-over',
    text: SIGNERS_OVER,
    values: [context.ledger, values.map(([block]) => block), values.map(([, generation]) => generation)],
  })
  const signers = new Map(over.map((row) => [placeKey(row.block, row.generation), row]))
  return new Signing(policies, newest[0] ?? { active: 0, last: 0 }, signers)
}
