// The built-in types of ABIs 1.0 to 1.3, each with the source of its reader and writer.
// `read` is an expression: for a fixed size over bytes `b` at the given offset, else over a cursor `c`. `write` is a
// statement over a writer `w`. These expressions use the names in `runtime.ts`.

export interface Builtin {
  name: string
  /** Fixed size in bytes, or -1. */
  size: number
  /** Minimum size in bytes. */
  min: number
  read: (at: string) => string
  write: (value: string) => string
}

export const BUILTINS: ReadonlyMap<string, Builtin> = new Map(
  [
    fixed(
      'bool',
      1,
      (p) => `readBool(b, ${p})`,
      (v) => `writeBool(w, ${v})`,
    ),
    fixed(
      'int8',
      1,
      (p) => `(b[${p}] << 24 >> 24)`,
      (v) => `writeSigned(w, ${v}, 8)`,
    ),
    fixed(
      'uint8',
      1,
      (p) => `b[${p}]`,
      (v) => `w.u8(${v})`,
    ),
    fixed(
      'int16',
      2,
      (p) => `((b[${p}] | b[${p} + 1] << 8) << 16 >> 16)`,
      (v) => `writeSigned(w, ${v}, 16)`,
    ),
    fixed(
      'uint16',
      2,
      (p) => `(b[${p}] | b[${p} + 1] << 8)`,
      (v) => `w.u16(${v})`,
    ),
    fixed(
      'int32',
      4,
      (p) => `(readU32(b, ${p}) | 0)`,
      (v) => `w.i32(${v})`,
    ),
    fixed(
      'uint32',
      4,
      (p) => `readU32(b, ${p})`,
      (v) => `w.u32(${v})`,
    ),
    fixed(
      'int64',
      8,
      (p) => `readI64(b, ${p})`,
      (v) => `w.i64(wide(${v}))`,
    ),
    fixed(
      'uint64',
      8,
      (p) => `readU64(b, ${p})`,
      (v) => `w.u64(wide(${v}))`,
    ),
    fixed(
      'int128',
      16,
      (p) => `readI128(b, ${p})`,
      (v) => `w.i128(wide(${v}))`,
    ),
    fixed(
      'uint128',
      16,
      (p) => `readU128(b, ${p})`,
      (v) => `w.u128(wide(${v}))`,
    ),
    fixed(
      'float32',
      4,
      (p) => `readF32(b, ${p})`,
      (v) => `writeFloat(w, ${v}, 4)`,
    ),
    fixed(
      'float64',
      8,
      (p) => `readF64(b, ${p})`,
      (v) => `writeFloat(w, ${v}, 8)`,
    ),
    fixed(
      'float128',
      16,
      (p) => `copyBytes(b, ${p}, ${p} + 16)`,
      (v) => `writeFixedBytes(w, ${v}, 16)`,
    ),
    fixed(
      'time_point',
      8,
      (p) => `readI64(b, ${p})`,
      (v) => `w.i64(wide(${v}))`,
    ),
    fixed(
      'time_point_sec',
      4,
      (p) => `TimePoint.ofSeconds(readU32(b, ${p}))`,
      (v) => `w.u32(${v}.seconds)`,
    ),
    fixed(
      'block_timestamp_type',
      4,
      (p) => `slotToMs(readU32(b, ${p}))`,
      (v) => `writeBlockTime(w, ${v})`,
    ),
    fixed(
      'name',
      8,
      (p) => `readName(b, ${p})`,
      (v) => `w.name(${v})`,
    ),
    fixed(
      'checksum160',
      20,
      (p) => `readHex(b, ${p}, 20)`,
      (v) => `writeHex(w, ${v}, 20)`,
    ),
    fixed(
      'checksum256',
      32,
      (p) => `readHex(b, ${p}, 32)`,
      (v) => `writeHex(w, ${v}, 32)`,
    ),
    fixed(
      'checksum512',
      64,
      (p) => `readHex(b, ${p}, 64)`,
      (v) => `writeHex(w, ${v}, 64)`,
    ),
    fixed(
      'symbol',
      8,
      (p) => `readSymbol(b, ${p})`,
      (v) => `writeSymbol(w, ${v})`,
    ),
    fixed(
      'symbol_code',
      8,
      (p) => `readSymbolCode(b, ${p})`,
      (v) => `writeSymbolCode(w, ${v})`,
    ),
    fixed(
      'asset',
      16,
      (p) => `readAsset(b, ${p})`,
      (v) => `writeAsset(w, ${v})`,
    ),
    fixed(
      'extended_asset',
      24,
      (p) => `readExtendedAsset(b, ${p})`,
      (v) => `writeExtendedAsset(w, ${v})`,
    ),
    open('varuint32', 1, 'c.varuint32()', (v) => `w.varuint32(${v})`),
    open('varint32', 1, 'readVarint(c)', (v) => `writeVarint(w, ${v})`),
    open('bytes', 1, 'readBytes(c)', (v) => `writeBytes(w, ${v})`),
    open('string', 1, 'c.string()', (v) => `w.string(${v})`),
    open('public_key', 34, 'readPublicKey(c)', (v) => `w.bytes(packPublicKey(${v}))`),
    open('signature', 66, 'readSignature(c)', (v) => `w.bytes(packSignature(${v}))`),
    open('bitset', 1, 'readBitset(c)', (v) => `writeBitset(w, ${v})`),
  ].map((builtin) => [builtin.name, builtin]),
)

function fixed(name: string, size: number, read: Builtin['read'], write: Builtin['write']): Builtin {
  return { name, size, min: size, read, write }
}

function open(name: string, min: number, read: string, write: Builtin['write']): Builtin {
  return { name, size: -1, min, read: () => read, write }
}
