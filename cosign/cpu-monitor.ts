// Reads the payer's CPU use from the chain at the start and every two minutes; more often until the first answer.
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { CpuLimit } from './node/account.ts'

/** As clients receive it. */
export interface CpuUse {
  /** Microseconds. */
  used: number
  /** Microseconds, as text. */
  max: string
  percent: number
}

/** Milliseconds. */
const CHECK_EVERY = 120_000
/** Interval of retries until the node has answered once, ms. */
const FIRST_RETRY_MS = 5_000
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

  /** Checks now, then at an interval. */
  start(): Promise<void> {
    const stopRegular = this.clock.every(CHECK_EVERY, () => void this.check())
    const stopFirst = this.clock.every(FIRST_RETRY_MS, () => {
      if (this.lastCheck === null) void this.check()
      else stopFirst()
    })
    this.stopTimer = () => {
      stopRegular()
      stopFirst()
    }
    return this.check()
  }

  /** Runs one check. If the node does not answer, the last state remains. */
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

/** Percent with two decimals. A maximum of 0 is 100 percent used; a negative maximum (no limit) is 0 percent. */
function percentOf(used: bigint, max: bigint): number {
  if (max < 0n) return 0
  if (max === 0n) return 100
  return Number((used * 10_000n) / max) / 100
}
