// Starts before Savanna: the tree of block ids and the producer schedules, signed by the next block's producer.

import { UserError } from '../../core/errors.ts'
import { LegacyFollower } from '../../core/finality/legacy/follower.ts'
import { type ProducerSchedule, readSchedule } from '../../core/finality/legacy/schedule.ts'
import { type LegacyStart, legacyStartToJson } from '../../core/finality/legacy/start.ts'
import {
  keepLegacyStart,
  readIdTree,
  readLegacyLineages,
  readLegacyStart,
  readSchedules,
} from '../../finality-store/legacy.ts'
import type { SourceBlock } from '../source/source.ts'
import type { StartKind, StartWalk } from './start-kind.ts'

class LegacyWalk implements StartWalk<LegacyStart> {
  readonly #follower: LegacyFollower
  /** Schedules with the block that announced them. */
  #schedules: { blockNum: number; schedule: ProducerSchedule }[]

  constructor(chain: string, start: LegacyStart) {
    this.#follower = new LegacyFollower({ chain, bridge: '', start })
    this.#schedules = start.schedules.map((schedule) => ({ blockNum: 0, schedule }))
  }

  get last(): number | null {
    return this.#follower.last?.blockNum ?? null
  }

  /** The first followed block confirms the start: the follower refuses it unless its producer signed the start. */
  get isConfirmed(): boolean {
    return this.last !== null
  }

  get asStart(): LegacyStart | null {
    const lineage = this.#follower.last
    const all = this.#schedules.map(({ schedule }) => schedule)
    return lineage && { lineage, schedules: inForce(all, lineage.scheduleVersion) }
  }

  follow(block: SourceBlock): boolean {
    for (const { table, row } of this.#follower.follow(block, false))
      if (table === 'producer_schedules') {
        const schedule = readSchedule((row as { schedule: Uint8Array }).schedule)
        this.#schedules.push({ blockNum: block.num, schedule })
      }
    return this.last === block.num // else it is under Savanna
  }

  rewind(num: number): void {
    this.#follower.rewind(num)
    this.#schedules = this.#schedules.filter(({ blockNum }) => blockNum < num)
  }
}

/** The schedule of a version, and the pending ones after it. */
function inForce(schedules: readonly ProducerSchedule[], version: number): ProducerSchedule[] {
  return schedules.filter((schedule) => schedule.version >= version)
}

export const legacyStart: StartKind<LegacyStart> = {
  confirmation: 'block from before Savanna',
  walk: (chain, start) => new LegacyWalk(chain, start),
  keep: keepLegacyStart,
  async isFollowed(client, chain, at) {
    return (await readLegacyLineages(client, chain, await readLegacyStart(client, chain), at)).length > 0
  },
  /** @throws UserError SCHEDULE_MISSING */
  async exported(client, chain, num) {
    const start = await readLegacyStart(client, chain)
    const [lineage] = await readLegacyLineages(client, chain, start, { num, lib: num })
    if (!lineage) return null
    const known = await readSchedules(client, chain, start)
    const all = known.filter(({ blockNum }) => blockNum <= num).map(({ schedule }) => schedule)
    const version = lineage.scheduleVersion
    const schedules = inForce(all, version)
    if (schedules[0]?.version !== version)
      throw new UserError('SCHEDULE_MISSING', `${chain}: schedule ${version} came before the blocks that are known`, {
        hint: 'export again when the next schedule is in force',
        place: { chain, block: num },
      })
    return legacyStartToJson({ lineage, schedules }, await readIdTree(client, chain, start, num - 1))
  },
}
