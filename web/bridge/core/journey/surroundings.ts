// Dependencies of a transfer: the bridge, the chains' nodes, the clock. Tests inject their own.
import type { ChainApi } from '../antelope/chain-api.ts'
import type { BridgeApi } from '../bridge-api.ts'
import type { Routes } from '../routes.ts'
import type { Pace } from './machine.ts'
import type { Places } from './view.ts'

export interface Surroundings {
  api: BridgeApi
  /** Fetches the current routes and limits. */
  fresh(): Promise<Routes>
  /** The routes fetched last. */
  routes(): Routes
  /** Null where none is configured. */
  node(chain: string): ChainApi | null
  places: Places
  pace: Pace
  clock: Clock
}

export interface Clock {
  now(): number
  /** Runs the work later, but not while the page is hidden. @returns cancels it */
  later(ms: number, work: () => void): () => void
}

interface Page {
  visibilityState?: string
  addEventListener(type: 'visibilitychange', listener: () => void): void
  removeEventListener(type: 'visibilitychange', listener: () => void): void
}

/** The clock of a page. Work that falls due while the page is hidden runs when it is shown again. */
export function pageClock(page: Page | undefined = (globalThis as { document?: Page }).document): Clock {
  return {
    now: () => Date.now(),
    later(ms, work) {
      let show: (() => void) | null = null
      const forget = () => {
        if (show) page?.removeEventListener('visibilitychange', show)
        show = null
      }
      const timer = setTimeout(() => {
        if (page?.visibilityState !== 'hidden') return work()
        show = () => {
          if (page.visibilityState === 'hidden') return
          forget()
          work()
        }
        page.addEventListener('visibilitychange', show)
      }, ms)
      return () => {
        clearTimeout(timer)
        forget()
      }
    },
  }
}
