// Rows of the form on what is sent, what it costs and what arrives. All but the amounts are known before one is typed.
// Pure.
import { type Costs, dollars } from '../core/costs.ts'
import { isReadable } from '../core/routes.ts'
import type { Draft, Estimate } from '../core/types.ts'
import { grouped } from './format.ts'

export interface Known {
  estimate: Pick<Estimate, 'receives' | 'remainder' | 'time'>
  /** Null until the chains have answered. */
  costs: Costs | null
  /** Amount with all decimals of the token. */
  sent: string
}

/** @returns label and text of each row */
export function summaryRows({ token, amount }: Draft, { estimate, costs, sent }: Known): [string, string][] {
  const { receives, remainder, time } = estimate
  // An amount that the bridge cannot take arrives as nothing.
  const isAmount = isReadable(amount) && Number(receives) > 0
  return [
    ...(isAmount ? [['You send', sent] satisfies [string, string]] : []),
    ['Arrives', isAmount ? `${grouped(receives)} ${token}` : '–'],
    ...(remainder === null
      ? []
      : [['Stays with you', `${remainder} ${token}, too small to be counted`] satisfies [string, string]]),
    ['In dollars', worth(token, isAmount ? receives : null, costs?.usd ?? null)],
    // This page never offers a fee to relayers: neither a fill fee of a deposit nor the fee of a withdrawal's memo.
    ['Bridge fee', 'none'],
    gasRow(costs),
    ['Takes', time],
  ]
}

function worth(token: string, amount: string | null, usd: number | null): string {
  if (usd === null) return '–'
  return amount === null ? `1 ${token} is about ${dollars(usd)}` : `about ${dollars(Number(amount) * usd)}`
}

function gasRow(costs: Costs | null): [string, string] {
  if (costs === null) return ['Gas', '–']
  if (costs.chain === null) return ['Gas', 'none']
  const label = `Gas on ${costs.chain}`
  if (costs.gas === null) return [label, 'shown by your wallet']
  return [label, `about ${costs.gas}${costs.gasUsd === null ? '' : ` (${dollars(costs.gasUsd)})`}`]
}
