// Writes Thrift's compact protocol, in which Parquet stores its metadata.

const KIND = { true: 1, false: 2, int8: 3, int32: 5, int64: 6, binary: 8, list: 9, struct: 12 } as const

export type Write = (out: ThriftWriter) => void

export class ThriftWriter {
  private readonly parts: Uint8Array[] = []
  private bytes: number[] = []
  private lastField = 0

  /** A struct. Write fields in ascending order. */
  struct(write: Write): this {
    const outer = this.lastField
    this.lastField = 0
    write(this)
    this.bytes.push(0)
    this.lastField = outer
    return this
  }

  int32(field: number, value: number): void {
    this.field(field, KIND.int32)
    this.varint(zigzag(BigInt(value)))
  }

  int64(field: number, value: number | bigint): void {
    this.field(field, KIND.int64)
    this.varint(zigzag(BigInt(value)))
  }

  /** One byte. */
  int8(field: number, value: number): void {
    this.field(field, KIND.int8)
    this.bytes.push(value & 255)
  }

  bool(field: number, value: boolean): void {
    this.field(field, value ? KIND.true : KIND.false)
  }

  binary(field: number, value: Uint8Array | string): void {
    this.field(field, KIND.binary)
    this.raw(value)
  }

  child(field: number, write: Write): void {
    this.field(field, KIND.struct)
    this.struct(write)
  }

  structs(field: number, items: readonly Write[]): void {
    this.list(field, KIND.struct, items.length)
    for (const write of items) this.struct(write)
  }

  int32s(field: number, items: readonly number[]): void {
    this.list(field, KIND.int32, items.length)
    for (const value of items) this.varint(zigzag(BigInt(value)))
  }

  texts(field: number, items: readonly string[]): void {
    this.list(field, KIND.binary, items.length)
    for (const value of items) this.raw(value)
  }

  take(): Buffer {
    this.parts.push(Uint8Array.from(this.bytes))
    this.bytes = []
    return Buffer.concat(this.parts)
  }

  private raw(value: Uint8Array | string): void {
    const found = typeof value === 'string' ? Buffer.from(value) : value
    this.varint(BigInt(found.length))
    this.parts.push(Uint8Array.from(this.bytes), found)
    this.bytes = []
  }

  private list(field: number, kind: number, length: number): void {
    this.field(field, KIND.list)
    if (length < 15) this.bytes.push((length << 4) | kind)
    else {
      this.bytes.push(0xf0 | kind)
      this.varint(BigInt(length))
    }
  }

  private field(field: number, kind: number): void {
    const step = field - this.lastField
    if (step > 0 && step <= 15) this.bytes.push((step << 4) | kind)
    else {
      this.bytes.push(kind)
      this.varint(zigzag(BigInt(field)))
    }
    this.lastField = field
  }

  private varint(value: bigint): void {
    let rest = value
    for (; rest > 127n; rest >>= 7n) this.bytes.push(Number(rest & 127n) | 128)
    this.bytes.push(Number(rest))
  }
}

function zigzag(value: bigint): bigint {
  return value < 0n ? -2n * value - 1n : 2n * value
}
