// Imports a start in the middle of a chain: follows blocks until later ones confirm it, advances it to the last indexed
// block, and stores it. Writes nothing when the start is wrong. Also exports a start from a database.
import { DecodeError, HeadwaterError, UserError } from '../../core/errors.ts'
import type { LegacyStart, LegacyStartJson } from '../../core/finality/legacy/start.ts'
import type { FinalityStart, StartJson } from '../../core/finality/start.ts'
import type { BlockSource } from '../source/source.ts'
import { type ConnectionOptions, onConnection } from '../store/connection.ts'
import type { Position } from '../store/position.ts'
import { ChainWriter } from '../store/writer.ts'
import { legacyStart } from './legacy-start.ts'
import { savannaStart } from './savanna-start.ts'
import { LAST_IRREVERSIBLE, SESSION } from './sql.ts'
import type { AnyStart } from './start-file.ts'
import type { StartKind } from './start-kind.ts'

export interface ImportOptions<Start extends AnyStart = AnyStart> {
  chain: string
  databaseUrl: string
  chainId: string | null
  source: BlockSource
  start: Start
  signal: AbortSignal
}

/**
 * @returns the start as stored
 * @throws RetryableError WRITER_FENCED while the chain is being indexed; UserError FINALITY_FOLLOWED,
 *   FINALITY_START_UNCONFIRMED; DecodeError FINALITY_MISMATCH, CERTIFICATE_INVALID when the start or the node is wrong
 */
export function importStart(options: ImportOptions): Promise<AnyStart> {
  const { start } = options
  return isLegacy(start)
    ? importOf(legacyStart, { ...options, start })
    : importOf(savannaStart, { ...options, start: start as FinalityStart })
}

/** Blocks after a snapshot within which its start must be confirmed. */
const SNAPSHOT_BLOCKS = 1000

/**
 * Stores the start of a snapshot with which an empty chain begins, once the blocks after it have confirmed it.
 *
 * @returns why there is no start: the nodes have no finality data, or no certificate came within 1,000 blocks; null when
 *   it is stored
 * @throws RetryableError; DecodeError FINALITY_MISMATCH, CERTIFICATE_INVALID when the snapshot or the node is wrong
 */
export async function importSnapshotStart(options: Omit<ImportOptions, 'chainId'>): Promise<string | null> {
  const { chain, databaseUrl, start } = options
  const confirmed = isLegacy(start)
    ? confirmOf(legacyStart, { ...options, start }, null, SNAPSHOT_BLOCKS)
    : confirmOf(savannaStart, { ...options, start: start as FinalityStart }, null, SNAPSHOT_BLOCKS)
  try {
    await confirmed
  } catch (error) {
    if (!(error instanceof HeadwaterError) || !UNCONFIRMED.has(error.code)) throw error
    return error.message
  }
  await onConnection(session(databaseUrl, chain), (client) =>
    isLegacy(start) ? legacyStart.keep(client, chain, start) : savannaStart.keep(client, chain, start as FinalityStart),
  )
  return null
}

/** Codes of a start that the blocks after it neither contradict nor confirm. */
const UNCONFIRMED = new Set(['FINALITY_START_UNCONFIRMED', 'FINALITY_MISSING'])

/** Whether a start is of a chain before Savanna. */
export const isLegacy = (start: AnyStart): start is LegacyStart => 'schedules' in start

async function importOf<Start extends AnyStart>(kind: StartKind<Start>, options: ImportOptions<Start>): Promise<Start> {
  const { chain, databaseUrl, chainId } = options
  const writer = await ChainWriter.open({ chain, databaseUrl, chainId })
  try {
    return await onConnection(session(databaseUrl, chain), async (client) => {
      const { position } = writer
      if (position && (await kind.isFollowed(client, chain, position))) throw followed(chain, position.num)
      const confirmed = await confirmOf(kind, options, position)
      await kind.keep(client, chain, confirmed)
      return confirmed
    })
  } finally {
    await writer.close()
  }
}

/** Follows the blocks after a start. @throws as `confirm`; DecodeError with the start's block */
async function confirmOf<Start extends AnyStart>(
  kind: StartKind<Start>,
  options: Omit<ImportOptions<Start>, 'chainId'>,
  position: Position | null,
  limit?: number,
): Promise<Start> {
  const { chain, start } = options
  try {
    return await confirm(kind, options, position, limit)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const place = { ...error.place, chain }
    throw new DecodeError(error.code, `the start at block ${start.lineage.blockNum} is refused: ${error.message}`, {
      ...{ hint: error.hint, place, cause: error },
    })
  }
}

/**
 * Follows the blocks after a start until it is confirmed and the last indexed block is reached.
 *
 * @param limit  number of blocks to read at most
 */
async function confirm<Start extends AnyStart>(
  kind: StartKind<Start>,
  { chain, source, start, signal }: Omit<ImportOptions<Start>, 'chainId'>,
  position: Position | null,
  limit?: number,
): Promise<Start> {
  const { blockNum } = start.lineage
  const target = Math.max(blockNum, position?.num ?? 0)
  const walk = kind.walk(chain, start)
  let kept = target === blockNum ? start : null
  const to = limit === undefined ? undefined : blockNum + limit
  for await (const block of source.blocks({ from: blockNum + 1, have: [], to }, signal)) {
    if (block.num <= (walk.last ?? 0)) {
      walk.rewind(block.num)
      if (block.num <= target && target > blockNum) kept = null
    }
    if (!walk.follow(block)) break
    if (block.num === target) {
      if (position?.num === target && position.id !== block.id) throw otherBranch(target, position.id)
      kept = walk.asStart
    }
    if (kept && walk.isConfirmed) return kept
  }
  throw new UserError(
    'FINALITY_START_UNCONFIRMED',
    `${chain}: no ${kind.confirmation} after block ${blockNum} was received`,
    {
      hint: 'read from a node that has the blocks after the start, and finality data of those under Savanna',
      place: { chain, block: blockNum },
    },
  )
}

function otherBranch(num: number, id: string): DecodeError {
  return new DecodeError('FINALITY_MISMATCH', `block ${num} (${id}) is of another branch`, {
    hint: 'take a start at an irreversible block; when the indexed block is orphaned, index on and import again',
    place: { block: num },
  })
}

function followed(chain: string, block: number): UserError {
  return new UserError('FINALITY_FOLLOWED', `${chain}: block ${block} is followed already, no start is needed`, {
    hint: `\`headwater rewind --force\` removes ${chain}, if it is to begin with another start`,
    place: { chain, block },
  })
}

/** The last irreversible block, as a start for another database. */
export interface ExportedStart {
  blockNum: number
  json: StartJson | LegacyStartJson
}

/** @throws UserError FINALITY_NOT_FOLLOWED, SCHEDULE_MISSING */
export function exportStart(databaseUrl: string, chain: string): Promise<ExportedStart> {
  return onConnection(session(databaseUrl, chain), async (client) => {
    const { rows } = await client.query<{ lib: string }>(LAST_IRREVERSIBLE, [chain])
    const blockNum = Number(rows[0]?.lib ?? 0)
    for (const kind of [legacyStart, savannaStart]) {
      const json = await kind.exported(client, chain, blockNum)
      if (json) return { blockNum, json }
    }
    throw new UserError('FINALITY_NOT_FOLLOWED', `${chain}: finality is not followed at block ${blockNum}`, {
      hint: 'export from a database in which it is; see docs/bridge/proofs.md',
      place: { chain },
    })
  })
}

const session = (databaseUrl: string, chain: string): ConnectionOptions => {
  return { databaseUrl, name: 'finality', chain, session: SESSION }
}
