// The feed at one moment: the listed markets of all chains, each chain at its own block.
import { createHash } from 'node:crypto'
import { feedChain } from '../../core/chains.ts'
import type { ChainContext } from '../chain-context.ts'
import type { BlockMark } from '../live-market/model.ts'
import type { Assets } from './assets.ts'
import { type Violation, violations } from './check.ts'
import { type FeedMarket, listedMarkets, type MarketCache } from './market.ts'
import { type MergedMarket, mergeMarkets } from './merge.ts'

interface FeedChain {
  chain: string
  /** Null while the chain's market is not loaded: its markets are not in the feed. */
  at: BlockMark | null
  /** Number of listed pools; `pools` is the number of all pools. */
  listedPools: number
  pools: number
  listedOrderbooks: number
  orderbooks: number
}

export interface FeedSnapshot {
  /** Unix milliseconds. */
  refreshedAt: number
  /** Changes whenever anything in the snapshot can differ. */
  mark: BlockMark
  chains: FeedChain[]
  /** Most liquid first. */
  markets: FeedMarket[]
  byTicker: Map<string, FeedMarket[]>
  merged: MergedMarket[]
  byMergedTicker: Map<string, MergedMarket>
  /** All rule violations of listed markets. */
  violations: Violation[]
}

/**
 * Makes a snapshot in one go.
 *
 * @param now    Unix milliseconds
 * @param cache  cache of markets made earlier
 */
export function takeSnapshot(...parts: Parameters<typeof snapshotSteps>): FeedSnapshot {
  const steps = snapshotSteps(...parts)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Makes a snapshot in steps. The markets of a chain share one block; chains may have different ones. */
export function* snapshotSteps(
  contexts: readonly ChainContext[],
  assets: Assets,
  minimumUsd: number,
  now: number,
  cache: MarketCache,
): Generator<void, FeedSnapshot> {
  const chains: FeedChain[] = []
  const markets: FeedMarket[] = []
  for (const context of contexts) {
    const { state } = context.market
    const listed = state === null ? [] : listedMarkets(context, state, assets, minimumUsd, cache)
    for (const market of listed) markets.push(market)
    const count = (type: FeedMarket['type']) => listed.filter((market) => market.type === type).length
    chains.push({
      chain: feedChain(context.chain),
      at: state?.at ?? null,
      listedPools: count('amm'),
      pools: state?.pools.size ?? 0,
      listedOrderbooks: count('orderbook'),
      orderbooks: state?.books.size ?? 0,
    })
    yield
  }
  markets.sort((x, y) => y.liquidityUsd - x.liquidityUsd || (x.poolId < y.poolId ? -1 : 1))
  yield
  const merged = mergeMarkets(markets)
  const byTicker = new Map<string, FeedMarket[]>()
  for (const market of markets) {
    const same = byTicker.get(market.tickerId)
    if (same === undefined) byTicker.set(market.tickerId, [market])
    else same.push(market)
  }
  const byMergedTicker = new Map(merged.map((market) => [market.tickerId, market]))
  yield
  const found = violations(markets, merged, minimumUsd)
  const mark = markOf(chains, now)
  return { refreshedAt: now, mark, chains, markets, byTicker, merged, byMergedTicker, violations: found }
}

/** The markets depend only on the chains' blocks. */
function markOf(chains: readonly FeedChain[], now: number): BlockMark {
  const marks = chains.flatMap(({ at }) => (at === null ? [] : [at]))
  const id = createHash('sha256')
    .update(marks.map((at) => at.id).join(' '))
    .digest('hex')
  return { block: Math.max(0, ...marks.map(({ block }) => block)), id, time: now }
}
