// Divides the final blocks of a chain into steps. All datasets of a chain are written in the same steps, one after the
// other. Times are UTC.

/** Times of the final blocks of a chain. An EVM chain has only the blocks with events. */
export interface BlockTimes {
  /** First block from a number on; null when there is none. */
  firstFrom(block: number): Promise<{ num: number; time: Date } | null>
  /** Number of the first block from block `from` on whose time is at or after `time`; null when there is none. */
  firstSince(time: Date, from: number): Promise<number | null>
  /** Time of the newest block up to a number. */
  lastTime(block: number): Promise<Date | null>
}

/** Blocks of one day. Both ends are inclusive. */
export interface Step {
  fromBlock: number
  toBlock: number
  /** `2026-03-09` */
  date: string
  /** Hours of the day from the first to before the second: `13-14`, `00-24`. */
  hours: string
  /** Whether more blocks of these hours will become final. */
  isOpen: boolean
}

const HOUR_MS = 3_600_000
const HOURS = 24

/**
 * The next hours. Whole days, and several hours that are complete, are one step; the hour that is not complete is a step
 * of its own, which is repeated until it is complete.
 *
 * @param next      first block that no complete step has
 * @param last      last final block
 * @param planned   the step that was begun: its hours are kept
 * @param withOpen  whether to return the hour that is not complete
 */
export async function nextHours(
  blocks: BlockTimes,
  { next, last, planned, withOpen }: { next: number; last: number; planned: Step | null; withOpen: boolean },
): Promise<Step | null> {
  const first = await blocks.firstFrom(next)
  if (first === null || first.num > last) return null
  const date = planned?.date ?? dateOf(first.time)
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const [start, end] = planned === null ? await hoursFrom(blocks, first.time, midnight, last) : bounds(planned)
  const after = await blocks.firstSince(new Date(midnight + end * HOUR_MS), next)
  const isOpen = after === null || after > last
  if (isOpen && !withOpen) return null
  const hours = [start, end].map((hour) => String(hour).padStart(2, '0')).join('-')
  return { fromBlock: next, toBlock: isOpen ? last : after - 1, date, hours, isOpen }
}

/** The next blocks, up to the end of their day. A planned step is returned as it is. */
export async function nextBlocks(
  blocks: BlockTimes,
  { next, last, planned }: { next: number; last: number; planned: Step | null },
): Promise<Step | null> {
  if (planned !== null) return planned
  const first = await blocks.firstFrom(next)
  if (first === null || first.num > last) return null
  const date = dateOf(first.time)
  const after = await blocks.firstSince(new Date(Date.parse(`${date}T00:00:00Z`) + HOURS * HOUR_MS), next)
  return { fromBlock: next, toBlock: Math.min(last, (after ?? last + 1) - 1), date, hours: '00-24', isOpen: false }
}

async function hoursFrom(
  blocks: BlockTimes,
  first: Date,
  midnight: number,
  last: number,
): Promise<[start: number, end: number]> {
  const start = first.getUTCHours()
  const newest = (await blocks.lastTime(last)) ?? first
  const passed = Math.floor((newest.getTime() - midnight) / HOUR_MS)
  return [start, Math.min(HOURS, Math.max(passed, start + 1))]
}

function bounds({ hours }: Step): [start: number, end: number] {
  const [start = 0, end = 0] = hours.split('-').map(Number)
  return [start, end]
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
