// Reads the rows of a large query in order through a cursor, a batch at a time. Needs a transaction, and a cursor name
// that is unique in it.
import type { ClientBase } from 'pg'

const BATCH = 5000

export class OrderedRows<T extends { minute: number }> {
  private readonly client: ClientBase
  private readonly name: string
  private rows: T[] = []
  private at = 0
  private isOver = false

  private constructor(client: ClientBase, name: string) {
    this.client = client
    this.name = name
  }

  /** @param sql  ordered by `minute` */
  static async open<T extends { minute: number }>(
    client: ClientBase,
    name: string,
    sql: string,
  ): Promise<OrderedRows<T>> {
    await client.query(`declare ${name} no scroll cursor for ${sql}`)
    return new OrderedRows<T>(client, name)
  }

  /** A reader without rows. */
  static none<T extends { minute: number }>(client: ClientBase): OrderedRows<T> {
    const rows = new OrderedRows<T>(client, '')
    rows.isOver = true
    return rows
  }

  /** Takes the rows up to and including a minute. Call in ascending order of minutes. */
  async of(minute: number): Promise<T[]> {
    const found: T[] = []
    for (;;) {
      if (this.at === this.rows.length && !(await this.read())) return found
      const next = this.rows[this.at] as T
      if (next.minute > minute) return found
      found.push(next)
      this.at++
    }
  }

  private async read(): Promise<boolean> {
    if (this.isOver) return false
    const { rows } = await this.client.query<T>(`fetch ${BATCH} from ${this.name}`)
    this.rows = rows
    this.at = 0
    this.isOver = rows.length < BATCH
    return rows.length > 0
  }
}
