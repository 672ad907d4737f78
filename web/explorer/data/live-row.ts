// A row of the table of markets that follows the stream: price and value of a pool as the message has them, all other
// figures by a request for the one market when a block has changed it.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type MarketRow, pairRow, poolRow } from '../core/market-rows.ts'
import { Queue } from '../core/queue.ts'
import { type AnswerOptions, useAnswer } from './answers.ts'
import { type Message, useChannel } from './stream.ts'
import type { Get, MarketPool } from './types.ts'

type PoolAnswer = Get<'/api/v3/analytics/pools/{poolId}'>
type BookAnswer = Get<'/api/v3/analytics/spot-pairs/{marketId}'>

/** A page has dozens of rows: each is read every two seconds at most, and only some at once. */
const PACE: AnswerOptions = { minPauseMs: 2000, hasValue: true, queue: new Queue(4), isTimed: true }

/** What the message of a pool has. */
interface Live {
  price: number
  liquidity: number | null
}

interface LiveRow {
  row: MarketRow
  /** Null for an order book, and before the first message. */
  live: Live | null
}

/**
 * @param listed   the row as the list has it
 * @param askedAt  when the request of the list began, Unix milliseconds
 */
export function useLiveRow(listed: MarketRow, askedAt: number): LiveRow {
  const { chain, kind, id } = listed
  const message = useChannel(chain, kind === 'pool' ? 'pool' : 'orderbook', id)
  const changes = useChanges(ownState(message))
  const name = kind === 'pool' ? 'pools' : 'spot-pairs'
  const include = kind === 'pool' ? '&include=incentives,tx' : ''
  const path = `/api/v3/analytics/${name}/${id}?window=24h${include}`
  const answer = useAnswer<PoolAnswer & BookAnswer>(chain, changes === 0 ? null : path, 0, PACE)
  useLayoutEffect(() => {
    // The first change makes the first request.
    if (changes > 1) answer.again()
  }, [changes])
  const { value } = answer
  // The list and the row are read at different times: the newer one counts.
  const isNewer = value !== null && answer.askedAt > askedAt
  const row = isNewer ? { ...rowOf(chain, value), isScam: listed.isScam } : listed
  return { row, live: liveOf(message) }
}

function rowOf(chain: string, { pool, market }: Partial<PoolAnswer & BookAnswer>): MarketRow {
  return pool === undefined ? pairRow(chain, market as BookAnswer['market']) : poolRow(chain, pool)
}

function liveOf(message: Message | null): Live | null {
  const { price, tvlUsd } = (message?.pool ?? {}) as Partial<MarketPool>
  if (price === undefined) return null
  return { price: Number(price), liquidity: tvlUsd == null ? null : Number(tvlUsd) }
}

/** The state that only trades, orders and liquidity of the market change: the value of a pool changes with any price. */
function ownState(message: Message | null): string | null {
  if (message === null) return null
  if (message.channel === 'orderbook') return JSON.stringify(message.orderbook)
  const { sqrtPriceX64, liquidity, reserveA, reserveB } = (message.pool ?? {}) as Partial<MarketPool>
  return `${sqrtPriceX64} ${liquidity} ${reserveA} ${reserveB}`
}

/** Number of changes since the first known state. The first one after a break is a change when it differs. */
function useChanges(state: string | null): number {
  const seen = useRef({ state, changes: 0 })
  if (state !== null && state !== seen.current.state)
    seen.current = { state, changes: seen.current.changes + (seen.current.state === null ? 0 : 1) }
  return seen.current.changes
}
