// Reads a start from a file: a node's snapshot, a node's answer, or the export of another database.
import { readFile } from 'node:fs/promises'
import { UserError } from '../../core/errors.ts'
import { isLegacyStart, type LegacyStart, legacyStartFromJson } from '../../core/finality/legacy/start.ts'
import { type FinalityStart, startFromJson } from '../../core/finality/start.ts'
import { isSnapshot } from '../source/snapshot/file.ts'
import { readSnapshotHead } from '../source/snapshot/snapshot.ts'

/** Under Savanna or before it. */
export type AnyStart = FinalityStart | LegacyStart

/**
 * Reads a start, under Savanna or before it, from a snapshot or JSON file.
 *
 * @throws UserError INVALID_FINALITY_START, SNAPSHOT_NO_START, and as `readSnapshotHead`; DecodeError
 */
export async function readStartFile(path: string): Promise<AnyStart> {
  if (isSnapshot(path)) {
    const { start, version } = await readSnapshotHead(path)
    if (start) return start
    throw new UserError('SNAPSHOT_NO_START', `${path}, version ${version}, has schedules of another form`, {
      hint: 'take a snapshot of version 3 or later, or the answer of get_block_header_state',
      place: { file: path },
    })
  }
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
