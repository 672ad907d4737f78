// The lake as tables of ClickHouse. A step is a range of blocks of one day; the rows of a dataset in it are one insert,
// with the range as its token. After a crash of either side the same insert is sent again: the table, and those of the
// materialised views, take only the parts that they do not have, while they remember the token (presence.ts).
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { lakeConflict, writtenTwice } from '../errors.ts'
import { type BlockTimes, nextBlocks, type Step } from '../steps.ts'
import type { Dataset, LakeFile, LakePosition, LakeTarget } from '../target.ts'
import type { Ask, Settings } from './client.ts'
import { presenceOf, type Range } from './presence.ts'
import { columnNames, createCurrentTable, createTable, WINDOW } from './tables.ts'
import { createTotals } from './totals.ts'

const POSITIONS = `create table if not exists lake_positions (chain String, version UInt64, text String, saved_at DateTime('UTC') default now())
  engine = ReplacingMergeTree(version) order by chain settings fsync_after_insert = 1`

/**
 * Settings of every insert of facts. Splitting a file into blocks must not depend on time. The rows that a view adds are
 * different ones already, so to look for equal ones (`optimize_on_insert`) would be lost work.
 */
export const INSERT: Settings = {
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  optimize_on_insert: 0,
  async_insert: 0,
  max_insert_threads: 1,
  input_format_parquet_preserve_order: 1,
  input_format_null_as_default: 0,
}

interface Saved {
  version: string
  text: string
}

/** Text of a saved position. */
interface SavedPosition extends LakePosition {
  /** Random id of the process that saved it. */
  writer: string
  /** Number of positions of all chains that had been saved before the planned step was. */
  savesBefore?: string
}

/** Maximum number of entries that the inserts of one step add to the window of one table: up to 5 blocks in 2 partitions, twice. */
const ENTRIES_A_STEP = 20

export class LakeClickHouse implements LakeTarget {
  readonly address: string
  readonly omitted: readonly string[] = []
  /** ClickHouse sorts its tables itself. A repeated insert must have the order of the first attempt, also one of an earlier version. */
  readonly clusters = {}
  readonly #ask: Ask
  readonly #database: string
  /** Version of each chain's position, as this process last read or wrote it. */
  readonly #versions = new Map<string, bigint>()
  readonly #columns = new Map<string, string>()
  readonly #writer = randomUUID()
  /** Planned step of each chain that a process before this one may have written in part. */
  readonly #begun = new Map<string, { fromBlock: number; toBlock: number; savesBefore: bigint }>()
  readonly #window: number

  /** @param window  number of inserts that each new table remembers */
  constructor(ask: Ask, { text, database }: { text: string; database: string }, window = WINDOW) {
    this.#ask = ask
    this.#window = window
    this.address = text
    this.#database = database
  }

  next(blocks: BlockTimes, at: { next: number; last: number; planned: Step | null }): Promise<Step | null> {
    return nextBlocks(blocks, at)
  }

  async position(chain: string, datasets: readonly Dataset[]): Promise<LakePosition | null> {
    if (this.#columns.size === 0) await this.#create(datasets)
    const saved = await this.#saved(chain)
    this.#versions.set(chain, BigInt(saved?.version ?? 0))
    this.#begun.delete(chain)
    if (saved !== null) {
      const { writer: _, savesBefore, ...position } = JSON.parse(saved.text) as SavedPosition
      if (position.planned !== null)
        this.#begun.set(chain, { ...position.planned, savesBefore: BigInt(savesBefore ?? 0) })
      return position
    }
    for (const { name } of datasets) {
      const rows = await this.#query(`select count() from ${name} where chain = '${chain}' format TSV`)
      if (rows.trim() !== '0')
        throw lakeConflict(
          this.address,
          `${name} has rows of ${chain}, and lake_positions has none`,
          'name an empty database',
        )
    }
    return null
  }

  async save(position: LakePosition): Promise<void> {
    const { chain } = position
    const saved = await this.#saved(chain)
    const before = this.#versions.get(chain) ?? 0n
    if (BigInt(saved?.version ?? 0) !== before) throw writtenTwice(this.address)
    const version = before + 1n
    const content: SavedPosition = {
      ...position,
      writer: this.#writer,
      savesBefore: String((await this.#saves()).saves),
    }
    const row = { chain, version: String(version), text: JSON.stringify(content) }
    await this.#query(`insert into lake_positions (chain, version, text) format JSONEachRow ${JSON.stringify(row)}`)
    // Another process may have passed the check above at the same time. One of the two sees the row of the other here.
    const same = await this.#query(
      `select text from lake_positions where chain = '${chain}' and version = ${version} format JSONEachRow`,
    )
    const writers = lines<{ text: string }>(same).map(({ text }) => (JSON.parse(text) as SavedPosition).writer)
    if (writers.length === 0 || writers.some((writer) => writer !== this.#writer)) throw writtenTwice(this.address)
    this.#versions.set(chain, version)
    this.#begun.delete(chain)
  }

  async write(chain: string, { fromBlock, toBlock, date }: Step, { dataset, path, rows }: LakeFile): Promise<void> {
    const range = { chain, dataset, fromBlock, toBlock, date }
    if (await this.#isThere(range, rows)) return
    await this.#query(`insert into ${dataset} (${this.#columns.get(dataset)}) format Parquet`, {
      settings: { ...INSERT, insert_deduplication_token: `${chain}-${dataset}-${fromBlock}-${toBlock}` },
      body: await readFile(path),
    })
  }

  /**
   * Whether a process before this one has inserted the rows of a range, into the table and its materialised views.
   *
   * @throws UserError LAKE_CONFLICT when only a part is there, and the tables may have forgotten of which tokens
   */
  async #isThere(range: Range, rows: number): Promise<boolean> {
    const begun = this.#begun.get(range.chain)
    if (begun?.fromBlock !== range.fromBlock || begun.toBlock !== range.toBlock) return false
    const presence = await presenceOf((sql) => this.#query(sql), range, rows)
    if (presence !== 'part') return presence === 'all'
    const { saves, chains } = await this.#saves()
    // At most one step for each position saved since, and one that each chain had begun before.
    const steps = saves - begun.savesBefore + chains
    if (steps * BigInt(ENTRIES_A_STEP) <= BigInt(this.#window)) return false
    const { dataset, chain, fromBlock, toBlock } = range
    throw lakeConflict(
      this.address,
      `an insert into ${dataset} of ${chain}, blocks ${fromBlock} to ${toBlock}, is there in part, and other chains were loaded since`,
      'name an empty database',
    )
  }

  /** Number of positions that all processes have saved, and number of chains with one. */
  async #saves(): Promise<{ saves: bigint; chains: bigint }> {
    const text = await this.#query(
      'select sum(newest), count() from (select max(version) as newest from lake_positions group by chain) format TSV',
    )
    const [saves = '0', chains = '0'] = text.trim().split('\t')
    return { saves: BigInt(saves), chains: BigInt(chains) }
  }

  async end(): Promise<void> {}

  async replace(dataset: Dataset, { path, rows }: LakeFile): Promise<void> {
    const { name } = dataset
    const next = `${name}_next`
    await this.#query(`drop table if exists ${next}`)
    for (const table of [name, next]) await this.#query(createCurrentTable(dataset, table))
    if (rows > 0)
      await this.#query(`insert into ${next} (${columnNames(dataset).join(', ')}) format Parquet`, {
        settings: { async_insert: 0, input_format_null_as_default: 0 },
        body: await readFile(path),
      })
    await this.#query(`exchange tables ${next} and ${name}`)
    await this.#query(`drop table ${next}`)
  }

  async #create(datasets: readonly Dataset[]): Promise<void> {
    if (this.#database !== 'default') await this.#ask({ sql: `create database if not exists ${this.#database}` })
    await this.#query(POSITIONS)
    for (const dataset of datasets) await this.#query(createTable(dataset, this.#window))
    // ClickHouse compares a new view with the table that it fills before it sees that the view is there. So a view that an
    // earlier version has made, with its own columns, is not created again.
    const present = await this.#query('select name from system.tables where database = currentDatabase() format TSV')
    const names = new Set(present.split('\n'))
    for (const { name, sql } of createTotals(new Set(datasets.map((one) => one.name)), this.#window))
      if (!names.has(name)) await this.#query(sql)
    for (const dataset of datasets) this.#columns.set(dataset.name, columnNames(dataset).join(', '))
  }

  async #saved(chain: string): Promise<Saved | null> {
    const text = await this.#query(
      `select toString(version) as version, text from lake_positions where chain = '${chain}' order by lake_positions.version desc limit 1 format JSONEachRow`,
    )
    return lines<Saved>(text)[0] ?? null
  }

  #query(sql: string, { settings, body }: { settings?: Settings; body?: Buffer } = {}): Promise<string> {
    return this.#ask({ sql, settings: { database: this.#database, ...settings }, body })
  }
}

function lines<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
