// Processes whose metrics are recorded, and faults that are made to them.
import type { Running } from '../../bin/program.ts'
import { until } from '../../support/until.ts'
import type { Target } from './scraper.ts'

export interface Place {
  targets: Target[]
  close(): Promise<void>
}

export interface Scene<P extends Place = Place> {
  name: string
  /** What is done to the processes; for a healthy scene, what runs. */
  fault: string
  open: () => Promise<P>
  /** Seconds before the fault. Default 60. */
  healthySeconds?: number
  /** Seconds from the fault on; 0 for a healthy scene. */
  faultySeconds: number
  /** Seconds after the record, as course.ts continues it. */
  moreSeconds: number
  /** Alerts that this fault has to set off; empty for a healthy scene. */
  fires: readonly string[]
  /** Other alerts that may fire as well: the fault, or the recording on a busy machine, has these effects too. */
  also?: readonly string[]
  /** Whether later records need new processes: a counter or a process does not come back. */
  leavesTraces?: boolean
  /** Makes the fault. @returns ends it */
  make: (place: P) => Promise<() => unknown>
}

/** Waits until a process answers that it is ready. */
export async function untilReady(url: string, { child, output }: Running, path = '/health/ready'): Promise<void> {
  await until(
    () => `${url}${path}: ${output.stderr.slice(-3000)}`,
    async () => {
      if (child.exitCode !== null) throw new Error(`a process ended: ${output.stderr}`)
      const answer = await fetch(url + path).catch(() => null)
      return answer?.ok === true
    },
    200,
  )
}

/** Opens a place. What was registered for its end is done in reverse order, also when it cannot be opened. */
export async function opened<P extends Place>(
  open: (atEnd: (work: () => unknown) => void) => Promise<Omit<P, 'close'>>,
): Promise<P> {
  const ends: (() => unknown)[] = []
  const close = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    // The same object: faults change its members.
    return Object.assign(await open((end) => void ends.push(end)), { close }) as P
  } catch (error) {
    await close()
    throw error
  }
}
