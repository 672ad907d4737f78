// Parses the query of the v2 route. It reports the first of four errors, in the order of docs/api/overview.md, "Swap
// routes".

import { DEFAULT_SLIPPAGE, parseSlippage } from '../kit/decimal.ts'
import type { TokenRef } from '../live-market/model.ts'
import { isAccount, isAmount, MAX_HOPS, MAX_SPLITS, parseAmount } from './parameters.ts'
import type { Trade } from './trade.ts'

const NO_RECEIVER = '<receiver>'

export interface V2Request {
  trade: Trade
  /** The receiving account, or NO_RECEIVER. */
  receiver: string
  includePoolDetails: boolean
}

export type V2Failure = 'Invalid request' | 'Invalid amount' | 'Invalid slippage' | 'Invalid input/output'

/**
 * The trade that a query asks for, or the first error in it. Amounts are raw units of the input token for
 * `EXACT_INPUT`, of the output token for `EXACT_OUTPUT`.
 *
 * @param query   without empty members
 * @param tokens  by token id
 */
export function readV2Request(
  query: Readonly<Record<string, string | undefined>>,
  tokens: ReadonlyMap<string, TokenRef>,
  includePoolDetails: boolean,
): V2Request | V2Failure {
  const { trade_type: type, amount, slippage: percent = DEFAULT_SLIPPAGE, receiver = NO_RECEIVER } = query
  const exact = type === 'EXACT_INPUT' ? 'in' : type === 'EXACT_OUTPUT' ? 'out' : null
  const maxHops = readHops(query.maxHops)
  if (exact === null || query.input === undefined || query.output === undefined) return 'Invalid request'
  if (maxHops === null || (receiver !== NO_RECEIVER && !isAccount(receiver))) return 'Invalid request'
  if (!isAmount(amount)) return 'Invalid amount'
  const slippage = parseSlippage(percent)
  if (slippage === null) return 'Invalid slippage'
  const input = tokens.get(query.input.toLowerCase())
  const output = tokens.get(query.output.toLowerCase())
  if (input === undefined || output === undefined || input === output) return 'Invalid input/output'
  const raw = parseAmount(amount, (exact === 'in' ? input : output).decimals)
  if (raw === null) return 'Invalid amount'
  const maxParts = query.v2 === undefined ? 1 : MAX_SPLITS
  const trade = { exact, input, output, amount: raw, slippage, maxHops, maxParts, books: false } as const
  return { trade, receiver, includePoolDetails }
}

/** Parses the hop limit, capped at MAX_HOPS. @returns null if it is not a whole number above 0 */
function readHops(text: string | undefined): number | null {
  if (text === undefined) return MAX_HOPS
  if (!/^[0-9]+$/.test(text) || Number(text) === 0) return null
  return Math.min(Number(text), MAX_HOPS)
}
