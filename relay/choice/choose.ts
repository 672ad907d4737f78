// Chooses which tasks to send: lists of parties, worth, deadlines and profit. Pure; refusals and the state of the journal
// are the caller's. USD are doubles: they choose and are reported, and no token amount depends on them.
import type { RelayConfig } from '../../config/relay-schema.ts'
import type { RelayAction } from '../pending.ts'
import type { Task } from './task.ts'

export type Policy = Pick<
  RelayConfig,
  'actions' | 'policy' | 'minProfitUsd' | 'own' | 'allow' | 'deny' | 'maxValueUsd' | 'marginSeconds'
>

export type Skip =
  | 'action-off'
  | 'denied'
  | 'not-allowed'
  | 'value-unknown'
  | 'value'
  | 'deadline'
  | 'no-proof'
  | 'no-contract'
  | 'price-unknown'
  | 'loss'

export interface Valuation {
  /** Worth of the transfer, USD; null without a price. */
  valueUsd: number | null
  /** What the sender earns, USD; null without a price, 0 without a fee. */
  feeUsd: number | null
}

export type Choice = Valuation & { gasUsd: number | null } & ({ go: true } | { go: false; skip: Skip })

/** USD of one token by symbol. */
export type Prices = ReadonlyMap<string, number>

/** Joins prices; those of the settings (`SYMBOL=USD`) go first. A price that is not above 0 counts as none. */
export function pricesOf(read: Prices, settings: readonly string[]): Map<string, number> {
  const own = settings.map((text): [string, number] => {
    const [symbol = '', usd] = text.split('=')
    return [symbol, Number(usd)]
  })
  return new Map([...new Map([...read, ...own])].filter(([, usd]) => Number.isFinite(usd) && usd > 0))
}

/** @returns USD; null without a price @param units  ledger units */
export function worthOf(units: bigint, symbol: string, decimals: number, prices: Prices): number | null {
  const price = prices.get(symbol)
  return price === undefined ? null : (Number(units) / 10 ** decimals) * price
}

export function valuationOf({ amount, fee }: Task, prices: Prices): Valuation {
  if (amount === null) return { valueUsd: null, feeUsd: fee === 0n ? 0 : null }
  const { symbol, units, decimals } = amount
  const valueUsd = worthOf(units, symbol, decimals, prices)
  return { valueUsd, feeUsd: fee === 0n ? 0 : worthOf(fee, symbol, decimals, prices) }
}

/** Gas in USD. @param wei  cost of a unit @returns null without a price of the coin */
export function gasWorth(gas: bigint, wei: bigint, coin: string | undefined, prices: Prices): number | null {
  const price = coin === undefined ? undefined : prices.get(coin)
  return price === undefined ? null : (Number(gas * wei) / 1e18) * price
}

/**
 * Decides whether an action of a task is sent.
 *
 * @param gasUsd  expected cost; 0 on an Antelope chain, null without a price of the coin
 * @param now     Unix seconds
 */
export function choose(
  task: Task,
  action: RelayAction,
  policy: Policy,
  valuation: Valuation,
  gasUsd: number | null,
  now: number,
): Choice {
  const skip =
    outside(task, action, policy, valuation.valueUsd, now) ?? unprofitable(task, policy, valuation.feeUsd, gasUsd)
  return skip === null ? { ...valuation, gasUsd, go: true } : { ...valuation, gasUsd, go: false, skip }
}

/** Actions that bring tokens to a recipient. The others are ways back and reports, which a denied recipient may have. */
const DELIVERS: readonly RelayAction[] = ['release', 'pay', 'credit', 'forward']

/** The reason that forbids an action regardless of its profit. */
function outside(task: Task, action: RelayAction, policy: Policy, valueUsd: number | null, now: number): Skip | null {
  if (!policy.actions.includes(action)) return 'action-off'
  if (DELIVERS.includes(action) && isAmong(task.parties, policy.deny)) return 'denied'
  if (policy.allow.length > 0 && !isAmong(task.parties, policy.allow)) return 'not-allowed'
  if (valueUsd === null && (task.kind === 'withdrawal' || task.kind === 'deposit')) return 'value-unknown'
  // Also a value that is no number.
  if (valueUsd !== null && !(valueUsd <= policy.maxValueUsd)) return 'value'
  if (task.kind !== 'withdrawal') return 'contract' in task.entry && task.entry.contract === null ? 'no-contract' : null
  const { action: asked, deadline, hasProof, releaseTo } = task.entry
  if (asked === 'release' && deadline < now + policy.marginSeconds) return 'deadline'
  if (action === 'pay') return null
  if (releaseTo === null) return 'no-contract'
  return hasProof ? null : 'no-proof'
}

function unprofitable(task: Task, policy: Policy, feeUsd: number | null, gasUsd: number | null): Skip | null {
  if (policy.policy === 'always' || isAmong(task.parties, policy.own)) return null
  if (feeUsd === null || gasUsd === null) return 'price-unknown'
  // Without a fee there is nothing to earn, whatever the bound.
  return task.fee > 0n && feeUsd - gasUsd >= policy.minProfitUsd ? null : 'loss'
}

function isAmong(parties: readonly string[], list: readonly string[]): boolean {
  return list.some((one) => parties.includes(one.toLowerCase()))
}
