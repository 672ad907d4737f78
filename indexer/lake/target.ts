// Where the lake is written: files of a store, or tables of ClickHouse.
import type { View } from '../export/view.ts'
import type { BlockTimes, Step } from './steps.ts'

/** A view of `final`. */
export interface Dataset {
  /** Name without schema: `swaps`. */
  name: string
  view: View
}

/** How far a chain is written. Saved before and after each step. */
export interface LakePosition {
  version: 1
  chain: string
  /** First block of the chain in the lake. */
  firstBlock: number
  /** First block that no complete step has. */
  nextBlock: number
  /** The step that was begun; it may be written in part. Null between complete steps. */
  planned: Step | null
  /** Last block up to which all datasets are there; null at the beginning. */
  completeTo: number | null
  /** Its id; null when the database does not keep it. */
  lastBlockId: string | null
  /** Name and type of the columns of each dataset. */
  datasets: Record<string, string[]>
}

/** A Parquet file with the rows of a dataset in the blocks of a step. */
export interface LakeFile {
  dataset: string
  /** Where this process has written it. Removed after the call. */
  path: string
  rows: number
  bytes: number
  sha256: string
}

export interface LakeTarget {
  /** For messages, without passwords. */
  readonly address: string
  /** Columns that are not in the files. */
  readonly omitted: readonly string[]
  /** Column by which rows of a dataset are ordered first; in the order of the chain when it has none. */
  readonly clusters: Readonly<Record<string, string>>
  /** The step to write next. */
  next(blocks: BlockTimes, at: { next: number; last: number; planned: Step | null }): Promise<Step | null>
  /** @throws UserError LAKE_CONFLICT when there are rows without a position */
  position(chain: string, datasets: readonly Dataset[]): Promise<LakePosition | null>
  /** @throws UserError LAKE_WRITTEN_TWICE when another process has saved a position since */
  save(position: LakePosition): Promise<void>
  /** Writes a file with at least one row. Writing it again changes nothing. */
  write(chain: string, step: Step, file: LakeFile): Promise<void>
  /** Called when all files of a step are written. */
  end(chain: string, step: Step): Promise<void>
  /** Replaces the copy of a view whose rows change, in one step. The file has all columns. */
  replace(view: Dataset, file: LakeFile): Promise<void>
}
