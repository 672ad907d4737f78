// Digests of a chain in a database, for the endpoint and for `headwater compare` on its own database.
import type { Pool } from 'pg'
import { type BlockRange, divide } from '../../../core/compare/ranges.ts'
import type { BlockRows, RangeDigest, Side, Summary, TableDigest } from '../../../core/compare/side.ts'
import { UserError } from '../../../core/errors.ts'
import { COLUMNS, DIGESTS, ROWS, SUMMARY } from './sql.ts'

/** Maximum number of rows sent for one block and table. */
const MAX_ROWS = 500

export class DatabaseSide implements Side {
  readonly name: string
  readonly #pool: Pool
  readonly #chain: string
  /** Length of a stored range; known after the first question. */
  #leaf = 0

  constructor(pool: Pool, chain: string, name: string) {
    this.#pool = pool
    this.#chain = chain
    this.name = name
  }

  /** @throws UserError UNKNOWN_CHAIN when nothing of the chain is indexed, COMPARE_NOT_READY while it is being filled */
  async summary(): Promise<Summary> {
    const { rows } = await this.#pool.query<Omit<Summary, 'chain'> & { indexed: boolean }>(SUMMARY, [this.#chain])
    const [found] = rows
    if (found === undefined)
      throw new UserError('UNKNOWN_CHAIN', `nothing of the chain ${this.#chain} is indexed in this database`, {
        hint: 'see `headwater status` for the chains that are',
        place: { chain: this.#chain },
      })
    const { indexed, ...summary } = found
    if (!indexed)
      throw new UserError('COMPARE_NOT_READY', `the chain ${this.#chain} is being filled in this database`, {
        hint: 'compare when the backfill has ended: see `headwater status`',
        place: { chain: this.#chain },
      })
    this.#leaf = summary.leaf
    return { chain: this.#chain, ...summary }
  }

  async digests(range: BlockRange): Promise<RangeDigest[]> {
    if (this.#leaf === 0) await this.summary()
    const parts = divide(range, this.#leaf)
    const { rows } = await this.#pool.query<TableDigest & { place: number }>(DIGESTS, [
      this.#chain,
      parts.map(({ from }) => from),
      parts.map(({ to }) => to),
    ])
    const answer = parts.map((part): RangeDigest => ({ ...part, tables: [] }))
    for (const { place, ...table } of rows) answer[place - 1]?.tables.push(table)
    return answer
  }

  /** Assumes that the table is one of the summary's. */
  async rows(table: string, block: number): Promise<BlockRows> {
    const { rows: found } = await this.#pool.query<{ row: BlockRows['rows'][number] }>(ROWS, [
      this.#chain,
      table,
      block,
      MAX_ROWS + 1,
    ])
    const { rows } = await this.#pool.query<Pick<BlockRows, 'columns' | 'key'>>(COLUMNS, [table])
    const { columns, key } = rows[0] as Pick<BlockRows, 'columns' | 'key'>
    return { columns, key, rows: found.slice(0, MAX_ROWS).map(({ row }) => row), more: found.length > MAX_ROWS }
  }
}
