// All markets of chains, loaded page by page and refreshed while the page is visible.
import { useEffect, useState } from 'preact/hooks'
import { keyOf, type MarketRow, pairRow, poolRow } from '../core/market-rows.ts'
import { ask } from './answers.ts'
import type { Get } from './types.ts'

const PAGE = 500
const REFRESH_MS = 10_000
const RETRY_MS = 2000

export interface MarketList {
  rows: readonly MarketRow[]
  /** Whether every page has come once. */
  isComplete: boolean
  /** Of the last request; empty when it succeeded. */
  error: string
}

interface Page<T> {
  items: readonly T[]
  total: number
}

/** @param take  receives the items of each page */
async function everyPage<T>(ask: (page: number) => Promise<Page<T>>, take: (items: readonly T[]) => void) {
  for (let page = 1, seen = 0; ; page++) {
    const { items, total } = await ask(page)
    take(items)
    seen += items.length
    if (items.length === 0 || seen >= total) return
  }
}

/** @param take  receives all rows read so far, after each page */
async function readChain(chain: string, signal: AbortSignal, take: (rows: MarketRow[]) => void): Promise<void> {
  const rows: MarketRow[] = []
  const common = `limit=${PAGE}&window=24h&hide_scam=true`
  const add = (more: MarketRow[]) => {
    rows.push(...more)
    take([...rows])
  }
  await Promise.all([
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
}

export function useMarketList(chains: readonly string[]): MarketList {
  const [list, setList] = useState<MarketList>({ rows: [], isComplete: false, error: '' })
  const key = chains.join()
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isFirst = true
    const byChain = new Map<string, MarketRow[]>()
    // Pages are by rank: a market that rises between two requests comes on both.
    const all = () => [
      ...new Map(chains.flatMap((chain) => byChain.get(chain) ?? []).map((row) => [keyOf(row), row])).values(),
    ]
    const load = async () => {
      try {
        if (isFirst || !document.hidden)
          await Promise.all(
            chains.map(async (chain) => {
              let last: MarketRow[] = []
              await readChain(chain, stop.signal, (rows) => {
                last = rows
                // Rows show as they come the first time; later the list changes at once.
                if (!isFirst) return
                byChain.set(chain, rows)
                setList({ rows: all(), isComplete: false, error: '' })
              })
              byChain.set(chain, last)
            }),
          )
        isFirst = false
        setList((old) => (same(old.rows, all()) && old.isComplete ? old : { rows: all(), isComplete: true, error: '' }))
        timer = setTimeout(load, REFRESH_MS)
      } catch (error) {
        if (stop.signal.aborted) return
        setList((old) => ({ ...old, error: (error as Error).message }))
        timer = setTimeout(load, RETRY_MS)
      }
    }
    setList({ rows: [], isComplete: false, error: '' })
    void load()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [key])
  return list
}

function same(one: readonly MarketRow[], other: readonly MarketRow[]): boolean {
  return one.length === other.length && JSON.stringify(one) === JSON.stringify(other)
}
