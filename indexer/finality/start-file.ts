// Reads a start from a file: a node's snapshot, a node's answer, or the export of another database.
import { readFile } from 'node:fs/promises'
import { Reader } from '../../core/antelope/reader.ts'
import { UserError } from '../../core/errors.ts'
import { isLegacyStart, type LegacyStart, legacyStartFromJson } from '../../core/finality/legacy/start.ts'
import { readSnapshotStart } from '../../core/finality/snapshot.ts'
import { type FinalityStart, startFromJson } from '../../core/finality/start.ts'
import { isSnapshot, readSection } from './snapshot-file.ts'

const HEADER = 'eosio::chain::chain_snapshot_header'
const STATE = 'eosio::chain::block_state'

/** Under Savanna or before it. */
export type AnyStart = FinalityStart | LegacyStart

/**
 * Reads a start, under Savanna or before it, from a snapshot or JSON file.
 *
 * @throws UserError INVALID_SNAPSHOT, INVALID_FINALITY_START; DecodeError
 */
export async function readStartFile(path: string): Promise<AnyStart> {
  if (await isSnapshot(path)) {
    const version = new Reader(await readSection(path, HEADER)).u32()
    return readSnapshotStart(await readSection(path, STATE), version)
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
