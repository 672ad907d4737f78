// The withdrawals whose fees help to pay for a root. The list of the bridge API is not trusted with that: a fee counts
// when the contract accepts its proof in a trial, and for one root only.
import { type ReleaseCall, releaseCalls } from '../../proofs/release-calls.ts'
import { ROOT_GAS } from '../choice/batch.ts'
import {
  type Chosen,
  chooseProven,
  lightUsd,
  type Market,
  type Member,
  type RootChosen,
  rootBudget,
} from '../choice/plan.ts'
import { Refused } from '../choice/refusal.ts'
import { type Context, isAbort } from '../context.ts'
import type { EvmChain } from './chain.ts'

/** Maximum number of proofs fetched and tried for one root. */
const MAX_PROVEN = 16

interface Proving {
  context: Pick<Context, 'api' | 'journal'>
  chain: Pick<EvmChain, 'name' | 'simulate'>
  /** Address of the key. */
  from: string
  root: RootChosen
  /** Budget of the root's withdrawal by its own proof, USD. */
  own: number
  market: Market
  /** @throws NotAllowed */
  requireAllowed: (calls: readonly ReleaseCall[]) => Promise<void>
}

export type ProvenMember = Member & { leg: string }

export interface Paying {
  /** Budget of the root's withdrawal itself, USD. */
  own: number
  /** By their fee, the highest first, as many as the root needs. */
  members: ProvenMember[]
}

/** A fee pays for one root only, also when its withdrawal brings another root later: then it pays for its release alone. */
export async function provenMembers(proving: Proving): Promise<Paying> {
  const { context, chain, from, root, market } = proving
  const legs = [root.task.leg, ...root.members.map(({ task }) => task.leg)]
  const { spent, shared } = await context.journal.costs(from, chain.name, root.task.leg, legs)
  const spentOnRoot = spent.get(root.task.leg) ?? 0
  const needs = neededUsd(root, market) + spentOnRoot
  const own = shared.has(root.task.leg) ? Math.min(proving.own, spentOnRoot + lightUsd(market)) : proving.own
  const byFee = root.members
    .filter(({ task }) => !shared.has(task.leg))
    .sort((a, b) => (b.choice.feeUsd ?? 0) - (a.choice.feeUsd ?? 0))
  const proven: ProvenMember[] = []
  for (const member of byFee.slice(0, MAX_PROVEN)) {
    const budget = rootBudget(own, proven, lightUsd(market))
    if (budget === null || budget >= needs) break
    const found = await prove(proving, member)
    if (found === null) continue
    const { leg } = member.task
    proven.push({ leg, budgetUsd: found.budgetUsd, spentUsd: spent.get(leg) ?? 0 })
  }
  return { own, members: proven }
}

/** Estimated cost of the root, with a reserve of a quarter. What it really costs is judged when it is sent. */
function neededUsd({ task: { entry } }: RootChosen, { usdOf }: Market): number {
  const gas = BigInt(Math.max(entry.estimatedGas?.hard ?? 0, ROOT_GAS))
  return usdOf((gas * 5n) / 4n) ?? Number.POSITIVE_INFINITY
}

/** @returns null when the fee does not count */
async function prove(
  { context, chain, from, market, requireAllowed }: Proving,
  member: Chosen,
): Promise<Chosen | null> {
  const { leg, entry } = member.task
  try {
    const proof = await context.api.withdrawalProof(leg)
    // Under a root that is stored, it needs no other one. After a hand-off it can be tried only when that is in a block.
    if (proof === null || proof.light !== null || proof.hard.handoffs.length > 0) return null
    const found = chooseProven(member, proof.hard.release, market)
    if (!found.choice.go) return null
    const calls = releaseCalls(proof, entry.action)
    await requireAllowed(calls)
    for (const { to, data } of calls) await chain.simulate({ from, to, data })
    return found
  } catch (error) {
    // The failure is recorded when the withdrawal itself is tried. A node that fails ends the turn.
    if (isAbort(error) || !(error instanceof Refused || isApi(error))) throw error
    return null
  }
}

const isApi = (error: unknown): boolean => (error as { code?: unknown }).code === 'RELAY_API'
