// Plans the withdrawals of one EVM chain for one turn: which ones are sent under stored roots, which one brings a new
// root, and how much gas each may cost. Pure: the caller gives proofs, refusals and prices.
import type { ReleaseArguments } from '../../proofs/json.ts'
import type { Refusal } from '../state/journal.ts'
import { batchOf, gasOf, LIGHT_GAS, sharedGas } from './batch.ts'
import { type Choice, choose, type Policy, type Prices, valuationOf } from './choose.ts'
import { type EvmTask, provenTask } from './task.ts'
import type { Tokens } from './tokens.ts'

/** Longest time for which a withdrawal that waits for the vault's allowance holds back later ones, seconds. */
const MAX_QUEUE_S = 600

/** Settings and prices in one turn. */
export interface Market {
  config: Policy
  prices: Prices
  tokens: Tokens
  /** USD of gas now; null without a price of the coin. */
  usdOf: (gas: bigint) => number | null
  /** Unix seconds. */
  now: number
}

export interface Chosen {
  task: EvmTask
  choice: Choice
  policy: Policy
  /** Maximum cost of gas, USD, at which its own fee earns enough; null: no limit, it is sent even at a loss. */
  budgetUsd: number | null
}

/** A withdrawal that brings a root, and the others that share its costs. */
export interface RootChosen extends Chosen {
  members: Chosen[]
}

export interface Plan {
  /** Sent by stored roots, in the order of the list. */
  light: Chosen[]
  root: RootChosen | null
  /** Each judged withdrawal once, chosen or not. */
  judged: Chosen[]
}

/**
 * Chooses withdrawals to send by stored roots, and one that brings a root. Withdrawals that would lose money do not
 * share the costs of the root.
 *
 * @param tasks  withdrawals that may be sent now, in the order of the list
 */
export function planOf(tasks: readonly EvmTask[], market: Market): Plan {
  const light = batchOf(tasks).light.map((task) => judge(task, gasOf(task), market))
  const isLight = new Set(light.map(({ task }) => task))
  const plan: Plan = { light: light.filter(({ choice }) => choice.go), root: null, judged: [...light] }
  let members = tasks.filter((task) => !isLight.has(task))
  for (;;) {
    const { root } = batchOf(members)
    if (root === null) break
    const all = members.map((task) => judge(task, sharedGas(root, members.length), market))
    const losing = all.filter(({ choice }) => !choice.go)
    plan.judged.push(...(losing.length === 0 ? all : losing))
    if (losing.length === 0) {
      const others = all.filter(({ task }) => task !== root)
      const [own] = all.filter(({ task }) => task === root)
      return own === undefined ? plan : { ...plan, root: { ...own, members: others } }
    }
    members = all.filter(({ choice }) => choice.go).map(({ task }) => task)
  }
  return plan
}

/** @param gas  expected; null when the API has no estimate */
function judge(task: EvmTask, gas: bigint | null, market: Market): Chosen {
  return judged(task, market.config, gas === null ? null : market.usdOf(gas), market)
}

function judged(task: EvmTask, policy: Policy, gasUsd: number | null, { prices, now }: Market): Chosen {
  const valuation = valuationOf(task, prices)
  const chosen = (usd: number | null) => choose(task, task.entry.action, policy, valuation, usd, now)
  const choice = chosen(gasUsd)
  // A withdrawal that may be sent without a known price of gas has no limit of cost.
  const isForProfit = !chosen(null).go
  return { task, choice, policy, budgetUsd: isForProfit ? (choice.feeUsd ?? 0) - policy.minProfitUsd : null }
}

/**
 * Chooses again by the proof, by which the contract pays: the list may name other parties and fees.
 *
 * @throws NotAllowed for the proof of another withdrawal
 */
export function chooseProven({ task, choice, policy }: Chosen, release: ReleaseArguments, market: Market): Chosen {
  return judged(provenTask(task, release, market.tokens), policy, choice.gasUsd, market)
}

export interface Member extends Pick<Chosen, 'budgetUsd'> {
  /** USD of gas that was spent on it before. */
  spentUsd: number
}

/**
 * What a root may cost: what its withdrawal earns, and what the others earn beyond their own light releases.
 *
 * @param own      budget of the withdrawal that brings the root; null: no limit, it is sent even at a loss
 * @param members  the others, by their proofs
 * @param lightUsd gas of a light release
 */
export function rootBudget(own: number | null, members: readonly Member[], lightUsd: number): number | null {
  let sum = own
  for (const { budgetUsd, spentUsd } of members) {
    if (sum === null || budgetUsd === null) return null
    sum += Math.max(0, budgetUsd - spentUsd - lightUsd)
  }
  return sum
}

/** USD of a light release; 0 without a price, with which nothing is sent for profit. */
export const lightUsd = ({ usdOf }: Market): number => usdOf(BigInt(LIGHT_GAS)) ?? 0

/** Whether an older withdrawal of the token waits for the allowance, which smaller ones would otherwise use up. */
export function mustWait(
  { leg, entry: { token, action } }: EvmTask,
  tasks: readonly EvmTask[],
  refusalOf: (leg: string) => Pick<Refusal, 'reason' | 'seconds'> | undefined,
): boolean {
  if (action !== 'release') return false
  const first = tasks.find((task) => {
    const refusal = refusalOf(task.leg)
    return task.entry.token === token && refusal?.reason === 'OutflowLimited' && refusal.seconds < MAX_QUEUE_S
  })
  return first !== undefined && first.leg !== leg
}

/**
 * Whether a withdrawal waits for the vault: it does not fit into the allowance after one of its token that is open, so it
 * would fail in its block.
 *
 * @param open  tokens of releases in no final block
 */
export function waitsForAllowance({ entry }: EvmTask, open: ReadonlySet<string>): boolean {
  return entry.fits === false && open.has(entry.token)
}
