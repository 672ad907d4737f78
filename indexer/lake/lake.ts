// Writes the final rows of chains to a lake, step by step. The chain's position records when a step is planned and when
// it is complete. After a crash, a planned step is written again under the same file names or tokens, so no row is lost
// or written twice.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { UserError } from '../../core/errors.ts'
import { type ChainRange, chainsOf, columnsOf, withClient, writeFile } from '../export/export.ts'
import { BLOCK_IDS, VIEW_NAMES } from '../export/sql.ts'
import { findView, isFacts } from '../export/view.ts'
import { copyCurrent } from './current.ts'
import { lakeConflict } from './errors.ts'
import { FIRST_BLOCK, FIRST_SINCE, LAST_TIME } from './sql.ts'
import type { BlockTimes, Step } from './steps.ts'
import type { Dataset, LakePosition, LakeTarget } from './target.ts'

export interface LakeOptions {
  /** Connection string of a role that may read the views, such as the reader's. */
  url: string
  target: LakeTarget
  /** Default: all chains of the database. */
  chains?: readonly string[]
  /** Names of views, such as `swaps`. Default: all views of `final` whose rows belong to blocks and never change. */
  views?: readonly string[]
  /** Whether to copy current rows, such as pools and markets, after the facts. */
  current?: boolean
  signal: AbortSignal
  /** Called after each step, with the number of rows in its files. */
  onStep?: (chain: string, step: Step, rows: number) => void
  /** Called after a copy of current rows with the views that are not copied: a replica of final rows does not have them. */
  onSkip?: (views: readonly string[]) => void
}

export interface LakeSummary {
  chain: string
  steps: number
  /** Rows in the files of these steps. */
  rows: number
  /** Last block up to which all datasets are there; null when nothing is there yet. */
  completeTo: number | null
}

/**
 * Writes everything that is final.
 *
 * @throws UserError UNKNOWN_VIEW, UNKNOWN_CHAIN, LAKE_VIEW, LAKE_CONFLICT, LAKE_WRITTEN_TWICE, EXPORT_INEXACT;
 *   RetryableError DATABASE_UNAVAILABLE; the errors of the target
 */
export async function writeLake(options: LakeOptions): Promise<LakeSummary[]> {
  const { url, chains, views } = options
  const { datasets, ranges } = await withClient(url, async (client) => {
    const found = await findDatasets(client, views)
    const known = await rangesOf(client, found)
    for (const chain of chains ?? []) await chainsOf(client, first(found).view, chain)
    return { datasets: found, ranges: known }
  })
  const folder = await mkdtemp(join(tmpdir(), 'headwater-lake-'))
  try {
    const summaries: LakeSummary[] = []
    for (const { chain } of ranges)
      if (chains === undefined || chains.includes(chain))
        summaries.push(await new ChainWriter(chain, datasets, folder, options).run())
    if (options.current === true) await withClient(url, (client) => copyCurrent(client, options, folder))
    return summaries
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function rangesOf(client: pg.Client, datasets: readonly Dataset[]): Promise<ChainRange[]> {
  return chainsOf(client, first(datasets).view)
}

function first(datasets: readonly Dataset[]): Dataset {
  const [found] = datasets
  if (found === undefined)
    throw new UserError('LAKE_VIEW', 'no view of this database can be written to a lake', {
      hint: 'run `headwater migrate` with the version of the program that indexes',
    })
  return found
}

async function findDatasets(client: pg.Client, wanted?: readonly string[]): Promise<Dataset[]> {
  const names = wanted ?? (await client.query<{ name: string }>(VIEW_NAMES)).rows.map(({ name }) => name)
  const found: Dataset[] = []
  for (const given of new Set(names.map((name) => name.replace(/^final\./, '')))) {
    const view = await findView(client, given)
    if (view.name.startsWith('final.') && isFacts(view)) found.push({ name: given, view })
    else if (wanted !== undefined)
      throw new UserError('LAKE_VIEW', `${view.name} cannot be written to a lake: its rows may change`, {
        hint: 'name views of final with block_num and block_time, and without a status; `headwater export` writes the others',
      })
  }
  return found
}

class ChainWriter {
  readonly #chain: string
  readonly #datasets: readonly Dataset[]
  readonly #folder: string
  readonly #options: LakeOptions

  constructor(chain: string, datasets: readonly Dataset[], folder: string, options: LakeOptions) {
    this.#chain = chain
    this.#datasets = datasets
    this.#folder = folder
    this.#options = options
  }

  async run(): Promise<LakeSummary> {
    const { target, signal, onStep } = this.#options
    const known = await target.position(this.#chain, this.#datasets)
    const summary: LakeSummary = { chain: this.#chain, steps: 0, rows: 0, completeTo: known?.completeTo ?? null }
    let position = known
    // One snapshot a step: a longer one would keep the database from removing old versions of rows.
    for (let isMore = true; isMore; ) {
      signal.throwIfAborted()
      isMore = await withClient(this.#options.url, async (client) => {
        const range = (await chainsOf(client, first(this.#datasets).view, this.#chain))[0] as ChainRange
        position ??= this.#begin(range)
        await this.#check(client, position, range)
        const at = { next: position.nextBlock, last: range.lastBlock, planned: position.planned }
        const step = await target.next(blockTimes(client, this.#chain), at)
        if (step === null || step.toBlock > range.lastBlock) return false
        // No block has become final since, or a standby lags after the database that was read before.
        if (step.isOpen && position.completeTo !== null && step.toBlock <= position.completeTo) return false
        const rows = await this.#write(client, range, position, step)
        summary.steps++
        summary.rows += rows
        summary.completeTo = position.completeTo
        onStep?.(this.#chain, step, rows)
        return !step.isOpen
      })
    }
    return summary
  }

  #begin({ firstBlock }: ChainRange): LakePosition {
    const datasets = Object.fromEntries(this.#datasets.map(({ name, view }) => [name, columnsOf(view, 'parquet')]))
    const nothing = { planned: null, completeTo: null, lastBlockId: null }
    return { version: 1, chain: this.#chain, firstBlock, nextBlock: firstBlock, ...nothing, datasets }
  }

  /** Checks that the lake is of the database's chain and has the same columns. @throws UserError LAKE_CONFLICT */
  async #check(client: pg.Client, position: LakePosition, range: ChainRange): Promise<void> {
    const { address } = this.#options.target
    const { datasets } = this.#begin(range)
    const names = Object.keys({ ...datasets, ...position.datasets })
    const differing = names.find((name) => JSON.stringify(datasets[name]) !== JSON.stringify(position.datasets[name]))
    if (differing !== undefined)
      throw lakeConflict(
        address,
        `its dataset ${differing} has other columns than the view has now, or is not among the datasets of this run`,
        'name the same views as before; after an upgrade that changed a view, write to an empty place',
      )
    if (range.firstBlock > position.nextBlock)
      throw lakeConflict(
        address,
        `the next block of ${this.#chain} is ${position.nextBlock}, and the database begins with block ${range.firstBlock}`,
        'write from a database with the blocks between',
      )
    const { completeTo, lastBlockId } = position
    if (completeTo === null || lastBlockId === null) return
    const id = await this.#blockId(client, completeTo)
    if (id !== null && id !== lastBlockId)
      throw lakeConflict(address, `it ends with another block ${completeTo} of ${this.#chain} than the database has`)
  }

  async #blockId(client: pg.Client, block: number): Promise<string | null> {
    const { rows } = await client.query<{ id: string }>(BLOCK_IDS, [this.#chain, [block]])
    return rows[0]?.id ?? null
  }

  /** @returns number of rows */
  async #write(client: pg.Client, range: ChainRange, position: LakePosition, step: Step): Promise<number> {
    const { target, signal } = this.#options
    if (position.planned?.hours !== step.hours || position.planned.date !== step.date) {
      position.planned = step
      await target.save(position)
    }
    let total = 0
    for (const { name, view } of this.#datasets) {
      signal.throwIfAborted()
      const path = join(this.#folder, `${name}.parquet`)
      const columns = view.columns.filter((column) => !target.omitted.includes(column.name))
      const facts = { bytes: 0, sha256: '' }
      const rows = await writeFile(client, view, [range], {
        ...{ format: 'parquet', chain: this.#chain, fromBlock: step.fromBlock, toBlock: step.toBlock, out: path },
        columns,
        clusterBy: target.clusters[name],
        onComplete: ({ bytes, sha256 }) => Object.assign(facts, { bytes, sha256 }),
      })
      if (rows > 0) await target.write(this.#chain, step, { dataset: name, path, rows, ...facts })
      await rm(path, { force: true })
      total += rows
    }
    await target.end(this.#chain, step)
    position.completeTo = step.toBlock
    position.lastBlockId = await this.#blockId(client, step.toBlock)
    if (!step.isOpen) {
      position.nextBlock = step.toBlock + 1
      position.planned = null
    }
    await target.save(position)
    return total
  }
}

function blockTimes(client: pg.Client, chain: string): BlockTimes {
  return {
    async firstFrom(block) {
      const { rows } = await client.query<{ num: number; time: Date }>(FIRST_BLOCK, [chain, block])
      return rows[0] ?? null
    },
    async firstSince(time, from) {
      const { rows } = await client.query<{ num: number }>(FIRST_SINCE, [chain, from, time])
      return rows[0]?.num ?? null
    },
    async lastTime(block) {
      const { rows } = await client.query<{ time: Date }>(LAST_TIME, [chain, block])
      return rows[0]?.time ?? null
    },
  }
}
