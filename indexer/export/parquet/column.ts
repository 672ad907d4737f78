// Collects the values of one column for a row group: pages as they fill, least and greatest value, nulls.
import { encodeLevels } from './hybrid.ts'
import { dataPage, dictionaryPage, type Page, PLAIN, RLE, RLE_DICTIONARY } from './page.ts'

export const PAGE_ROWS = 20_480

export interface Statistics {
  nulls: number
  /** Plain encoded; null where there is no value. */
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

/** What a page holds besides levels. */
export interface Encoded {
  bytes: Uint8Array
  encoding: number
}

export abstract class ColumnWriter {
  private readonly levels = new Uint8Array(PAGE_ROWS)
  private pageRows = 0
  private pageNulls = 0
  private rows = 0
  private nulls = 0
  private pages: Promise<Page>[] = []

  /** Takes a value as COPY sends it in binary. */
  add(bytes: Buffer, at: number, length: number): void {
    this.take(bytes, at, length)
    this.levels[this.pageRows++] = 1
    if (this.pageRows === PAGE_ROWS) this.endPage()
  }

  addNull(): void {
    this.pageNulls++
    this.levels[this.pageRows++] = 0
    if (this.pageRows === PAGE_ROWS) this.endPage()
  }

  /** Ends the row group; the next one may begin at once. */
  async end(): Promise<Chunk> {
    if (this.pageRows > 0) this.endPage()
    const { rows, nulls, pages } = this
    const statistics = { nulls, ...this.takeBounds() }
    const dictionary = this.takeDictionary()
    this.rows = 0
    this.nulls = 0
    this.pages = []
    if (dictionary !== null) pages.unshift(dictionaryPage(dictionary.content, dictionary.values))
    const encodings = dictionary === null ? [PLAIN, RLE] : [PLAIN, RLE, RLE_DICTIONARY]
    return { pages: await Promise.all(pages), hasDictionary: dictionary !== null, values: rows, encodings, statistics }
  }

  /** Reads a value into the page that is being filled. */
  protected abstract take(bytes: Buffer, at: number, length: number): void
  /** Takes the values of the page, which are so many. */
  protected abstract takeValues(count: number): Encoded
  /** Least and greatest value of the row group. */
  protected abstract takeBounds(): Pick<Statistics, 'min' | 'max'>

  /** The dictionary of the row group, if any page needs it. */
  protected takeDictionary(): { content: Buffer; values: number } | null {
    return null
  }

  private endPage(): void {
    const count = this.pageRows
    const { bytes, encoding } = this.takeValues(count - this.pageNulls)
    const content = Buffer.concat([encodeLevels(this.levels, count, this.pageNulls), bytes])
    const made = dataPage(content, count, encoding)
    // A failure is reported by whoever awaits the row group.
    made.catch(() => {})
    this.pages.push(made)
    this.rows += count
    this.nulls += this.pageNulls
    this.pageRows = 0
    this.pageNulls = 0
  }
}
