// Applies table deltas to plain maps, in the simplest way. Copies the maps for each block, to restore them after a
// fork.

import type { Plain } from './wharf.ts'

export class Mirror {
  /** Rows by `code/scope/table/key`: the value in hex, and the payer. */
  rows = new Map<string, string>()
  /** Packed ABI in hex by account name. */
  accounts = new Map<string, string>()
  tables = new Set<string>()
  private readonly copies = new Map<number, [Map<string, string>, Map<string, string>, Set<string>]>()

  apply(result: Plain): void {
    const num = result.this_block.block_num
    const before = this.copies.get(num - 1)
    if (before) [this.rows, this.accounts, this.tables] = [new Map(before[0]), new Map(before[1]), new Set(before[2])]
    for (const [, { name, rows }] of result.deltas) {
      for (const { present, data } of rows) this.row(name, present, data)
    }
    this.copies.set(num, [new Map(this.rows), new Map(this.accounts), new Set(this.tables)])
  }

  private row(name: string, present: boolean, [, data]: Plain): void {
    const path = `${data.code}/${data.scope}/${data.table}`
    if (name === 'account') this.accounts.set(data.name, data.abi)
    if (name === 'contract_table') {
      if (present === this.tables.has(path)) throw new Error(`table ${path} comes or goes twice`)
      if (present) this.tables.add(path)
      else this.tables.delete(path)
    }
    if (name !== 'contract_row') return
    const key = `${path}/${data.primary_key}`
    if (present) this.rows.set(key, data.value)
    else if (this.rows.get(key) !== data.value) throw new Error(`${key} goes with a value that it did not have`)
    else this.rows.delete(key)
  }
}
