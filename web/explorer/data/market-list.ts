// All markets of chains, loaded page by page and refreshed while the page is visible.
import { useEffect, useState } from 'preact/hooks'
import { keyOf, type MarketRow, pairRow, poolRow, withScams } from '../core/market-rows.ts'
import { ask } from './answers.ts'
import type { Get } from './types.ts'
import { onFork } from './use-renewal.ts'

const PAGE = 500
const REFRESH_MS = 10_000
const RETRY_MS = 2000

export interface MarketList {
  rows: readonly MarketRow[]
  /** When the requests of the rows began, Unix milliseconds. */
  askedAt: number
  /** Number of markets with a token on the scam list. */
  scams: number
  /** Whether every page has come once. */
  isComplete: boolean
  /** Of the last request; empty when it succeeded. */
  error: string
}

interface Page<T> {
  items: readonly T[]
  total: number
}

/** @param take  receives the items of each page @returns the number of all items */
async function everyPage<T>(ask: (page: number) => Promise<Page<T>>, take: (items: readonly T[]) => void) {
  for (let page = 1, seen = 0; ; page++) {
    const { items, total } = await ask(page)
    take(items)
    seen += items.length
    if (items.length === 0 || seen >= total) return total
  }
}

const LISTS = ['pools', 'spot-pairs'] as const

/** Number of markets, those of scams included. */
async function countAll(chain: string, signal: AbortSignal): Promise<number> {
  const totals = await Promise.all(
    LISTS.map((list) => ask<Page<unknown>>(chain, `/api/v3/analytics/${list}?limit=1`, signal)),
  )
  return totals.reduce((sum, { total }) => sum + total, 0)
}

/** Ids of the tokens on the scam list. */
async function scamTokens(chain: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const tokens = await ask<Get<'/api/v2/tokens'>>(chain, '/api/v2/tokens', signal)
  return new Set(tokens.filter(({ is_scam }) => is_scam).map(({ id }) => id))
}

/**
 * @param hasScams  whether markets of scams are read too
 * @param take  receives all rows read so far, after each page
 * @returns number of markets of scams
 */
async function readChain(
  chain: string,
  hasScams: boolean,
  signal: AbortSignal,
  take: (rows: MarketRow[]) => void,
): Promise<number> {
  let rows: MarketRow[] = []
  const common = `limit=${PAGE}&window=24h&hide_scam=${!hasScams}`
  const scams = hasScams ? await scamTokens(chain, signal) : new Set<string>()
  const add = (more: MarketRow[]) => {
    rows = [...rows, ...withScams(more, scams)]
    take(rows)
  }
  const [all, ...listed] = await Promise.all([
    countAll(chain, signal),
    everyPage(
      (page) =>
        ask<Get<'/api/v3/analytics/pools'>>(
          chain,
          `/api/v3/analytics/pools?${common}&page=${page}&include=incentives,tx`,
          signal,
        ),
      (items) => add(items.map((item) => poolRow(chain, item))),
    ),
    everyPage(
      (page) =>
        ask<Get<'/api/v3/analytics/spot-pairs'>>(chain, `/api/v3/analytics/spot-pairs?${common}&page=${page}`, signal),
      (items) => add(items.map((item) => pairRow(chain, item))),
    ),
  ])
  if (hasScams) return rows.filter(({ isScam }) => isScam).length
  return Math.max(0, all - listed.reduce((sum, total) => sum + total, 0))
}

const EMPTY: MarketList = { rows: [], askedAt: 0, scams: 0, isComplete: false, error: '' }

/** @param hasScams  whether markets of tokens on the scam list are in it */
export function useMarketList(chains: readonly string[], hasScams: boolean): MarketList {
  const [list, setList] = useState<MarketList>(EMPTY)
  const key = `${chains.join()} ${hasScams}`
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isFirst = true
    let isReading = false
    /** Whether a fork came during the requests. */
    let isReplaced = false
    const byChain = new Map<string, MarketRow[]>()
    const scams = new Map<string, number>()
    // Pages are by rank: a market that rises between two requests comes on both.
    const all = () => [
      ...new Map(chains.flatMap((chain) => byChain.get(chain) ?? []).map((row) => [keyOf(row), row])).values(),
    ]
    const load = async () => {
      const askedAt = Date.now()
      isReading = true
      isReplaced = false
      try {
        if (isFirst || !document.hidden)
          await Promise.all(
            chains.map(async (chain) => {
              let last: MarketRow[] = []
              const count = await readChain(chain, hasScams, stop.signal, (rows) => {
                last = rows
                // Rows show as they come the first time; later the list changes at once.
                if (!isFirst) return
                byChain.set(chain, rows)
                setList({ ...EMPTY, rows: all(), askedAt })
              })
              byChain.set(chain, last)
              scams.set(chain, count)
            }),
          )
        isFirst = false
        const now = { rows: all(), askedAt, scams: [...scams.values()].reduce((sum, one) => sum + one, 0) }
        setList((old) =>
          same(old.rows, now.rows) && old.scams === now.scams && old.isComplete
            ? old
            : { ...now, isComplete: true, error: '' },
        )
        timer = setTimeout(load, isReplaced ? 0 : REFRESH_MS)
      } catch (error) {
        if (stop.signal.aborted) return
        setList((old) => ({ ...old, error: (error as Error).message }))
        timer = setTimeout(load, RETRY_MS)
      }
      isReading = false
    }
    const onReplaced = () => {
      isReplaced = isReading
      if (isReading) return
      clearTimeout(timer)
      void load()
    }
    const stopForks = chains.map((chain) => onFork(chain, false, onReplaced))
    setList(EMPTY)
    void load()
    return () => {
      stop.abort()
      clearTimeout(timer)
      for (const stopFork of stopForks) stopFork()
    }
  }, [key])
  return list
}

function same(one: readonly MarketRow[], other: readonly MarketRow[]): boolean {
  return one.length === other.length && JSON.stringify(one) === JSON.stringify(other)
}
