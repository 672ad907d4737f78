// How much of its CPU the payer has used: asked from the chain at the start and every two minutes; while nothing is known
// yet, more often.
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { CpuLimit } from './node/account.ts'

/** As clients get it. */
export interface CpuUse {
  /** Microseconds. */
  used: number
  /** Microseconds, as text. */
  max: string
  percent: number
}

/** Milliseconds. */
export const CHECK_EVERY = 120_000
/** Milliseconds until a node that has not answered at the start is asked again. */
const FIRST_AGAIN = 5_000
/** Percent above which limits are halved. */
const THROTTLE_ABOVE = 70n

export class CpuMonitor {
  /** Null until the first check. */
  cpu: CpuUse | null = null
  /** Unix milliseconds. */
  lastCheck: number | null = null
  throttled = false
  private readonly read: () => Promise<CpuLimit>
  private readonly clock: Clock
  private readonly log: Log
  private stopTimer: () => void = () => {}

  constructor(read: () => Promise<CpuLimit>, clock: Clock, log: Log) {
    this.read = read
    this.clock = clock
    this.log = log
  }

  /** Checks at once and from then on. */
  start(): Promise<void> {
    const stopRegular = this.clock.every(CHECK_EVERY, () => void this.check())
    const stopFirst = this.clock.every(FIRST_AGAIN, () => {
      if (this.lastCheck === null) void this.check()
      else stopFirst()
    })
    this.stopTimer = () => {
      stopRegular()
      stopFirst()
    }
    return this.check()
  }

  /** One check. A node that does not answer leaves the last state as it is. */
  async check(): Promise<void> {
    try {
      const { used, max } = await this.read()
      this.cpu = { used: Number(used), max: String(max), percent: percentOf(used, max) }
      this.throttled = max === 0n || (max > 0n && used * 100n > max * THROTTLE_ABOVE)
      this.lastCheck = this.clock.now()
    } catch (error) {
      this.log.warn('the CPU of the payer cannot be read', { reason: (error as Error).message })
    }
  }

  stop(): void {
    this.stopTimer()
  }
}

/** With two digits behind the point. Of nothing, everything is used; of an endless allowance, nothing. */
function percentOf(used: bigint, max: bigint): number {
  if (max < 0n) return 0
  if (max === 0n) return 100
  return Number((used * 10_000n) / max) / 100
}
