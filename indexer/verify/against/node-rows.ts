// Loads a node's rows into temporary tables, to be compared with ours. Decodes and projects them like rows of blocks;
// holds only one page in memory.
import type { Client } from 'pg'
import { NodeApi } from '../../bootstrap/node-api.ts'
import { projectPage } from '../../bootstrap/origin.ts'
import { readTables, type WantedTable } from '../../bootstrap/read-tables.ts'
import { SteadyHead } from '../../bootstrap/steady-head.ts'
import { knownTables } from '../../bootstrap/wanted-tables.ts'
import { type AbiBook, BLOCK_END } from '../../decode/abi-book.ts'
import { attempt, Reason } from '../../decode/attempt.ts'
import type { Projector } from '../../project/projector.ts'
import type { BlockPosition } from '../../source/source.ts'
import type { Catalog, Table } from '../../store/catalog.ts'
import { CopyBuffer } from '../../store/copy/copy-buffer.ts'
import { copyIn } from '../../store/copy/copy-in.ts'
import { compileRowEncoder } from '../../store/copy/row-encoder.ts'
import { columnList } from '../../store/ledger.ts'
import type { StateRow } from '../../store/rows.ts'
import { createNodeTable, nodeTable } from './sql.ts'

export interface NodeRowsOptions {
  client: Client
  catalog: Catalog
  chain: string
  /** Chain API of one node. */
  nodeUrl: string
  chainId: string | null
  projector: Projector
  book: AbiBook
  /** Last indexed block, whose ABIs are used. */
  block: number
}

interface Target {
  into: string
  encode: ReturnType<typeof compileRowEncoder>
  buffer: CopyBuffer
}

export class NodeRows {
  private readonly options: NodeRowsOptions
  private readonly api: NodeApi
  private readonly targets = new Map<string, Target>()
  /** State tables that got rows of a contract's table, by `code/table`. */
  private readonly destinations = new Map<string, Set<string>>()
  /** Descriptions of the node's rows that our ABIs cannot decode. */
  readonly undecoded: string[] = []

  private constructor(options: NodeRowsOptions) {
    this.options = options
    this.api = new NodeApi({ url: options.nodeUrl })
  }

  /** Creates the temporary tables, empty. */
  static async open(options: NodeRowsOptions, tables: readonly Table[]): Promise<NodeRows> {
    const rows = new NodeRows(options)
    for (const table of tables) {
      await options.client.query(createNodeTable(table))
      const encode = compileRowEncoder(table, table.columns, new Set(['chain']))
      rows.targets.set(table.name, {
        into: `${nodeTable(table)} (${columnList(table)})`,
        encode,
        buffer: new CopyBuffer(),
      })
    }
    return rows
  }

  async head(): Promise<BlockPosition> {
    return (await this.api.info()).head
  }

  /**
   * Reads contract tables again. @returns number of rows @throws RetryableError, UserError as NodeApi and SteadyHead
   */
  async read(wanted: readonly WantedTable[], stateTables: readonly string[]): Promise<number> {
    const { client, projector, book, block, chainId } = this.options
    for (const name of stateTables) await client.query(`truncate node_${name}`)
    this.undecoded.length = 0
    const decode = (code: string, table: string, value: Uint8Array) => {
      const row = attempt(book.at(code, block, BLOCK_END), 'tables', table, (abi) => abi.decodeRow(table, value))
      return row instanceof Reason ? null : row
    }
    const at = { num: block, id: '', time: 0 }
    let count = 0
    await this.findUnknown(wanted)
    const pages = readTables(knownTables(this.feeding(wanted, stateTables), book, block), {
      api: this.api,
      head: new SteadyHead(this.api, chainId),
      decode,
    })
    for await (const page of pages) {
      const { state, ledger } = projectPage(page, { projector, parent: at, book })
      for (const { row } of ledger) {
        const { code, tableName, scope, primaryKey, reason } = row as Record<string, unknown>
        if (reason !== undefined) this.undecoded.push(`${code}/${scope}/${tableName} ${primaryKey}: ${reason}`)
      }
      count += page.rows.length
      this.noteDestinations(page, state)
      await this.copy(state, stateTables)
    }
    return count
  }

  /** Notes tables that have rows on the node but no indexed ABI: they cannot be compared. */
  private async findUnknown(wanted: readonly WantedTable[]): Promise<void> {
    const { book, block } = this.options
    for (const { code, table } of wanted) {
      if (book.at(code, block, BLOCK_END) !== undefined) continue
      const { scopes, next } = await this.api.scopes(code, table, 0n, 1)
      if (scopes.length > 0 || next !== null) this.undecoded.push(`${code}/${table}: no ABI of ${code} is indexed`)
    }
  }

  /** Tables whose rows went to one of the state tables at an earlier read, and tables not read yet. */
  private feeding(wanted: readonly WantedTable[], stateTables: readonly string[]): WantedTable[] {
    return wanted.filter(({ code, table }) => {
      const destinations = this.destinations.get(`${code}/${table}`)
      return !destinations || stateTables.some((name) => destinations.has(name))
    })
  }

  private noteDestinations({ code, table }: WantedTable, rows: readonly StateRow[]): void {
    const key = `${code}/${table}`
    const known = this.destinations.get(key) ?? new Set()
    for (const row of rows) known.add(row.table)
    this.destinations.set(key, known)
  }

  private async copy(rows: readonly StateRow[], stateTables: readonly string[]): Promise<void> {
    const { client, chain } = this.options
    for (const { table, row } of rows) {
      const target = this.targets.get(table)
      if (target && stateTables.includes(table)) target.encode(row, { chain }, target.buffer)
    }
    for (const { into, buffer } of this.targets.values()) if (buffer.rows > 0) await copyIn(client, into, buffer)
  }
}
