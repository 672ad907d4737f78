// Parses the query of the v3 route. An error is one text; docs/api/overview.md, "Swap routes", has their order.

import { DEFAULT_SLIPPAGE, parseSlippage } from '../kit/decimal.ts'
import type { TokenRef } from '../live-market/model.ts'
import { isAccount, isPermission, MAX_HOPS, MAX_SPLITS, parseAmount } from './parameters.ts'
import type { Trade } from './trade.ts'

export const TRADE_TYPES = ['exactIn', 'exactOut'] as const
export const HOPS = Array.from({ length: MAX_HOPS }, (_, i) => String(i + 1))

export interface V3Request {
  tradeType: (typeof TRADE_TYPES)[number]
  trade: Trade
  /** Receiver of every swap and signer of the actions; null if not given. */
  account: string | null
  permission: string
}

export type V3Failure =
  | 'Invalid tradeType'
  | 'Unknown token'
  | 'Invalid amount'
  | 'Invalid slippage'
  | 'Invalid maxHops'
  | 'Invalid orderbook'
  | 'Input and output are the same token'
  | 'Invalid account'
  | 'Invalid permission'

/** @param query  without empty members */
export function readV3Request(
  query: Readonly<Record<string, string | undefined>>,
  tokens: ReadonlyMap<string, TokenRef>,
): V3Request | V3Failure {
  const { maxHops = String(MAX_HOPS), orderbook = 'true', account = null, permission = 'active' } = query
  const tradeType = TRADE_TYPES.find((name) => name === query.tradeType)
  if (tradeType === undefined) return 'Invalid tradeType'
  const exact = tradeType === 'exactIn' ? 'in' : 'out'
  const input = tokens.get(query.input?.toLowerCase() ?? '')
  const output = tokens.get(query.output?.toLowerCase() ?? '')
  if (input === undefined || output === undefined) return 'Unknown token'
  const amount = parseAmount(query.amount, (exact === 'in' ? input : output).decimals)
  if (amount === null) return 'Invalid amount'
  const slippage = parseSlippage(query.slippage ?? DEFAULT_SLIPPAGE)
  if (slippage === null) return 'Invalid slippage'
  if (!HOPS.includes(maxHops)) return 'Invalid maxHops'
  if (orderbook !== 'true' && orderbook !== 'false') return 'Invalid orderbook'
  if (input === output) return 'Input and output are the same token'
  if (account !== null && !isAccount(account)) return 'Invalid account'
  if (!isPermission(permission)) return 'Invalid permission'
  const books = orderbook === 'true'
  const hops = Number(maxHops)
  const trade = { exact, input, output, amount, slippage, maxHops: hops, maxParts: MAX_SPLITS, books } as const
  return { tradeType, trade, account, permission }
}
