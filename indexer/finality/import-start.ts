// Imports a start in the middle of a chain: reads on from it until finalizers have confirmed it, moves it up to the last
// indexed block, and keeps it. Writes nothing when it proves false. And the way back: what a database knows, as a start.
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { DecodeError, UserError } from '../../core/errors.ts'
import { isLegacyStart, type LegacyStart, legacyStartFromJson } from '../../core/finality/legacy-start.ts'
import { readSnapshotStart } from '../../core/finality/snapshot.ts'
import { type FinalityStart, startFromJson } from '../../core/finality/start.ts'
import type { BlockSource } from '../source/source.ts'
import type { Position } from '../store/position.ts'
import { ChainWriter } from '../store/writer.ts'
import { FinalityFollower } from './follower.ts'
import { isSnapshot, readSection } from './snapshot-file.ts'
import { LAST_IRREVERSIBLE, SESSION } from './sql.ts'
import { keepStart, readFollowed, readStart } from './stored.ts'

const SECTION = 'eosio::chain::block_state'

/**
 * A start from a snapshot or a file of JSON, under Savanna or before it.
 *
 * @throws UserError INVALID_SNAPSHOT, INVALID_FINALITY_START; DecodeError
 */
export async function readStartFile(path: string): Promise<FinalityStart | LegacyStart> {
  if (await isSnapshot(path)) return readSnapshotStart(await readSection(path, SECTION))
  try {
    const json: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isLegacyStart(json) ? legacyStartFromJson(json) : startFromJson(json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UserError('INVALID_FINALITY_START', `${path} is neither a snapshot nor JSON: ${error.message}`, {
      hint: 'take a file that `headwater finality --export` has written, or a snapshot',
    })
  }
}

export interface ImportOptions {
  chain: string
  databaseUrl: string
  chainId: string | null
  source: BlockSource
  start: FinalityStart
  signal: AbortSignal
}

/**
 * @returns the start as it is kept
 * @throws RetryableError WRITER_FENCED while the chain is being indexed; UserError FINALITY_FOLLOWED,
 *   FINALITY_START_UNCONFIRMED; DecodeError FINALITY_MISMATCH, CERTIFICATE_INVALID when the start or the node is wrong
 */
export async function importStart(options: ImportOptions): Promise<FinalityStart> {
  const { chain, databaseUrl, chainId, start } = options
  const writer = await ChainWriter.open({ chain, databaseUrl, chainId })
  const client = new pg.Client({ connectionString: databaseUrl, application_name: `headwater finality ${chain}` })
  try {
    await client.connect()
    await client.query(SESSION)
    const { position } = writer
    if (position) await refuseFollowed(client, chain, position)
    const confirmed = await confirm(options, position)
    await keepStart(client, chain, confirmed)
    return confirmed
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const place = { ...error.place, chain }
    throw new DecodeError(error.code, `the start at block ${start.lineage.blockNum} is refused: ${error.message}`, {
      ...{ hint: error.hint, place, cause: error },
    })
  } finally {
    await client.end().catch(() => {})
    await writer.close()
  }
}

async function refuseFollowed(client: pg.ClientBase, chain: string, { num, lib }: Position): Promise<void> {
  const { blocks } = await readFollowed(client, chain, await readStart(client, chain), { num, lib })
  if (blocks.length === 0) return
  throw new UserError('FINALITY_FOLLOWED', `${chain}: block ${num} is followed already, no start is needed`, {
    hint: `\`headwater rewind --force\` removes ${chain}, if it is to begin with another start`,
    place: { chain, block: num },
  })
}

/** Follows the blocks behind a start until it is confirmed, and up to the last indexed block. */
async function confirm(options: ImportOptions, position: Position | null): Promise<FinalityStart> {
  const { chain, source, start, signal } = options
  const { blockNum } = start.lineage
  const target = Math.max(blockNum, position?.num ?? 0)
  const follower = new FinalityFollower({ chain, bridge: '', start })
  let kept = target === blockNum ? start : null
  for await (const block of source.blocks({ from: blockNum + 1, have: [] }, signal)) {
    if (block.num <= (follower.last?.block.blockNum ?? 0)) {
      follower.rewind(block.num)
      if (block.num <= target && target > blockNum) kept = null
    }
    follower.follow(block, false)
    if (block.num === target) {
      if (position?.num === target && position.id !== block.id) throw otherBranch(target, position.id)
      kept = follower.asStart
    }
    if (kept && follower.isConfirmed) return kept
  }
  throw new UserError('FINALITY_START_UNCONFIRMED', `${chain}: no certificate on a block behind ${blockNum} has come`, {
    hint: 'read from a node that has the blocks behind the start, and finality data of them',
    place: { chain, block: blockNum },
  })
}

function otherBranch(num: number, id: string): DecodeError {
  return new DecodeError('FINALITY_MISMATCH', `block ${num} (${id}) is of another branch`, {
    hint: 'take a start at an irreversible block; when the indexed block is orphaned, index on and import again',
    place: { block: num },
  })
}

/** The last irreversible block that is followed, as a start for another database. @throws UserError FINALITY_NOT_FOLLOWED */
export async function exportStart(databaseUrl: string, chain: string): Promise<FinalityStart> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: `headwater finality ${chain}` })
  try {
    await client.connect()
    await client.query(SESSION)
    const { rows } = await client.query<{ lib: string }>(LAST_IRREVERSIBLE, [chain])
    const lib = Number(rows[0]?.lib ?? 0)
    const start = await readStart(client, chain)
    const followed = await readFollowed(client, chain, start, { num: lib, lib })
    const last = new FinalityFollower({ chain, bridge: '', start }, followed).asStart
    if (last) return last
    throw new UserError('FINALITY_NOT_FOLLOWED', `${chain}: finality is not followed at block ${lib}`, {
      hint: 'export from a database in which it is; see docs/proofs.md',
      place: { chain },
    })
  } finally {
    await client.end().catch(() => {})
  }
}
