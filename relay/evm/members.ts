// Finds the withdrawals whose fees help to pay for storing a root in the light client. The fees in the list of the bridge
// API are not trusted. A fee counts only if the contract accepts the withdrawal's proof in a simulation, and only for one
// root.
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

/** Maximum number of proofs fetched and simulated for one root. */
const MAX_PROVEN = 16

interface Proving {
  context: Pick<Context, 'api' | 'journal'>
  chain: Pick<EvmChain, 'name' | 'simulate'>
  /** Address that sends the calls. */
  from: string
  root: RootChosen
  /** Budget of the withdrawal that brings the root, from its own proof, USD. */
  own: number
  market: Market
  /** Checks that the settings allow the calls. @throws NotAllowed */
  requireAllowed: (calls: readonly ReleaseCall[]) => Promise<void>
}

export type ProvenMember = Member & { leg: string }

export interface Paying {
  /** Budget of the withdrawal that brings the root, USD. */
  own: number
  /** Other withdrawals that pay, highest fee first, as many as the root needs. */
  members: ProvenMember[]
}

/**
 * Chooses the withdrawals that pay for a root, by simulating their proofs.
 *
 * A fee pays for one root only. If a withdrawal has helped to pay for a root and later brings another one, its fee pays
 * only for its own release.
 */
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

/** Estimated cost of the root plus a quarter, USD. The exact cost is checked when the transaction is sent. */
function neededUsd({ task: { entry } }: RootChosen, { usdOf }: Market): number {
  const gas = BigInt(Math.max(entry.estimatedGas?.hard ?? 0, ROOT_GAS))
  return usdOf((gas * 5n) / 4n) ?? Number.POSITIVE_INFINITY
}

/** Checks a member by its proof. @returns null when its fee does not count */
async function prove(
  { context, chain, from, market, requireAllowed }: Proving,
  member: Chosen,
): Promise<Chosen | null> {
  const { leg, entry } = member.task
  try {
    const proof = await context.api.withdrawalProof(leg)
    // A withdrawal under a stored root needs no new root. A withdrawal that needs a hand-off cannot be simulated before
    // the hand-off is in a block.
    if (proof === null || proof.light !== null || proof.hard.handoffs.length > 0) return null
    const found = chooseProven(member, proof.hard.release, market)
    if (!found.choice.go) return null
    const calls = releaseCalls(proof, entry.action)
    await requireAllowed(calls)
    for (const { to, data } of calls) await chain.simulate({ from, to, data })
    return found
  } catch (error) {
    // A refusal is not recorded here, because the withdrawal itself is tried later. A failure of the node ends the turn.
    if (isAbort(error) || !(error instanceof Refused || isApiError(error))) throw error
    return null
  }
}

const isApiError = (error: unknown): boolean => (error as { code?: unknown }).code === 'RELAY_API'
