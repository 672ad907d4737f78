// Imports a start of a chain before Savanna: reads on from it to the next block, whose producer has to have signed it, and
// up to the last indexed block, and keeps it. Writes nothing when it proves false. And the way back: what a database knows.
import pg from 'pg'
import { type ProducerSchedule, readSchedule } from '../../core/antelope/legacy/schedule.ts'
import { UserError } from '../../core/errors.ts'
import { type LegacyStart, type LegacyStartJson, legacyStartToJson } from '../../core/finality/legacy-start.ts'
import type { BlockSource } from '../source/source.ts'
import { ChainWriter } from '../store/writer.ts'
import { LegacyFollower } from './legacy-follower.ts'
import { keepLegacyStart, readIdTree, readLegacyLineages, readLegacyStart } from './legacy-stored.ts'
import { LAST_IRREVERSIBLE, LEGACY_SCHEDULES, SESSION } from './sql.ts'

type Queryable = Pick<pg.ClientBase, 'query'>

export interface LegacyImportOptions {
  chain: string
  databaseUrl: string
  chainId: string | null
  source: BlockSource
  start: LegacyStart
  signal: AbortSignal
}

/**
 * @returns the start as it is kept
 * @throws RetryableError WRITER_FENCED while the chain is being indexed; UserError FINALITY_FOLLOWED,
 *   FINALITY_START_UNCONFIRMED; DecodeError FINALITY_MISMATCH when the start or the node is wrong
 */
export async function importLegacyStart(options: LegacyImportOptions): Promise<LegacyStart> {
  const { chain, databaseUrl, chainId } = options
  const writer = await ChainWriter.open({ chain, databaseUrl, chainId })
  const client = new pg.Client({ connectionString: databaseUrl, application_name: `headwater finality ${chain}` })
  try {
    await client.connect()
    await client.query(SESSION)
    const { position } = writer
    if (position) {
      const sofar = await readLegacyLineages(client, chain, await readLegacyStart(client, chain), position)
      if (sofar.length > 0) throw followed(chain, position.num)
    }
    const confirmed = await confirm(options, position)
    await keepLegacyStart(client, chain, confirmed)
    return confirmed
  } finally {
    await client.end().catch(() => {})
    await writer.close()
  }
}

/** Follows the blocks behind a start: the first has to confirm it, and the last indexed one becomes the start. */
async function confirm(
  { chain, source, start, signal }: LegacyImportOptions,
  position: { num: number; id: string } | null,
): Promise<LegacyStart> {
  const { blockNum } = start.lineage
  const target = Math.max(blockNum, position?.num ?? 0)
  const follower = new LegacyFollower({ chain, bridge: '', start })
  const schedules = [...start.schedules]
  for await (const block of source.blocks({ from: blockNum + 1, have: [] }, signal)) {
    if (block.num <= (follower.last?.blockNum ?? 0)) follower.rewind(block.num)
    for (const { table, row } of follower.follow(block, false))
      if (table === 'producer_schedules') schedules.push(readSchedule((row as { schedule: Uint8Array }).schedule))
    const { last } = follower
    if (!last) break // under Savanna
    if (target === blockNum) return start
    if (last.blockNum !== target) continue
    if (position?.id === block.id) return { lineage: last, schedules: inForce(schedules, last.scheduleVersion) }
    throw new UserError(
      'FINALITY_START_UNCONFIRMED',
      `${chain}: block ${target} (${position?.id}) is of another branch`,
      {
        hint: 'index on until it is replaced, and import again',
        place: { chain, block: target },
      },
    )
  }
  throw new UserError(
    'FINALITY_START_UNCONFIRMED',
    `${chain}: no block behind ${blockNum} has come from before Savanna`,
    {
      hint: 'read from a node that has the blocks behind the start',
      place: { chain, block: blockNum },
    },
  )
}

/** The schedule of a version, and those that wait behind it. */
function inForce(schedules: readonly ProducerSchedule[], version: number): ProducerSchedule[] {
  return schedules.filter((schedule) => schedule.version >= version)
}

/**
 * The last irreversible block that is followed, for another database; null when that is none before Savanna.
 *
 * @throws UserError SCHEDULE_MISSING
 */
export async function exportLegacyStart(databaseUrl: string, chain: string): Promise<LegacyStartJson | null> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: `headwater finality ${chain}` })
  try {
    await client.connect()
    await client.query(SESSION)
    return await readExport(client, chain)
  } finally {
    await client.end().catch(() => {})
  }
}

async function readExport(client: Queryable, chain: string): Promise<LegacyStartJson | null> {
  const { rows } = await client.query<{ lib: string }>(LAST_IRREVERSIBLE, [chain])
  const num = Number(rows[0]?.lib ?? 0)
  const start = await readLegacyStart(client, chain)
  const [lineage] = await readLegacyLineages(client, chain, start, { num, lib: num })
  if (!lineage) return null
  const brought = await client.query<{ schedule: Uint8Array }>(LEGACY_SCHEDULES, [chain, num])
  const all = [...(start?.schedules ?? []), ...brought.rows.map(({ schedule }) => readSchedule(schedule))]
  const version = lineage.scheduleVersion
  const schedules = inForce(all, version)
  if (schedules[0]?.version !== version)
    throw new UserError('SCHEDULE_MISSING', `${chain}: schedule ${version} came before the blocks that are known`, {
      hint: 'export again when the next schedule is in force',
      place: { chain, block: num },
    })
  return legacyStartToJson({ lineage, schedules }, await readIdTree(client, chain, start, num - 1))
}

function followed(chain: string, block: number): UserError {
  return new UserError('FINALITY_FOLLOWED', `${chain}: block ${block} is followed already, no start is needed`, {
    hint: `\`headwater rewind --force\` removes ${chain}, if it is to begin with another start`,
    place: { chain, block },
  })
}
