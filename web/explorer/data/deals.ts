// The newest price of each order-book market, from the stream of facts: one connection of a chain for all rows of a table.
import { useEffect, useState } from 'preact/hooks'
import { follow } from './fact-stream.ts'

interface Shared {
  /** Called with the price of a trade; with null when a fork may have removed it. */
  listeners: Map<number, Set<(price: number | null) => void>>
  stop(): void
}

/** Time without rows after which the connection ends, milliseconds: rows leave and return as the table scrolls and sorts. */
const LINGER_MS = 5000

const shared = new Map<string | null, Shared>()

function open(chain: string | null): Shared {
  const listeners: Shared['listeners'] = new Map()
  const tell = (market: number, price: number | null) => {
    for (const listener of listeners.get(market) ?? []) listener(price)
  }
  const stop = follow(chain, 'datasets=deals', {
    onLive() {},
    onStart() {},
    onMessage(message) {
      if (message.type === 'undo') for (const market of listeners.keys()) tell(market, null)
      if (message.type !== 'block') return
      for (const { row } of message.facts) tell(Number(row.market_id), Number(row.price))
    },
  })
  return { listeners, stop }
}

/** Price of the newest trade since the page is open; null before the first. @param market  null: none is followed */
export function useDealPrice(chain: string, market: number | null): number | null {
  const [price, setPrice] = useState<number | null>(null)
  useEffect(() => {
    setPrice(null)
    if (market === null) return
    const one = shared.get(chain) ?? open(chain)
    shared.set(chain, one)
    const all = one.listeners.get(market) ?? new Set()
    one.listeners.set(market, all.add(setPrice))
    return () => {
      all.delete(setPrice)
      if (all.size > 0) return
      one.listeners.delete(market)
      setTimeout(() => {
        if (one.listeners.size > 0 || shared.get(chain) !== one) return
        one.stop()
        shared.delete(chain)
      }, LINGER_MS)
    }
  }, [chain, market])
  return price
}
