// Prices of the last day for small charts, hour by hour: few requests at a time, each market once.
import { useEffect, useState } from 'preact/hooks'
import { keyOf, type MarketRow } from '../core/market-rows.ts'
import { ask } from './answers.ts'

const MAX_AT_ONCE = 3
const HOURS = 24
const HOUR_MS = 3_600_000
/** Rows that scroll past quickly are not asked for. */
const PAUSE_MS = 250

/** By market, with the hour in which they were read. */
const known = new Map<string, { hour: number; values: readonly number[] }>()
const waiting: (() => Promise<void>)[] = []
let running = 0

function next(): void {
  while (running < MAX_AT_ONCE) {
    const work = waiting.shift()
    if (work === undefined) return
    running++
    void work().finally(() => {
      running--
      next()
    })
  }
}

async function read(row: MarketRow): Promise<readonly number[]> {
  if (row.kind === 'pool') {
    const path = `/api/v2/swap/pools/${row.id}/candles?resolution=60&limit=${HOURS}`
    const candles = await ask<{ close: string }[]>(row.chain, path)
    return candles.map(({ close }) => Number(close))
  }
  const ticker = `${row.base.id}_${row.quote.id}`
  const candles = await ask<{ close: number }[]>(
    row.chain,
    `/api/v2/tickers/${ticker}/charts?resolution=60&limit=${HOURS}&from=0`,
  )
  return candles.map(({ close }) => close)
}

/** Closing prices of the last hours; empty until they are there. */
export function useSpark(row: MarketRow): readonly number[] {
  const key = keyOf(row)
  const [values, setValues] = useState<readonly number[]>(known.get(key)?.values ?? [])
  const hour = Math.floor(Date.now() / HOUR_MS)
  useEffect(() => {
    const old = known.get(key)
    setValues(old?.values ?? [])
    if (old?.hour === hour) return
    let isHere = true
    const timer = setTimeout(() => {
      waiting.push(async () => {
        if (!isHere) return
        const prices = await read(row).catch(() => null)
        if (prices === null) return
        known.set(key, { hour, values: prices })
        if (isHere) setValues(prices)
      })
      next()
    }, PAUSE_MS)
    return () => {
      isHere = false
      clearTimeout(timer)
    }
  }, [key, hour])
  return values
}
