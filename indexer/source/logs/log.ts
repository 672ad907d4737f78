// One log over all its files: the partitions and the head file. A block that is in several files is read from the first
// of them that has it.
import { stat } from 'node:fs/promises'
import type { RowFilter } from '../../../core/antelope/logs/delta-splitter.ts'
import { HeadwaterError } from '../../../core/errors.ts'
import type { BlockRange } from '../ranges.ts'
import { changed, damaged, gone, type LogPlace, wrongIndex } from './faults.ts'
import type { FoundFile } from './find.ts'
import type { LogEntry, LogFile } from './log-file.ts'

/** Opens a log file; null when it is not there any more. */
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
  /** Open while it is read; head files stay open, so that they can be read after a rotation. */
  file: LogFile | null
}

export class Log {
  readonly name: string
  readonly #open: OpenLogFile
  #parts: readonly Part[] = []
  /** Head files that end within an entry. */
  torn: readonly LogPlace[] = []
  /** Oddities of the head files that do not prevent reading, with the file. */
  warnings: readonly string[] = []
  #heads: readonly FileSummary[] = []
  /** The part last read from. */
  #current: Part | null = null
  /** Reads the folders again. */
  readonly #find: () => Promise<readonly FoundFile[]>

  private constructor(name: string, find: () => Promise<readonly FoundFile[]>, open: OpenLogFile) {
    this.name = name
    this.#find = find
    this.#open = open
  }

  /**
   * Opens the head files; partitions are opened when they are read.
   *
   * @param find  lists the files, the partitions first
   * @throws UserError as the files
   */
  static async open(name: string, find: () => Promise<readonly FoundFile[]>, open: OpenLogFile): Promise<Log> {
    const log = new Log(name, find, open)
    await log.refresh()
    return log
  }

  /** Blocks that can be read, in ranges that do not touch, ascending. */
  get ranges(): BlockRange[] {
    return merged(this.#parts.map(({ range }) => range))
  }

  /** First and last block that can be read; null without any. */
  get span(): BlockRange | null {
    const { ranges } = this
    const first = ranges[0]
    return first ? { from: first.from, to: ranges.at(-1)!.to } : null
  }

  /** The files: sizes in bytes, first and last block, null where there is none. */
  async files(): Promise<FileSummary[]> {
    const partitions = this.#parts.flatMap(({ named, path }) => (named ? [{ path, ...named }] : []))
    const sized = partitions.map(async (file) => {
      const found = await stat(file.path).catch(() => null)
      return { ...file, bytes: found?.size ?? 0, isPruned: false }
    })
    return [...(await Promise.all(sized)), ...this.#heads]
  }

  /** Blocks of a range that are in no file, ascending. */
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
   * Reads a block. When its file has changed, the folders are read again, and the block is looked for once more.
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
        // The same in a file that was opened just now: it does not come from the node's work.
        if (again instanceof HeadwaterError && again.code === 'LOG_CHANGED') throw damaged(placeOf(again), again)
        throw again
      }
    }
  }

  /** What is wrong with the suffix of the entry last read; null when nothing is. */
  async suffixFault(entry: LogEntry): Promise<string | null> {
    return (await this.#current?.file?.suffixFault(entry)) ?? null
  }

  /** Reads the folders again: partitions, and how far the head files go now. */
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

  /** Closes the partition last read. */
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

/** Ranges joined where they touch or overlap, ascending. */
function merged(ranges: readonly BlockRange[]): BlockRange[] {
  const joined: BlockRange[] = []
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && range.from <= last.to + 1) last.to = Math.max(last.to, range.to)
    else joined.push({ ...range })
  }
  return joined
}
