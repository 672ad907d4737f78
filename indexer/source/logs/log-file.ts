// What a file of a state-history log and a file of the block log have in common for their readers.
import type { RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import type { LengthField, PayloadEncoding } from '../../../core/antelope/logs/payload.ts'
import type { BlockRange } from '../ranges.ts'
import type { DeltaParts } from '../source.ts'
import type { LogPlace } from './faults.ts'

/** An entry of a log: one block's content. */
export interface LogEntry {
  num: number
  /** 64 hex digits. */
  id: string
  /** Content of a state-history entry, inflated; a packed `signed_block` of the block log. */
  content: Uint8Array
  /** Deltas that are too large for memory; the content is then an empty list. */
  parts?: DeltaParts
  file: string
  /** Offset of the entry, and its bytes with header and suffix. */
  offset: number
  bytes: number
  /** How the payload was encoded; null in the block log. */
  encoding: PayloadEncoding | null
  lengthField: LengthField | null
}

/** A log file with its index. */
export interface LogFile {
  readonly path: string
  /** Size when it was opened, bytes. */
  readonly size: number
  /** Blocks that can be read, both inclusive; null when there is none. */
  readonly range: BlockRange | null
  /** First block of the index; below the range in a pruned file. */
  readonly first: number
  readonly isPruned: boolean
  /** Whether the index was missing or unusable and has been computed from the log. */
  readonly isIndexComputed: boolean
  /** The last entry, when the file ends within it; the range ends before it. */
  readonly torn: LogPlace | null
  /** Sentences about oddities that do not prevent reading. */
  readonly warnings: readonly string[]
  /**
   * Reads a block of the range.
   *
   * @throws RetryableError LOG_CHANGED, LOG_CLEARED; UserError LOG_DAMAGED, LOG_VERSION, LOG_CONTENT_SIZE
   */
  read(num: number): Promise<LogEntry>
  /** As `read`; deltas of any size, of which only the wanted rows are kept when they are large. */
  readDeltas?(num: number, filter: RowFilter): Promise<LogEntry>
  /** What is wrong with the entry's suffix, which readers do not need; null when nothing is. */
  suffixFault(entry: LogEntry): Promise<string | null>
  close(): Promise<void>
}
