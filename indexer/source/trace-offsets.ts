// Finds the offsets of transaction ids and global sequences in packed traces (`transaction_trace[]`), skipping
// everything else. Run once for a block that is then copied and patched many times.
import { Reader } from '../../core/antelope/reader.ts'
import { DecodeError } from '../../core/errors.ts'

export interface TraceOffsets {
  /** Offsets of transaction ids, 32 bytes each; includes failed deferred transactions inside a trace. */
  ids: number[]
  /** Offsets of global sequences, u64 each. */
  sequences: number[]
}

/** @throws DecodeError when the bytes are malformed, truncated or have trailing bytes */
export function traceOffsets(traces: Uint8Array): TraceOffsets {
  const reader = new Reader(traces)
  const offsets: TraceOffsets = { ids: [], sequences: [] }
  repeat(reader, () => walkTransaction(reader, offsets))
  if (reader.remaining > 0) throw new DecodeError('TRACES', `${reader.remaining} bytes follow the traces`)
  return offsets
}

function walkTransaction(reader: Reader, offsets: TraceOffsets): void {
  variant(reader, 0)
  offsets.ids.push(reader.pos)
  reader.skip(32 + 1 + 4) // id, status, cpu_usage_us
  reader.varuint32() // net_usage_words
  reader.skip(8 + 8 + 1) // elapsed, net_usage, scheduled
  repeat(reader, () => walkAction(reader, offsets))
  optional(reader, () => reader.skip(16)) // account_ram_delta
  optional(reader, () => reader.lengthBytes()) // except
  optional(reader, () => reader.skip(8)) // error_code
  optional(reader, () => walkTransaction(reader, offsets)) // failed_dtrx_trace
  optional(reader, () => walkPartial(reader))
}

function walkAction(reader: Reader, offsets: TraceOffsets): void {
  const version = variant(reader, 1)
  reader.varuint32() // action_ordinal
  reader.varuint32() // creator_action_ordinal
  optional(reader, () => walkReceipt(reader, offsets))
  reader.skip(8 + 8 + 8) // receiver, account, name
  repeat(reader, () => reader.skip(16)) // authorization
  reader.lengthBytes() // data
  reader.skip(1 + 8) // context_free, elapsed
  reader.lengthBytes() // console
  repeat(reader, () => reader.skip(16)) // account_ram_deltas
  optional(reader, () => reader.lengthBytes()) // except
  optional(reader, () => reader.skip(8)) // error_code
  if (version === 1) reader.lengthBytes() // return_value
}

function walkReceipt(reader: Reader, offsets: TraceOffsets): void {
  variant(reader, 0)
  reader.skip(8 + 32) // receiver, act_digest
  offsets.sequences.push(reader.pos)
  reader.skip(8 + 8) // global_sequence, recv_sequence
  repeat(reader, () => reader.skip(16)) // auth_sequence
  reader.varuint32() // code_sequence
  reader.varuint32() // abi_sequence
}

function walkPartial(reader: Reader): void {
  variant(reader, 0)
  reader.skip(4 + 2 + 4) // expiration, ref_block_num, ref_block_prefix
  reader.varuint32() // max_net_usage_words
  reader.skip(1) // max_cpu_usage_ms
  reader.varuint32() // delay_sec
  repeat(reader, () => {
    reader.skip(2)
    reader.lengthBytes()
  }) // transaction_extensions
  repeat(reader, () => walkSignature(reader))
  repeat(reader, () => reader.lengthBytes()) // context_free_data
}

function walkSignature(reader: Reader): void {
  const type = reader.u8()
  reader.skip(65)
  if (type !== 2) return
  reader.lengthBytes()
  reader.lengthBytes()
}

function variant(reader: Reader, highest: number): number {
  const index = reader.varuint32()
  if (index > highest) throw new DecodeError('TRACES', `unknown trace version ${index} at offset ${reader.pos - 1}`)
  return index
}

function optional(reader: Reader, walk: () => void): void {
  if (reader.flag()) walk()
}

function repeat(reader: Reader, walk: () => void): void {
  for (let left = reader.varuint32(); left > 0; left--) walk()
}
