// Moves the valued rows of a range to the ledger, a slice of blocks at a time, while the next slice is valued.
import type { ClientBase } from 'pg'
import type { Catalog, Table } from '../store/catalog.ts'
import { CopyBuffer } from '../store/copy/copy-buffer.ts'
import { copyIn } from '../store/copy/copy-in.ts'
import { clearValues, createValues, isValuedTable, moveValued, stagedName, VALUES, valuesName } from './sql.ts'
import { tablesOf } from './staging.ts'

export class ValuedMove {
  private readonly client: ClientBase
  private readonly setId: string
  private readonly tables: readonly Table[]
  private buffers: [CopyBuffer, CopyBuffer] = [new CopyBuffer(), new CopyBuffer()]
  /** Move of the previous slice. */
  private moving: Promise<void> = Promise.resolve()

  private constructor(client: ClientBase, setId: string, tables: readonly Table[]) {
    this.client = client
    this.setId = setId
    this.tables = tables
  }

  /** @param client  in the transaction that takes over the range; only for this move until `settle` */
  static async open(client: ClientBase, catalog: Catalog, setId: string): Promise<ValuedMove> {
    const names = await tablesOf(client, setId)
    const tables = [...catalog.values()].filter((table) => isValuedTable(table) && names.has(stagedName(setId, table)))
    await client.query(createValues(setId))
    return new ValuedMove(client, setId, tables)
  }

  /** Values of the next slice's rows. Another buffer after each `start`. */
  get values(): CopyBuffer {
    return this.buffers[0]
  }

  /** Starts to move the rows of blocks [from, to), after the previous slice. @throws the previous slice's error */
  async start(from: number, to: number): Promise<void> {
    await this.moving
    const [full, empty] = this.buffers
    this.buffers = [empty, full]
    this.moving = this.move(full, from, to)
    // Thrown by the next `start` or by `settle`.
    this.moving.catch(() => {})
  }

  /** Waits until no statement is left, also after an error: the next one may be the rollback. @throws the last slice's error */
  async settle(): Promise<void> {
    await this.moving
  }

  private async move(values: CopyBuffer, from: number, to: number): Promise<void> {
    await copyIn(this.client, `staging.${valuesName(this.setId)} (${VALUES.join(', ')})`, values)
    for (const table of this.tables) await this.client.query(moveValued(this.setId, table, from, to))
    await this.client.query(clearValues(this.setId))
  }
}
