// Offsets of transaction ids and global sequences in packed traces, for a block that is copied and patched many times.
import { walkTransactionTraces } from '../../core/antelope/traces.ts'

export interface TraceOffsets {
  /** Offsets of transaction ids, 32 bytes each, including ids of failed deferred transactions inside a trace. */
  ids: number[]
  /** Offsets of global sequences, u64 each. */
  sequences: number[]
}

const GLOBAL_SEQUENCE_AT = 40

/** @throws DecodeError for bytes that are not traces */
export function traceOffsets(traces: Uint8Array): TraceOffsets {
  const offsets: TraceOffsets = { ids: [], sequences: [] }
  walkTransactionTraces(traces, {
    transaction: (id) => offsets.ids.push(id),
    action: ({ receipt }) => {
      if (receipt >= 0) offsets.sequences.push(receipt + GLOBAL_SEQUENCE_AT)
    },
  })
  return offsets
}
