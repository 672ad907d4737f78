// Common interface of files of state-history logs and of the block log.
import type { RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import type { LengthField, PayloadEncoding } from '../../../core/antelope/logs/payload.ts'
import type { BlockRange } from '../ranges.ts'
import type { DeltaParts } from '../source.ts'
import type { LogPlace } from './faults.ts'

/** A log's entry: the content of one block. */
export interface LogEntry {
  num: number
  /** 64 hex digits. */
  id: string
  /** Content of a state-history entry, inflated; a packed `signed_block` of the block log. */
  content: Uint8Array
  /** Deltas that are too large for memory; the content is then an empty list. */
  parts?: DeltaParts
  file: string
  /** Offset of the entry, and its size with header and suffix, bytes. */
  offset: number
  bytes: number
  /** Encoding of the payload; null in the block log. */
  encoding: PayloadEncoding | null
  lengthField: LengthField | null
}

/** A log file with its index. */
export interface LogFile {
  readonly path: string
  /** Size at opening, bytes. */
  readonly size: number
  /** Range of readable blocks, inclusive; null if there are none. */
  readonly range: BlockRange | null
  /** First block of the index; below the range in a pruned file. */
  readonly first: number
  readonly isPruned: boolean
  /** Whether the positions were computed from the log, because the index was missing or unusable. */
  readonly isIndexComputed: boolean
  /** The last entry, if the file ends within it. Then the range ends before it. */
  readonly torn: LogPlace | null
  /** Messages about irregularities that do not prevent reading. */
  readonly warnings: readonly string[]
  /**
   * Reads a block of the range.
   *
   * @throws RetryableError LOG_CHANGED, LOG_CLEARED; UserError LOG_DAMAGED, LOG_VERSION, LOG_CONTENT_SIZE
   */
  read(num: number): Promise<LogEntry>
  /** As `read`; deltas of any size, of which only the wanted rows are kept if they are large. */
  readDeltas?(num: number, filter: RowFilter): Promise<LogEntry>
  /** Error of the entry's suffix, which readers do not need; null if it is correct. */
  suffixFault(entry: LogEntry): Promise<string | null>
  close(): Promise<void>
}
