// Retry times of refused tasks: after ten minutes, doubling up to twelve hours.

import type { Task } from './agenda.ts'

const FIRST_WAIT_MS = 600_000
const MAX_WAIT_MS = 12 * 3_600_000

/** @returns Unix milliseconds */
export function retryAt(now: number, { tries = 0 }: Pick<Task, 'tries'>): number {
  return now + Math.min(FIRST_WAIT_MS * 2 ** tries, MAX_WAIT_MS)
}
