// Writes snapshots as nodes of EOSIO, Leap and Spring do, from the description of the format alone: shares no code with
// the reader.

export interface WrittenRow {
  key: bigint
  value: Uint8Array
}

export interface WrittenTable {
  code: bigint
  scope: bigint
  table: bigint
  /** Ascending by key. */
  rows: readonly WrittenRow[]
  /** Number of rows of the secondary indexes: 64, 128, 256 bits, double, long double. */
  secondary?: readonly [number, number, number, number, number]
}

export interface WrittenSnapshot {
  version: number
  /** The row of the section `eosio::chain::block_state`. */
  blockState: Uint8Array
  /** 64 hex digits; in version 2 the hash of `genesis`. */
  chainId: string
  genesis?: Uint8Array
  accounts: readonly { name: bigint; abi: Uint8Array }[]
  tables: readonly WrittenTable[]
}

const u8 = (value: number) => Buffer.of(value)
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

function varuint(value: number): Buffer {
  const bytes: number[] = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128)
  return Buffer.from([...bytes, value])
}

export function section(name: string, count: number, rows: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat([u64(BigInt(count)), Buffer.from(name), u8(0), ...rows])
  return Buffer.concat([u64(BigInt(body.length)), body])
}

const of = (type: string) => `eosio::chain::${type}`
/** Sizes of a secondary row: key (u64), payer (u64) and the index's value. */
const SECONDARY = [
  ['index64_object', 24],
  ['index128_object', 32],
  ['index256_object', 48],
  ['index_double_object', 24],
  ['index_long_double_object', 32],
] as const

const secondaryOf = ({ secondary = [0, 0, 0, 0, 0] }: WrittenTable) => secondary

function tableId(table: WrittenTable): Buffer {
  const count = table.rows.length + secondaryOf(table).reduce((sum, size) => sum + size, 0)
  return Buffer.concat([u64(table.code), u64(table.scope), u64(table.table), u64(table.code), u32(count)])
}

const keyValue = ({ key, value }: WrittenRow) => Buffer.concat([u64(key), u64(0x1234n), varuint(value.length), value])

/** Until version 6: one section with everything. */
function combined(tables: readonly WrittenTable[]): Buffer[] {
  let count = 0
  const parts: Uint8Array[] = []
  for (const table of tables) {
    parts.push(tableId(table), varuint(table.rows.length), ...table.rows.map(keyValue))
    count += 7 + table.rows.length
    for (const [index, size] of secondaryOf(table).entries()) {
      parts.push(varuint(size), Buffer.alloc(size * SECONDARY[index]![1], 0xee))
      count += size
    }
  }
  return [section('contract_tables', count, parts)]
}

/** From version 8 on: a section for the tables, and one for each kind of rows. */
function split(tables: readonly WrittenTable[]): Buffer[] {
  const groups = (sizeOf: (table: WrittenTable) => number, rowsOf: (table: WrittenTable) => Uint8Array[]) => {
    const parts: Uint8Array[] = []
    let count = 0
    for (const [number, table] of tables.entries()) {
      const size = sizeOf(table)
      if (size === 0) continue
      parts.push(u64(BigInt(number)), varuint(size), ...rowsOf(table))
      count += 2 + size
    }
    return [count, parts] as const
  }
  return [
    section(of('table_id_object'), tables.length, tables.map(tableId)),
    section(of('code_object'), 1, [Buffer.alloc(50, 0xcc)]),
    section(
      of('key_value_object'),
      ...groups(
        ({ rows }) => rows.length,
        ({ rows }) => rows.map(keyValue),
      ),
    ),
    ...SECONDARY.map(([name, bytes], index) =>
      section(
        of(name),
        ...groups(
          (table) => secondaryOf(table)[index]!,
          (table) => [Buffer.alloc(secondaryOf(table)[index]! * bytes, 0xee)],
        ),
      ),
    ),
  ]
}

/** A proposed schedule: version 3, one producer with one K1 key. */
function proposed(version: number): Buffer {
  const key = Buffer.concat([u8(0), Buffer.alloc(33, 2)])
  const authority = version === 2 ? key : Buffer.concat([u8(0), u32(1), u8(1), key, Buffer.of(1, 0)])
  return Buffer.concat([u8(1), u32(77), u32(3), u8(1), u64(0x5530ea0000000000n), authority])
}

function properties({ version, chainId }: WrittenSnapshot): Buffer {
  const config = Buffer.alloc(version >= 5 ? 72 : 68, 0xaa)
  const id = version === 2 ? [] : [Buffer.from(chainId, 'hex')]
  const limits = version <= 3 ? 0 : version <= 5 ? 12 + 44 : 44
  return Buffer.concat([proposed(version), config, ...id, Buffer.alloc(limits, 0xbb)])
}

export function writeSections(snapshot: WrittenSnapshot): Buffer[] {
  const { version, blockState, genesis, accounts, tables } = snapshot
  const abis = accounts.map(({ name, abi }) => Buffer.concat([u64(name), u32(7), varuint(abi.length), abi]))
  return [
    section(of('chain_snapshot_header'), 1, [u32(version)]),
    ...(version === 2 && genesis ? [section(of('genesis_state'), 1, [genesis])] : []),
    section(of('block_state'), 1, [blockState]),
    section(of('account_object'), accounts.length, abis),
    section(of('account_metadata_object'), accounts.length, [Buffer.alloc(accounts.length * 10, 0xdd)]),
    section(of('global_property_object'), 1, [properties(snapshot)]),
    ...(version === 4 ? [section(of('kv_object'), 1, [Buffer.alloc(90, 0x99)])] : []),
    ...(version >= 8 ? split(tables) : combined(tables)),
    section(of('permission_object'), 1, [Buffer.alloc(60, 0x88)]),
  ]
}

export function joinSections(sections: readonly Uint8Array[]): Buffer {
  return Buffer.concat([u32(0x30510550), u32(1), ...sections, Buffer.alloc(8, 0xff)])
}

export function writeSnapshot(snapshot: WrittenSnapshot): Buffer {
  return joinSections(writeSections(snapshot))
}
