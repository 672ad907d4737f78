// Takes the whole state out of packed table deltas, for snapshots of simulated chains. Shares no code with the decoder.
import type { WrittenSnapshot, WrittenTable } from './snapshot-writer.ts'

class Bytes {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes)
  }

  varuint(): number {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = this.take(1)[0]!
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }

  u64(): bigint {
    return this.take(8).readBigUInt64LE(0)
  }

  take(size: number): Buffer {
    this.#at += size
    return this.#bytes.subarray(this.#at - size, this.#at)
  }
}

/** Accounts and tables of a state, tables in the order of their first row, rows by key. */
export function stateOfDeltas(deltas: Uint8Array): Pick<WrittenSnapshot, 'accounts' | 'tables'> {
  const bytes = new Bytes(deltas)
  const accounts: { name: bigint; abi: Uint8Array }[] = []
  const tables = new Map<string, WrittenTable & { rows: { key: bigint; value: Uint8Array }[] }>()
  for (let left = bytes.varuint(); left > 0; left--) {
    bytes.varuint()
    const name = bytes.take(bytes.varuint()).toString()
    for (let rows = bytes.varuint(); rows > 0; rows--) {
      bytes.take(1)
      const row = new Bytes(bytes.take(bytes.varuint()))
      row.varuint()
      if (name === 'account') {
        const account = row.u64()
        row.take(4)
        accounts.push({ name: account, abi: row.take(row.varuint()) })
      } else if (name === 'contract_row') {
        const [code, scope, table, key] = [row.u64(), row.u64(), row.u64(), row.u64()]
        row.u64()
        const id = `${code}/${scope}/${table}`
        const known = tables.get(id) ?? { code, scope, table, rows: [] }
        known.rows.push({ key, value: row.take(row.varuint()) })
        tables.set(id, known)
      }
    }
  }
  const byKey = (a: { key: bigint }, b: { key: bigint }) => (a.key < b.key ? -1 : 1)
  return { accounts, tables: [...tables.values()].map((table) => ({ ...table, rows: table.rows.toSorted(byKey) })) }
}
