// The one walker of packed transaction traces: state history's `transaction_trace[]` with action traces v0 and v1 and
// partial transactions v0 and v1. It builds no objects: a visitor gets offsets in the frame.
import { DecodeError } from '../errors.ts'
import { skipSignature } from './abi/keys.ts'
import { nameToU64 } from './name.ts'
import { Reader } from './reader.ts'

/** Offsets of an action trace in its frame. One object serves all actions: it is valid during the call. */
export interface ActionTrace {
  ordinal: number
  creatorOrdinal: number
  /** Offset of the receipt's receiver; -1 without a receipt. The receipt ends at `receiptEnd`, after its ABI sequence. */
  receipt: number
  receiptEnd: number
  /** Offset of the trace's receiver. The action follows: account, name, authorisations and packed data. */
  receiver: number
  /** Offset of the length of the data. The data begins at `dataStart` and ends before `dataEnd`. */
  data: number
  dataStart: number
  dataEnd: number
  /** Offset of the length of the return value, and its end; equal where the trace has none. */
  returned: number
  returnedEnd: number
}

export interface TraceVisitor {
  /**
   * @param id     offset of the transaction id
   * @param depth  0 for a transaction of the block; more for the failure inside a failed deferred transaction
   */
  transaction?(id: number, depth: number): void
  /**
   * @param isInRoot  whether the action was executed: the block's action root covers its receipt, if it has one
   */
  action(action: ActionTrace, isInRoot: boolean): void
}

const EXECUTED = 0
/** A deferred transaction failed and its error handler ran: a trace of `onerror`, whose actions are in the action root. */
const SOFT_FAIL = 1
const ONERROR = nameToU64('onerror')
/** Limit of nested failure traces: nodes write one level. */
const MAX_DEPTH = 4

/** @throws DecodeError for bytes that are not traces, and from the visitor */
export function walkTransactionTraces(frame: Uint8Array, visitor: TraceVisitor): void {
  new TraceWalker(frame, visitor).walk()
}

class TraceWalker {
  private readonly reader: Reader
  private readonly visitor: TraceVisitor
  private readonly trace: ActionTrace = {
    ordinal: 0,
    creatorOrdinal: 0,
    receipt: -1,
    receiptEnd: 0,
    receiver: 0,
    data: 0,
    dataStart: 0,
    dataEnd: 0,
    returned: 0,
    returnedEnd: 0,
  }

  constructor(frame: Uint8Array, visitor: TraceVisitor) {
    this.reader = new Reader(frame)
    this.visitor = visitor
  }

  walk(): void {
    const r = this.reader
    const count = r.varuint32()
    for (let i = 0; i < count; i++) this.transaction(0)
    if (r.remaining > 0) throw new DecodeError('TRAILING_BYTES', `${r.remaining} bytes are left after the traces`)
  }

  private transaction(depth: number): void {
    const r = this.reader
    if (depth > MAX_DEPTH) throw new DecodeError('TOO_DEEP', 'traces of failed transactions nest too deep')
    variant(r, 0, 'transaction_trace')
    this.visitor.transaction?.(r.pos, depth)
    r.skip(32)
    const status = r.u8()
    const hasHandler = status === SOFT_FAIL && depth === 0
    r.skip(4) // cpu_usage_us
    r.varuint32() // net_usage_words
    r.skip(8 + 8 + 1) // elapsed, net_usage, scheduled
    const count = r.varuint32()
    // The action root does not commit to the status: it must not hide actions that the root has.
    let isInRoot = status === EXECUTED && depth === 0
    for (let i = 0; i < count; i++) {
      if (i === 0 && hasHandler) isInRoot = this.nextName() === ONERROR
      this.action(isInRoot)
    }
    if (r.flag()) r.skip(16) // account_ram_delta
    if (r.flag()) skipBytes(r) // except
    if (r.flag()) r.skip(8) // error_code
    if (r.flag()) this.transaction(depth + 1) // failed_dtrx_trace
    if (r.flag()) skipPartial(r)
  }

  /** Name of the next action trace, without moving. */
  private nextName(): bigint {
    const r = this.reader
    const { pos } = r
    variant(r, 1, 'action_trace')
    r.varuint32()
    r.varuint32()
    if (r.flag()) skipReceipt(r)
    r.skip(8 + 8)
    const name = r.u64()
    r.pos = pos
    return name
  }

  private action(isInRoot: boolean): void {
    const r = this.reader
    const t = this.trace
    const version = variant(r, 1, 'action_trace')
    t.ordinal = r.varuint32()
    t.creatorOrdinal = r.varuint32()
    t.receipt = -1
    if (r.flag()) {
      t.receipt = r.pos + 1
      skipReceipt(r)
    }
    t.receiptEnd = r.pos
    t.receiver = r.pos
    r.skip(8 + 8 + 8) // receiver, account, name
    r.skip(16 * r.varuint32()) // authorization
    t.data = r.pos
    const size = r.varuint32()
    t.dataStart = r.pos
    t.dataEnd = r.pos + size
    r.skip(size + 1 + 8) // data, context_free, elapsed
    skipBytes(r) // console
    r.skip(16 * r.varuint32()) // account_ram_deltas
    if (r.flag()) skipBytes(r) // except
    if (r.flag()) r.skip(8) // error_code
    t.returned = r.pos
    if (version === 1) skipBytes(r) // return_value
    t.returnedEnd = r.pos
    this.visitor.action(t, isInRoot)
  }
}

/** Index of a variant, at most `last`. */
function variant(r: Reader, last: number, type: string): number {
  const index = r.varuint32()
  if (index <= last) return index
  throw new DecodeError('INVALID_VARIANT', `${type} has the unknown version ${index} at offset ${r.pos - 1}`)
}

function skipReceipt(r: Reader): void {
  variant(r, 0, 'action_receipt')
  r.skip(8 + 32 + 8 + 8) // receiver, act_digest, global_sequence, recv_sequence
  r.skip(16 * r.varuint32()) // auth_sequence
  r.varuint32() // code_sequence
  r.varuint32() // abi_sequence
}

/** The rest of a transaction that is not in the block. Nodes with pruned transactions write v1. */
function skipPartial(r: Reader): void {
  const version = variant(r, 1, 'partial_transaction')
  r.skip(4 + 2 + 4) // expiration, ref_block_num, ref_block_prefix
  r.varuint32() // max_net_usage_words
  r.skip(1) // max_cpu_usage_ms
  r.varuint32() // delay_sec
  repeat(r, skipExtension)
  if (version === 1) {
    if (r.flag()) skipPrunable(r)
    return
  }
  repeat(r, skipSignature)
  repeat(r, skipBytes) // context_free_data
}

function skipPrunable(r: Reader): void {
  const kind = variant(r, 3, 'prunable_data_type')
  if (kind === 1) {
    r.skip(32) // prunable_digest
    return
  }
  repeat(r, skipSignature)
  if (kind === 0) skipBytes(r) // packed_context_free_data
  if (kind === 2) repeat(r, skipSegment)
  if (kind === 3) repeat(r, skipBytes)
}

function skipSegment(r: Reader): void {
  if (variant(r, 1, 'context_free_segment_type') === 0) r.skip(32)
  else skipBytes(r)
}

function skipExtension(r: Reader): void {
  r.skip(2)
  skipBytes(r)
}

function skipBytes(r: Reader): void {
  r.skip(r.varuint32())
}

/** Skips a list. Each item takes at least a byte, so a false count ends at the end of the frame. */
function repeat(r: Reader, skip: (r: Reader) => void): void {
  const count = r.varuint32()
  for (let i = 0; i < count; i++) skip(r)
}
