// What a transfer needs from around it: the bridge, the chains' nodes, time. Tests give their own.
import type { ChainApi } from '../antelope/chain-api.ts'
import type { BridgeApi } from '../bridge-api.ts'
import type { Routes } from '../routes.ts'
import type { Pace } from './machine.ts'
import type { Places } from './view.ts'

export interface Surroundings {
  api: BridgeApi
  /** Routes and limits as they are now. */
  fresh(): Promise<Routes>
  /** The last reading. */
  routes(): Routes
  /** Null where none is configured. */
  node(chain: string): ChainApi | null
  places: Places
  pace: Pace
  clock: Clock
}

export interface Clock {
  now(): number
  /** Does it later, but not while nobody looks. @returns takes it back */
  later(ms: number, work: () => void): () => void
}

interface Page {
  visibilityState?: string
  addEventListener(type: 'visibilitychange', listener: () => void): void
  removeEventListener(type: 'visibilitychange', listener: () => void): void
}

/** The clock of a page: what falls due while the page is hidden is done when it is shown again. */
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
