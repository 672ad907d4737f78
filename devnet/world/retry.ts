// When what was refused is tried again: after ten minutes, then after twice as long each time, but twice a day at least.

import type { Task } from './agenda.ts'

const FIRST = 600_000
const LONGEST = 12 * 3_600_000

/** @returns Unix milliseconds */
export function retryAt(now: number, { tries = 0 }: Pick<Task, 'tries'>): number {
  return now + Math.min(FIRST * 2 ** tries, LONGEST)
}
