// Rows of one table in one scope, ordered by primary key.

import type { CompiledAbi } from '../../core/antelope/abi/compile.ts'
import { itemAt, required } from '../../core/required.ts'

/** A stored row. Immutable: a change replaces it. */
export class StoredRow {
  readonly value: object
  readonly payer: string
  private readonly abi: CompiledAbi
  private readonly table: string
  private bytes: Uint8Array | undefined

  /** @param abi  of the contract when the row was set; determines the packed form */
  constructor(value: object, payer: string, abi: CompiledAbi, table: string) {
    this.value = value
    this.payer = payer
    this.abi = abi
    this.table = table
  }

  /** Packed form, memoized. */
  get packed(): Uint8Array {
    return (this.bytes ??= this.abi.encodeRow(this.table, this.value))
  }
}

export class TableRows {
  readonly code: string
  readonly scope: string
  readonly table: string
  /** Payer of the first row, as named in `contract_table` deltas. */
  payer = ''
  private readonly byKey = new Map<bigint, StoredRow>()
  private readonly sorted: bigint[] = []
  /** Memoized result of `values`; null after a change. */
  private listed: object[] | null = null

  constructor(code: string, scope: string, table: string) {
    this.code = code
    this.scope = scope
    this.table = table
  }

  get size(): number {
    return this.sorted.length
  }

  get(key: bigint): StoredRow | undefined {
    return this.byKey.get(key)
  }

  /** Sets a row; removes it when undefined. */
  put(key: bigint, row: StoredRow | undefined): void {
    this.listed = null
    const known = this.byKey.has(key)
    if (row) {
      if (this.size === 0) this.payer = row.payer
      this.byKey.set(key, row)
      if (!known) this.sorted.splice(this.indexOf(key), 0, key)
    } else if (known) {
      this.byKey.delete(key)
      this.sorted.splice(this.indexOf(key), 1)
    }
  }

  /** Index of the first key that is not below `key`. */
  indexOf(key: bigint): number {
    let low = 0
    let high = this.sorted.length
    const last = this.sorted.at(-1)
    if (last !== undefined && last < key) return high
    while (low < high) {
      const middle = (low + high) >> 1
      if (itemAt(this.sorted, middle) < key) low = middle + 1
      else high = middle
    }
    return low
  }

  keyAt(index: number): bigint | undefined {
    return this.sorted[index]
  }

  private rowOf(key: bigint): StoredRow {
    return required(this.byKey.get(key), `row ${key}`)
  }

  /** Snapshot of the values in ascending order of their keys. */
  values(): readonly object[] {
    return (this.listed ??= this.sorted.map((key) => this.rowOf(key).value))
  }

  *entries(): Generator<[bigint, StoredRow]> {
    for (const key of this.sorted) yield [key, this.rowOf(key)]
  }
}
