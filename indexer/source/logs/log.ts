// One log of several files: partitions and head files. If several files contain a block, the first one is used.

import { stat } from 'node:fs/promises'
import type { RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import { HeadwaterError } from '../../../core/errors.ts'
import { itemAt } from '../../../core/required.ts'
import type { BlockRange } from '../ranges.ts'
import { changed, gone, type LogPlace, misplaced, wrongIndex } from './faults.ts'
import type { FoundFile } from './find.ts'
import type { LogEntry, LogFile } from './log-file.ts'

/** Opens a log file; null if it no longer exists. */
export type OpenLogFile = (path: string) => Promise<LogFile | null>

type ReadEntry = (file: LogFile) => Promise<LogEntry>

export interface FileSummary {
  path: string
  bytes: number
  from: number | null
  to: number | null
  isPruned: boolean
}

interface Part extends FoundFile {
  range: BlockRange
  /** Open while it is being read. Head files stay open, to be readable after a rotation. */
  file: LogFile | null
}

export class Log {
  readonly name: string
  readonly #open: OpenLogFile
  #parts: readonly Part[] = []
  /** Incomplete last entries of head files. */
  torn: readonly LogPlace[] = []
  /** Irregularities of head files that do not prevent reading, with the file's name. */
  warnings: readonly string[] = []
  #heads: readonly FileSummary[] = []
  /** The part of the last read. */
  #current: Part | null = null
  /** Lists the files in the folders. */
  readonly #find: () => Promise<readonly FoundFile[]>

  private constructor(name: string, find: () => Promise<readonly FoundFile[]>, open: OpenLogFile) {
    this.name = name
    this.#find = find
    this.#open = open
  }

  /**
   * Opens the head files. Partitions are opened when they are read.
   *
   * @param find  lists the files, the partitions first
   * @throws UserError as the files
   */
  static async open(name: string, find: () => Promise<readonly FoundFile[]>, open: OpenLogFile): Promise<Log> {
    const log = new Log(name, find, open)
    await log.refresh()
    return log
  }

  /** Ranges of readable blocks, ascending; no two adjoin or overlap. */
  get ranges(): BlockRange[] {
    return merged(this.#parts.map(({ range }) => range))
  }

  /** First and last readable block; null if there are none. */
  get span(): BlockRange | null {
    const { ranges } = this
    const first = ranges[0]
    return first ? { from: first.from, to: itemAt(ranges, -1).to } : null
  }

  /** The files: size in bytes, first and last block; null for an empty file. */
  async files(): Promise<FileSummary[]> {
    const partitions = this.#parts.flatMap(({ named, path }) => (named ? [{ path, ...named }] : []))
    const sized = partitions.map(async (file) => {
      const found = await stat(file.path).catch(() => null)
      return { ...file, bytes: found?.size ?? 0, isPruned: false }
    })
    return [...(await Promise.all(sized)), ...this.#heads]
  }

  /** Missing block ranges within a range, ascending. */
  missing({ from, to }: BlockRange): BlockRange[] {
    const gaps: BlockRange[] = []
    let next = from
    for (const range of this.ranges) {
      if (range.from > to) break
      if (range.from > next) gaps.push({ from: next, to: range.from - 1 })
      next = Math.max(next, range.to + 1)
    }
    if (next <= to) gaps.push({ from: next, to })
    return gaps
  }

  has(num: number): boolean {
    return this.#partOf(num) !== undefined
  }

  /**
   * Reads a block. If its file has changed, lists the folders and tries once more.
   *
   * @throws RetryableError LOG_GONE, LOG_CLEARED; UserError LOG_DAMAGED, LOG_VERSION, LOG_INDEX
   */
  async read(num: number): Promise<LogEntry> {
    return this.#readAgain(num, (file) => file.read(num))
  }

  /** As `read`; deltas of any size: see LogFile. */
  async readDeltas(num: number, filter: RowFilter): Promise<LogEntry> {
    return this.#readAgain(num, (file) => file.readDeltas?.(num, filter) ?? file.read(num))
  }

  async #readAgain(num: number, read: ReadEntry): Promise<LogEntry> {
    try {
      return await this.#readOnce(num, read)
    } catch (error) {
      if (!(error instanceof HeadwaterError && error.code === 'LOG_CHANGED')) throw error
      await this.refresh()
      if (!this.has(num)) throw gone(placeOf(error))
      try {
        return await this.#readOnce(num, read)
      } catch (again) {
        // A newly opened file has the same fault, so it is not a change by the node.
        if (again instanceof HeadwaterError && again.code === 'LOG_CHANGED') throw misplaced(again)
        throw again
      }
    }
  }

  /** Error of the suffix of the last entry read; null if it is correct. */
  async suffixFault(entry: LogEntry): Promise<string | null> {
    return (await this.#current?.file?.suffixFault(entry)) ?? null
  }

  /** Lists the folders again and updates the ranges of the head files. */
  async refresh(): Promise<void> {
    await this.close()
    const parts: Part[] = []
    const torn: LogPlace[] = []
    const warnings: string[] = []
    const heads: FileSummary[] = []
    for (const found of await this.#find()) {
      if (found.named) parts.push({ ...found, range: found.named, file: null })
      else {
        const file = await this.#open(found.path)
        if (file) heads.push(summaryOf(file))
        if (file?.torn) torn.push(file.torn)
        if (file) warnings.push(...file.warnings.map((warning) => `${found.path}: ${warning}`))
        if (file?.range) parts.push({ ...found, range: file.range, file })
        else await file?.close()
      }
    }
    this.#parts = parts
    this.#heads = heads
    this.torn = torn
    this.warnings = warnings
  }

  async close(): Promise<void> {
    const open = this.#parts.flatMap(({ file }) => (file ? [file] : []))
    this.#parts = []
    this.#current = null
    for (const file of open) await file.close()
  }

  #partOf(num: number): Part | undefined {
    const current = this.#current
    if (current && includes(current.range, num)) return current
    return this.#parts.find(({ range }) => includes(range, num))
  }

  async #readOnce(num: number, read: ReadEntry): Promise<LogEntry> {
    const part = this.#partOf(num)
    if (!part) throw gone({ file: this.name, offset: 0, block: num })
    if (part !== this.#current) await this.#leave()
    this.#current = part
    part.file ??= await this.#openPart(part, num)
    return read(part.file)
  }

  /** Closes the partition of the last read. */
  async #leave(): Promise<void> {
    const left = this.#current
    if (!left?.named || !left.file) return
    const { file } = left
    left.file = null
    await file.close()
  }

  async #openPart({ path, range }: Part, num: number): Promise<LogFile> {
    const file = await this.#open(path)
    if (!file) throw changed({ file: path, offset: 0, block: num }, 'the file was moved')
    const has = file.range
    if (has && has.from <= range.from && has.to >= range.to) return file
    await file.close()
    if (file.torn) throw wrongIndex({ ...file.torn }, `the file ends before block ${range.to}, which its name says`)
    const what = has ? `blocks ${has.from} to ${has.to}` : 'no block'
    throw wrongIndex({ file: path, offset: 0, block: num }, `the file has ${what}, its name says otherwise`)
  }
}

function summaryOf({ path, size, range, isPruned }: LogFile): FileSummary {
  return { path, bytes: size, from: range?.from ?? null, to: range?.to ?? null, isPruned }
}

const includes = ({ from, to }: BlockRange, num: number): boolean => num >= from && num <= to

function placeOf({ place }: HeadwaterError): { file: string; offset: number; block?: number } {
  return { file: place.file ?? '', offset: place.offset ?? 0, block: place.block }
}

/** Sorts ranges; joins adjacent and overlapping ones. */
function merged(ranges: readonly BlockRange[]): BlockRange[] {
  const joined: BlockRange[] = []
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && range.from <= last.to + 1) last.to = Math.max(last.to, range.to)
    else joined.push({ ...range })
  }
  return joined
}
