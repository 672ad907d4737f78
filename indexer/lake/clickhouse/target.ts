// The lake as tables of ClickHouse. A step is a range of blocks of one day; the rows of a dataset in it are one insert,
// with the range as its token. After a crash of either side the same insert is sent again: the table, and those of the
// materialised views, take only the parts that they do not have.
import { readFile } from 'node:fs/promises'
import { lakeConflict, writtenTwice } from '../errors.ts'
import { type BlockTimes, nextBlocks, type Step } from '../steps.ts'
import type { Dataset, LakeFile, LakePosition, LakeTarget } from '../target.ts'
import type { Ask, Settings } from './client.ts'
import { columnNames, createCurrentTable, createTable } from './tables.ts'
import { createTotals } from './totals.ts'

const POSITIONS = `create table if not exists lake_positions (chain String, version UInt64, text String, saved_at DateTime('UTC') default now())
  engine = ReplacingMergeTree(version) order by chain settings fsync_after_insert = 1`

/** Settings of every insert of facts. Splitting a file into blocks must not depend on time. */
const INSERT: Settings = {
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  async_insert: 0,
  max_insert_threads: 1,
  input_format_parquet_preserve_order: 1,
  input_format_null_as_default: 0,
}

interface Saved {
  version: string
  text: string
}

export class LakeClickHouse implements LakeTarget {
  readonly address: string
  readonly omitted: readonly string[] = []
  readonly #ask: Ask
  readonly #database: string
  /** Version of each chain's position, as this process last read or wrote it. */
  readonly #versions = new Map<string, bigint>()
  readonly #columns = new Map<string, string>()

  constructor(ask: Ask, { text, database }: { text: string; database: string }) {
    this.#ask = ask
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
    if (saved !== null) return JSON.parse(saved.text) as LakePosition
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
    const row = { chain, version: String(version), text: JSON.stringify(position) }
    await this.#query(`insert into lake_positions (chain, version, text) format JSONEachRow ${JSON.stringify(row)}`)
    this.#versions.set(chain, version)
  }

  async write(chain: string, { fromBlock, toBlock }: Step, { dataset, path }: LakeFile): Promise<void> {
    await this.#query(`insert into ${dataset} (${this.#columns.get(dataset)}) format Parquet`, {
      settings: { ...INSERT, insert_deduplication_token: `${chain}-${dataset}-${fromBlock}-${toBlock}` },
      body: await readFile(path),
    })
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
    for (const dataset of datasets) await this.#query(createTable(dataset))
    for (const sql of createTotals(new Set(datasets.map(({ name }) => name)))) await this.#query(sql)
    for (const dataset of datasets) this.#columns.set(dataset.name, columnNames(dataset).join(', '))
  }

  async #saved(chain: string): Promise<Saved | null> {
    const text = await this.#query(
      `select toString(version) as version, text from lake_positions where chain = '${chain}' order by lake_positions.version desc limit 1 format JSONEachRow`,
    )
    return text.trim() === '' ? null : (JSON.parse(text) as Saved)
  }

  #query(sql: string, { settings, body }: { settings?: Settings; body?: Buffer } = {}): Promise<string> {
    return this.#ask({ sql, settings: { database: this.#database, ...settings }, body })
  }
}
