// Walks packed transaction traces and visits the watched actions; the rest is skipped without being built. The layout
// is state history's `transaction_trace[]` with action traces v0 and v1.

import { skipSignature } from '../../core/antelope/abi/keys.ts'
import { nameOfParts, nameToU64 } from '../../core/antelope/name.ts'
import { readU32, readU64 } from '../../core/antelope/raw.ts'
import { Reader } from '../../core/antelope/reader.ts'
import { DecodeError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import type { ActionPlaces } from './action-leaf.ts'
import { MATCH, type Match, type Watch } from './watch.ts'

/** An action executed by its own contract; its data is a range of the frame. */
export interface RawAction {
  match: Match
  isSetAbi: boolean
  globalSeq: bigint
  recvSeq: bigint
  trxId: string
  ordinal: number
  creatorOrdinal: number
  account: string
  name: string
  /** The frame; the action's data is the range [start, end). */
  frame: Uint8Array
  start: number
  end: number
}

/** Receives every action that has a receipt and is in the block's action root. */
export interface ActionCheck {
  add(action: ActionPlaces, isWanted: boolean): void
}

const EXECUTED = 0
/** A deferred transaction that failed and whose error handler ran: its `onerror` actions are in the action root. */
const SOFT_FAIL = 1
const ONERROR = nameToU64('onerror')
/** A failed deferred transaction contains the trace of its failure. A valid frame nests no deeper. */
const TRACE_DEPTH_LIMIT = 4

/**
 * Visits, in the order of the frame, the watched actions of executed transactions that have a receipt and whose
 * receiver is their own account, and every `setabi`. Leaves out notifications and traces of failed or only scheduled
 * transactions.
 *
 * @param check  receives every action that has a receipt
 * @throws DecodeError for malformed traces, and errors of `check`; discard the actions visited before
 */
export function walkTraces(
  frame: Uint8Array,
  watch: Watch,
  visit: (action: RawAction) => void,
  check: ActionCheck | null = null,
): void {
  new TraceWalker(frame, watch, visit, check).walk()
}

class TraceWalker {
  private readonly reader: Reader
  private readonly watch: Watch
  private readonly visit: (action: RawAction) => void
  private readonly check: ActionCheck | null
  /** Offset of the current transaction's id, and its text once an action needs it. */
  private trxAt = 0
  private trxId = ''

  constructor(frame: Uint8Array, watch: Watch, visit: (action: RawAction) => void, check: ActionCheck | null) {
    this.reader = new Reader(frame)
    this.watch = watch
    this.visit = visit
    this.check = check
  }

  walk(): void {
    const r = this.reader
    const count = r.varuint32()
    for (let i = 0; i < count; i++) this.transaction(0)
    if (r.remaining > 0) throw new DecodeError('TRAILING_BYTES', `${r.remaining} bytes are left behind the traces`)
  }

  private transaction(depth: number): void {
    const r = this.reader
    if (depth > TRACE_DEPTH_LIMIT) throw new DecodeError('TOO_DEEP', 'traces of failed transactions nest too deep')
    variant(r, 0, 'transaction_trace')
    this.trxAt = r.pos
    this.trxId = ''
    r.skip(32)
    const status = r.u8()
    const executed = status === EXECUTED && depth === 0
    const hasHandler = status === SOFT_FAIL && depth === 0
    r.skip(4) // cpu_usage_us
    r.varuint32() // net_usage_words
    r.skip(8 + 8 + 1) // elapsed, net_usage, scheduled
    const count = r.varuint32()
    // No block commits to the status: without the name `onerror`, the actions are those of an executed transaction.
    let isInRoot = executed
    for (let i = 0; i < count; i++) {
      if (i === 0 && hasHandler) isInRoot = this.nameAhead() === ONERROR
      this.action(executed, isInRoot)
    }
    if (r.flag()) r.skip(16) // account_ram_delta
    if (r.flag()) r.skip(r.varuint32()) // except
    if (r.flag()) r.skip(8) // error_code
    if (r.flag()) this.transaction(depth + 1) // failed_dtrx_trace
    if (r.flag()) skipPartial(r)
  }

  /** Name of the next action trace. */
  private nameAhead(): bigint {
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

  private action(executed: boolean, isInRoot: boolean): void {
    const r = this.reader
    const version = variant(r, 1, 'action_trace')
    const ordinal = r.varuint32()
    const creatorOrdinal = r.varuint32()
    let receiptAt = -1
    if (r.flag()) {
      receiptAt = r.pos + 1
      skipReceipt(r)
    }
    const receiptEnd = r.pos
    const at = r.pos
    r.skip(8 + 8 + 8) // receiver, account, name
    r.skip(16 * r.varuint32()) // authorization
    const sizeAt = r.pos
    const size = r.varuint32()
    const start = r.pos
    r.skip(size + 1 + 8) // data, context_free, elapsed
    r.skip(r.varuint32()) // console
    r.skip(16 * r.varuint32()) // account_ram_deltas
    if (r.flag()) r.skip(r.varuint32()) // except
    if (r.flag()) r.skip(8) // error_code
    const returned = r.pos
    if (version === 1) r.skip(r.varuint32()) // return_value
    if (!isInRoot || receiptAt < 0) return
    const end = start + size
    const isWanted = executed && this.offer(at, receiptAt, ordinal, creatorOrdinal, start, end)
    if (!this.check) return
    const returnedEnd = r.pos
    const places = {
      receipt: receiptAt,
      receiptEnd,
      account: at + 8,
      data: sizeAt,
      dataEnd: end,
      returned,
      returnedEnd,
    }
    this.check.add(places, isWanted)
  }

  /** @returns whether the action was visited */
  private offer(at: number, receiptAt: number, ordinal: number, creator: number, start: number, end: number): boolean {
    const data = this.reader.data
    const accountLow = readU32(data, at + 8)
    const accountHigh = readU32(data, at + 12)
    // Uses the receiver of the receipt, which the block commits to, instead of the trace's.
    if (readU32(data, receiptAt) !== accountLow || readU32(data, receiptAt + 4) !== accountHigh) return false
    const nameLow = readU32(data, at + 16)
    const nameHigh = readU32(data, at + 20)
    const match = this.watch.matchAction(accountLow, accountHigh, nameLow, nameHigh)
    const isSetAbi = this.watch.isSetAbi(accountLow, accountHigh, nameLow, nameHigh)
    if (match === MATCH.skip && !isSetAbi) return false
    if (this.trxId === '') this.trxId = toHex(data.subarray(this.trxAt, this.trxAt + 32))
    this.visit({
      match,
      isSetAbi,
      globalSeq: readU64(data, receiptAt + 40),
      recvSeq: readU64(data, receiptAt + 48),
      trxId: this.trxId,
      ordinal,
      creatorOrdinal: creator,
      account: nameOfParts(accountLow, accountHigh),
      name: nameOfParts(nameLow, nameHigh),
      frame: data,
      start,
      end,
    })
    return true
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

/** The part of a transaction that its trace keeps; v1 comes from servers with pruned transactions. */
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

/** Skips a list. Each item has at least one byte, so a wrong count stops at the end of the frame. */
function repeat(r: Reader, skip: (r: Reader) => void): void {
  const count = r.varuint32()
  for (let i = 0; i < count; i++) skip(r)
}
