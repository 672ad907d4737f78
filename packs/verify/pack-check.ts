// Checks the files of a pack, range by range, against the commitments of the chain.
import { UserError } from '../../core/errors.ts'
import type { Catalog } from '../../indexer/store/catalog.ts'
import { eachTuple, TupleError } from '../../indexer/store/copy/tuples.ts'
import { Segment } from '../../indexer/store/segment.ts'
import type { ObjectStore } from '../../net/objects/store.ts'
import { damaged, refuted } from '../format/fault.ts'
import { MadeRows } from '../format/made-rows.ts'
import { MANIFEST, type Manifest, type PackFile, type PackRange, type PackState } from '../format/manifest.ts'
import { sorted } from '../format/sorted.ts'
import { onFile, type RowChunk, readBlocks, readRows } from '../read/files.ts'
import { ChainCheck, type ChainCheckOptions } from './chain-check.ts'
import { compareRows } from './compare-rows.ts'
import { unverifiedColumns, unverifiedTables } from './determined.ts'

export interface PackReport {
  /** What confirms the blocks; null without verification. */
  confirmedBy: string | null
  /** Rows that are as the actions and headers make them, by table. */
  equal: Record<string, number>
  /**
   * Rows that no block commits to, or that were not checked, by table. 0: the pack has none, and none would be missed.
   * Tables are in the order of their names here and in the other members.
   */
  unverified: Record<string, number>
  /** Columns of the tables of `equal` that were not verified, by table. */
  columns: Record<string, string[]>
  /** Accounts whose actions were decoded by an ABI that no block and no configuration commits to, sorted. */
  foreignAbis: string[]
}

export interface PackCheckOptions extends Omit<ChainCheckOptions, 'firstBlock' | 'firstParent' | 'lastBlock'> {
  manifest: Manifest
  catalog: Catalog
}

export class PackCheck {
  readonly #options: PackCheckOptions
  readonly #chain: ChainCheck
  readonly #equal: Record<string, number> = {}
  readonly #uncommitted: Record<string, number> = {}
  readonly #foreignAbis = new Set<string>()
  /** Tables of which the pack has rows. */
  readonly #tables: ReadonlySet<string>
  /** Whether the rows of all ranges so far were computed again. */
  #isWhole = true

  constructor(options: PackCheckOptions) {
    const { firstBlock, firstParent, ranges } = options.manifest
    this.#options = options
    this.#tables = new Set(ranges.flatMap(({ rows }) => Object.keys(rows.rows)))
    this.#chain = new ChainCheck({ ...options, firstBlock, firstParent, lastBlock: ranges.at(-1)?.to ?? firstBlock })
  }

  /**
   * Checks the blocks of the next range.
   *
   * @param computesRows  whether its rows are computed again; else only links, finality, action roots and ABIs are checked
   * @returns the rows
   * @throws UserError PACK_DAMAGED, PACK_REFUTED, PACK_FILE_MISSING, PACK_ROWS_ONLY
   */
  async range(store: ObjectStore, range: PackRange, computesRows: boolean, signal: AbortSignal): Promise<RowChunk[]> {
    const { catalog } = this.#options
    const { rows: file, blocks, to, lastId } = range
    if (blocks === null) throw withoutBlocks(range)
    const rows: RowChunk[] = []
    const ids: Uint8Array[] = []
    for await (const chunk of readRows(store, file, signal, ids)) rows.push(chunk)
    this.#addAbis(rows, file.name)
    const made = computesRows ? new Segment(catalog) : null
    // Rows that the file leaves out.
    const leavesOut = rows.some(({ section }) => section.verified)
    const headers = leavesOut ? new MadeRows(this.#options.chain, catalog) : null
    await this.#follow(store, blocks, made ?? 'abis', signal, { ids, headers })
    for (const chunk of rows) {
      if (!chunk.section.verified || !headers) continue
      const { table } = chunk.section
      Object.assign(chunk, { section: headers.section(table), content: headers.rows(table).content })
    }
    if (this.#chain.lastId !== lastId) {
      const what = `its last block is ${this.#chain.lastId}, the manifest says block ${to} is ${lastId}`
      throw refuted(blocks.name, what, { block: to })
    }
    this.#isWhole &&= computesRows
    const compared =
      made && compareRows(rows, made, { catalog, file: file.name, hasTable: (table) => this.#tables.has(table) })
    addAll(this.#equal, compared?.equal ?? {})
    addAll(this.#uncommitted, compared?.uncommitted ?? file.rows)
    return rows
  }

  /**
   * Checks that the trusted block or policy confirms the blocks of all ranges.
   *
   * @throws UserError PACK_NOT_TRUSTED, PACK_DAMAGED, PACK_REFUTED, PACK_FILE_MISSING
   */
  async finish(store: ObjectStore, state: PackState, signal: AbortSignal): Promise<PackReport> {
    const { proof } = state
    if (proof) await this.#follow(store, proof, null, signal)
    const { by: confirmedBy, hasHeaders } = this.#chain.confirm(state.block, proof?.name ?? MANIFEST)
    const { manifest, catalog } = this.#options
    const none = Object.fromEntries(unverifiedTables(catalog, this.#isWhole).map((table) => [table, 0]))
    addAll(none, this.#uncommitted)
    const unverified = unverifiedRows(manifest, state, none)
    const columns = unverifiedColumns(Object.keys(this.#equal), catalog, hasHeaders)
    const foreignAbis = [...this.#foreignAbis].sort()
    return { confirmedBy, equal: sorted(this.#equal), unverified, columns, foreignAbis }
  }

  #follow(
    store: ObjectStore,
    file: PackFile,
    made: Segment | 'abis' | null,
    signal: AbortSignal,
    rows: { ids: readonly Uint8Array[]; headers: MadeRows | null } | null = null,
  ): Promise<void> {
    return onFile(store, file, signal, async () => {
      for await (const block of readBlocks(store, file, signal, rows?.ids ?? 'none')) {
        const verified = this.#chain.add(block, made, file.name)
        rows?.headers?.add(block, verified)
      }
    })
  }

  /** Adds the ABIs that only account rows show. */
  #addAbis(rows: readonly RowChunk[], file: string): void {
    for (const { section, content } of rows) {
      if (section.table !== 'ledger.abis') continue
      const indexOf = (name: string) => section.columns.findIndex(([column]) => column === name)
      const [account, block, sequence, abi] = [
        indexOf('account'),
        indexOf('block_num'),
        indexOf('global_seq'),
        indexOf('abi'),
      ]
      try {
        eachTuple(content, section.columns.length, ({ at, length }) => {
          const bytes = (index: number) => content.subarray(at[index], (at[index] ?? 0) + (length[index] ?? 0))
          if (bytes(sequence).readBigInt64BE() !== 0n) return
          const name = bytes(account).toString()
          if (!/^[a-z1-5.]{1,13}$/.test(name)) throw new RangeError('one has no account name')
          const blockNum = Number(bytes(block).readBigInt64BE())
          const known = { account: name, blockNum, abi: Buffer.from(bytes(abi)) }
          if (!this.#chain.addForeignAbi(known, file)) this.#foreignAbis.add(name)
        })
      } catch (error) {
        if (!(error instanceof TupleError || error instanceof RangeError)) throw error
        throw damaged(file, `its ABIs cannot be read: ${error.message}`)
      }
    }
  }
}

function withoutBlocks({ from, to }: PackRange): Error {
  return new UserError('PACK_ROWS_ONLY', `blocks ${from} to ${to} of the pack have rows and no actions`, {
    hint: 'such a pack cannot be verified: take another one, or give --verify none if you trust its publisher',
    place: { block: from },
  })
}

/**
 * Rows that were not verified, by table.
 *
 * @param uncommitted  rows of the ranges that no block commits to; null when nothing was verified
 */
export function unverifiedRows(
  { ranges }: Manifest,
  { rows: ofState, block }: PackState,
  uncommitted: Record<string, number> | null,
): Record<string, number> {
  const rows: Record<string, number> = {}
  if (uncommitted) addAll(rows, uncommitted)
  else for (const range of ranges) if (range.to <= block) addAll(rows, range.rows.rows)
  addAll(rows, ofState.rows)
  return sorted(rows)
}

function addAll(counts: Record<string, number>, more: Record<string, number>): void {
  for (const [table, rows] of Object.entries(more)) counts[table] = (counts[table] ?? 0) + rows
}
