// A block without everything that neither its id, its action root, nor its finality needs: the packed transactions, and
// of the traces all but the actions that are in the action root, and under Savanna the producer's signature. What is left has the layouts of state history, so the
// same code decodes and checks it.
import {
  BLOCK_EXTENSION,
  packSignedBlock,
  readSignedBlock,
  SAVANNA_SCHEDULE_VERSION,
  type SignedBlock,
} from '../../core/antelope/block.ts'
import { type ActionTrace, walkTransactionTraces } from '../../core/antelope/traces.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { NO_SIGNATURE } from './header-streams.ts'

const SOFT_FAIL = 1

/** The parts of a block that a pack stores. */
export interface SlimBlock {
  /** Packed `signed_block` without transactions. */
  block: Uint8Array
  /** Packed `transaction_trace[]`. */
  traces: Uint8Array
  /** Packed `finality_data`; null before Savanna. */
  finality: Uint8Array | null
}

/** @throws DecodeError for bytes that are no block or no traces */
export function slimBlock({ block, traces, finality }: SlimBlock): SlimBlock {
  return { block: slimSigned(readSignedBlock(block)), traces: slimTraces(traces), finality }
}

/** A block whose actions are left out too, for what its header and its certificate say. */
export function slimHeader({ block, finality }: SlimBlock): SlimBlock {
  return { block: slimSigned(readSignedBlock(block)), traces: new Uint8Array([0]), finality }
}

/** Under Savanna certificates confirm a block, and nothing needs the signatures of its producer. */
function slimSigned({ header, packedHeader, signature, extensions }: SignedBlock): Uint8Array {
  if (header.scheduleVersion !== SAVANNA_SCHEDULE_VERSION)
    return packSignedBlock(packedHeader, signature, [], extensions)
  const kept = extensions.filter(({ id }) => id === BLOCK_EXTENSION.quorumCertificate)
  return packSignedBlock(packedHeader, NO_SIGNATURE, [], kept)
}

interface SlimTransaction {
  /** Offset of the id in the frame. */
  id: number
  status: number
  actions: Writer
  count: number
}

function slimTraces(frame: Uint8Array): Uint8Array {
  const transactions: SlimTransaction[] = []
  let current: SlimTransaction | null = null
  walkTransactionTraces(frame, {
    transaction(id, depth) {
      if (depth > 0) return
      current = { id, status: frame[id + 32] as number, actions: new Writer(), count: 0 }
      transactions.push(current)
    },
    action(trace, isInRoot) {
      if (current === null) return
      // The first action of a failed deferred transaction decides whether its others are in the root.
      const decides = current.status === SOFT_FAIL && current.count === 0
      if (!decides && (!isInRoot || trace.receipt < 0)) return
      current.count++
      writeAction(current.actions, frame, trace)
    },
  })
  const kept = transactions.filter(({ count }) => count > 0)
  const writer = new Writer(frame.length)
  writer.varuint32(kept.length)
  for (const transaction of kept) writeTransaction(writer, frame, transaction)
  return writer.finish()
}

/** `transaction_trace_v0`: times, sizes, RAM and the partial transaction are left out. */
function writeTransaction(writer: Writer, frame: Uint8Array, { id, status, actions, count }: SlimTransaction): void {
  writer.varuint32(0)
  writer.bytes(frame.subarray(id, id + 32))
  writer.u8(status)
  writer.u32(0) // cpu_usage_us
  writer.varuint32(0) // net_usage_words
  writer.i64(0n) // elapsed
  writer.u64(0n) // net_usage
  writer.u8(0) // scheduled
  writer.varuint32(count)
  writer.bytes(actions.finish())
  // account_ram_delta, except, error_code, failed_dtrx_trace, partial
  for (let i = 0; i < 5; i++) writer.u8(0)
}

/** `action_trace_v1`, or v0 where the trace has no return value: console, RAM and errors are left out. */
function writeAction(writer: Writer, frame: Uint8Array, trace: ActionTrace): void {
  const { ordinal, creatorOrdinal, receipt, receiptEnd, receiver, dataEnd, returned, returnedEnd } = trace
  const hasReturn = returnedEnd > returned
  writer.varuint32(hasReturn ? 1 : 0)
  writer.varuint32(ordinal)
  writer.varuint32(creatorOrdinal)
  writer.u8(receipt < 0 ? 0 : 1)
  if (receipt >= 0) {
    writer.varuint32(0)
    writer.bytes(frame.subarray(receipt, receiptEnd))
  }
  writer.bytes(frame.subarray(receiver, dataEnd))
  writer.u8(0) // context_free
  writer.i64(0n) // elapsed
  writer.varuint32(0) // console
  writer.varuint32(0) // account_ram_deltas
  writer.u8(0) // except
  writer.u8(0) // error_code
  if (hasReturn) writer.bytes(frame.subarray(returned, returnedEnd))
}
