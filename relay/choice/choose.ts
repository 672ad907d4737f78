// Decides which tasks to send, by allowed and denied parties, value, deadline and profit. Pure: the caller handles
// earlier refusals and the journal. USD values are doubles, because no token amount is computed from them.
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
  /** Value of the transfer, USD; null without a price. */
  valueUsd: number | null
  /** Fee that the sender of the action gets, USD; null without a price, 0 if there is no fee. */
  feeUsd: number | null
}

export type Choice = Valuation & { gasUsd: number | null } & ({ go: true } | { go: false; skip: Skip })

/** USD per whole token, by symbol. */
export type Prices = ReadonlyMap<string, number>

/**
 * Merges prices. Prices from the settings (`SYMBOL=USD`) override prices from the database. Prices that are not finite
 * and above 0 are left out.
 */
export function pricesOf(stored: Prices, settings: readonly string[]): Map<string, number> {
  const configured = settings.map((text): [string, number] => {
    const [symbol = '', usd] = text.split('=')
    return [symbol, Number(usd)]
  })
  return new Map([...new Map([...stored, ...configured])].filter(([, usd]) => Number.isFinite(usd) && usd > 0))
}

/** Value of an amount. @param units  ledger units @returns USD; null without a price */
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

/**
 * Cost of gas.
 *
 * @param weiPerGas  price of a unit of gas
 * @param coin       symbol of the chain's coin, in which gas is paid
 * @returns USD; null without a price of the coin
 */
export function gasWorth(gas: bigint, weiPerGas: bigint, coin: string | undefined, prices: Prices): number | null {
  const price = coin === undefined ? undefined : prices.get(coin)
  return price === undefined ? null : (Number(gas * weiPerGas) / 1e18) * price
}

/**
 * Decides whether an action of a task is sent.
 *
 * @param gasUsd  expected cost of gas, USD; 0 on an Antelope chain, null without a price of the coin
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
    ruleAgainst(task, action, policy, valuation.valueUsd, now) ?? lossOf(task, policy, valuation.feeUsd, gasUsd)
  return skip === null ? { ...valuation, gasUsd, go: true } : { ...valuation, gasUsd, go: false, skip }
}

/** Actions that pay a recipient. All other actions return tokens or report outcomes, and are sent for denied parties too. */
export const DELIVERS: readonly string[] = ['release', 'pay', 'credit', 'forward']

/** @returns why a setting or the task itself forbids the action, regardless of profit; null if it is allowed */
function ruleAgainst(
  task: Task,
  action: RelayAction,
  policy: Policy,
  valueUsd: number | null,
  now: number,
): Skip | null {
  if (!policy.actions.includes(action)) return 'action-off'
  if (DELIVERS.includes(action) && isListed(task, policy.deny)) return 'denied'
  if (policy.allow.length > 0 && !isListed(task, policy.allow)) return 'not-allowed'
  if (valueUsd === null && (task.kind === 'withdrawal' || task.kind === 'deposit')) return 'value-unknown'
  // Written as a negation, so that NaN is refused too, also below.
  if (valueUsd !== null && !(valueUsd <= policy.maxValueUsd)) return 'value'
  if (task.kind !== 'withdrawal') return 'contract' in task.entry && task.entry.contract === null ? 'no-contract' : null
  const { action: pendingAction, deadline, hasProof, releaseTo } = task.entry
  if (pendingAction === 'release' && !(deadline >= now + policy.marginSeconds)) return 'deadline'
  if (action === 'pay') return null
  if (releaseTo === null) return 'no-contract'
  return hasProof ? null : 'no-proof'
}

/** @returns why the action does not earn enough; null if it does, or if it is sent at any cost */
function lossOf(task: Task, policy: Policy, feeUsd: number | null, gasUsd: number | null): Skip | null {
  if (policy.policy === 'always' || isListed(task, policy.own)) return null
  if (feeUsd === null || gasUsd === null) return 'price-unknown'
  // A task without a fee earns nothing, so it is a loss even if minProfitUsd is negative.
  return task.fee > 0n && feeUsd - gasUsd >= policy.minProfitUsd ? null : 'loss'
}

/** Whether a list of the settings names a party of a task, or its route, such as `1:USDC`. */
export function isListed({ parties, amount, entry }: Task, list: readonly string[]): boolean {
  // The symbol is that of the ledger's route: the bridge API is not trusted with it.
  const routes = amount !== null && 'domain' in entry ? [`${entry.domain}:${amount.symbol}`.toLowerCase()] : []
  return isAmong([...parties, ...routes], list)
}

/** Whether a list of the settings names one of the parties. @param parties  in lower case */
export function isAmong(parties: readonly string[], list: readonly string[]): boolean {
  return list.some((party) => parties.includes(party.toLowerCase()))
}
