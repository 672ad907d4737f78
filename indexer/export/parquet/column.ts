// Collects the values of one column for a row group: full pages, minimum, maximum, number of nulls.
import { enlarged, FIRST_ROWS } from './enlarged.ts'
import { encodeLevels } from './hybrid.ts'
import { dataPage, dictionaryPage, type Page, PLAIN, RLE } from './page.ts'
import type { Fields } from './tuples.ts'

/** Half a row group: pages of 16-byte values then have about 1 MB, the usual size of engines. */
export const PAGE_ROWS = 61_440

export interface Statistics {
  nulls: number
  /** Plain encoded; null when there is no value. */
  min: Uint8Array | null
  max: Uint8Array | null
}

export interface Chunk {
  pages: Page[]
  hasDictionary: boolean
  values: number
  encodings: number[]
  statistics: Statistics
}

/** Content of a page without its levels. */
export interface Encoded {
  bytes: Uint8Array
  encoding: number
}

export abstract class ColumnWriter {
  private levels = new Uint8Array(FIRST_ROWS)
  private pageRows = 0
  private pageNulls = 0
  private rows = 0
  private nulls = 0
  private pages: Promise<Page>[] = []
  /** Encodings of the pages' values. */
  private encodings = new Set<number>()

  /** Adds the values [first, end), each in the binary format of COPY. */
  addAll(fields: Fields, first: number, end: number): void {
    for (let from = first; from < end; ) {
      const to = Math.min(end, from + PAGE_ROWS - this.pageRows)
      const { lengths } = fields
      this.levels = enlarged(this.levels, this.pageRows + to - from)
      for (let i = from; i < to; i++) {
        const isNull = (lengths[i] as number) < 0
        this.levels[this.pageRows++] = isNull ? 0 : 1
        if (isNull) this.pageNulls++
      }
      this.reserve(to - from)
      this.takeAll(fields, from, to)
      if (this.pageRows === PAGE_ROWS) this.endPage()
      from = to
    }
  }

  /** Ends the row group. The next one may start before the promise resolves. */
  async end(): Promise<Chunk> {
    if (this.pageRows > 0) this.endPage()
    const { rows, nulls, pages, encodings } = this
    const statistics = { nulls, ...this.takeBounds() }
    const dictionary = this.takeDictionary()
    this.rows = 0
    this.nulls = 0
    this.pages = []
    this.encodings = new Set()
    // Definition levels are in the hybrid of RLE and bit packing.
    encodings.add(RLE)
    if (dictionary !== null) {
      pages.unshift(dictionaryPage(dictionary.content, dictionary.values))
      encodings.add(PLAIN)
    }
    return {
      pages: await Promise.all(pages),
      hasDictionary: dictionary !== null,
      values: rows,
      encodings: [...encodings],
      statistics,
    }
  }

  /** Makes room for more values in the current page. */
  protected abstract reserve(values: number): void
  /**
   * Adds the values [first, end) without its nulls to the current page. Each class has a loop of its own, which the engine
   * compiles for that class.
   */
  protected abstract takeAll(fields: Fields, first: number, end: number): void
  /** Takes the `count` values of the current page. */
  protected abstract takeValues(count: number): Encoded
  /** Takes minimum and maximum of the row group. */
  protected abstract takeBounds(): Pick<Statistics, 'min' | 'max'>

  /** Takes the dictionary of the row group; null when no page uses one. */
  protected takeDictionary(): { content: Buffer; values: number } | null {
    return null
  }

  private endPage(): void {
    const count = this.pageRows
    const { bytes, encoding } = this.takeValues(count - this.pageNulls)
    this.encodings.add(encoding)
    const content = Buffer.concat([encodeLevels(this.levels, count, this.pageNulls), bytes])
    const made = dataPage(content, count, encoding)
    // `end` reports a failure.
    made.catch(() => {})
    this.pages.push(made)
    this.rows += count
    this.nulls += this.pageNulls
    this.pageRows = 0
    this.pageNulls = 0
  }
}
