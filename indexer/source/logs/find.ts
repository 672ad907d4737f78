// Finds the files of a node's logs in folders: the head files, and the partitions that nodes rename and move away
// (`NAME-FIRST-LAST.log`).
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UserError } from '../../../core/errors.ts'
import type { BlockRange } from '../ranges.ts'
import { isDenied, unreadable } from './faults.ts'

/** File names of a node's logs, without extension. */
export const LOG_NAMES = ['trace_history', 'chain_state_history', 'finality_data_history', 'blocks'] as const
export type LogName = (typeof LOG_NAMES)[number]

export interface FoundFile {
  path: string
  /** Block range of a partition, from its name; null for a head file. */
  named: BlockRange | null
}

export type FoundLogs = Readonly<Record<LogName, readonly FoundFile[]>>

/** Depth of folders that are searched: `DATA/state-history/retained/`. */
const MAX_DEPTH = 3
/** A folder of file systems, for the administrator only: it has no logs. */
const LOST_AND_FOUND = 'lost+found'
const FILE = new RegExp(`^(${LOG_NAMES.join('|')})(?:-(\\d+)-(\\d+))?\\.log$`)

/**
 * The log files in the folders and in their subfolders, three levels deep. Partitions are in the order of their blocks.
 *
 * @throws UserError NO_LOGS when a folder is not there or has no log, LOG_UNREADABLE
 */
export async function findLogs(folders: readonly string[]): Promise<FoundLogs> {
  const found: Record<LogName, FoundFile[]> = {
    trace_history: [],
    chain_state_history: [],
    finality_data_history: [],
    blocks: [],
  }
  for (const folder of folders) {
    const before = LOG_NAMES.reduce((sum, name) => sum + found[name].length, 0)
    await search(folder, found, MAX_DEPTH)
    if (LOG_NAMES.every((name) => found[name].length === 0) || before === count(found))
      throw noLogs(folder, 'it has none')
  }
  for (const files of Object.values(found)) files.sort(byFirst)
  return found
}

const count = (found: FoundLogs): number => LOG_NAMES.reduce((sum, name) => sum + found[name].length, 0)
/** Head files come last: their blocks follow those of the partitions. */
const firstOf = ({ named }: FoundFile): number => named?.from ?? Number.MAX_SAFE_INTEGER
const byFirst = (a: FoundFile, b: FoundFile): number => firstOf(a) - firstOf(b)

async function search(folder: string, found: Record<LogName, FoundFile[]>, depth: number): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    if (isDenied(error) && basename(folder) !== LOST_AND_FOUND) throw unreadable(folder)
    // The folder may have been removed. If its blocks are needed, their absence is an error later.
    if (depth < MAX_DEPTH) return []
    throw noLogs(folder, error.message)
  })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    const [, name, from, to] = FILE.exec(entry.name) ?? []
    if (name !== undefined && !entry.isDirectory()) {
      const named = from === undefined ? null : { from: Number(from), to: Number(to) }
      if (!found[name as LogName].some((file) => file.path === path)) found[name as LogName].push({ path, named })
    } else if ((entry.isDirectory() || entry.isSymbolicLink()) && depth > 0) await search(path, found, depth - 1)
  }
}

function noLogs(folder: string, why: string): UserError {
  return new UserError('NO_LOGS', `no log of a node can be read in ${folder}: ${why}`, {
    hint: 'give the data folder of nodeos, or its state-history and blocks folders',
    place: { file: folder },
  })
}
