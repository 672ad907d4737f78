// The watched actions of packed transaction traces. All others are skipped without being built.

import { nameOfParts } from '../../core/antelope/name.ts'
import { readU32, readU64 } from '../../core/antelope/raw.ts'
import { type ActionTrace, type TraceVisitor, walkTransactionTraces } from '../../core/antelope/traces.ts'
import { toHex } from '../../core/hex.ts'
import { type ActionPlaces, placesOf } from './action-leaf.ts'
import { MATCH, type Match, type Watch } from './watch.ts'

/** An action that was executed by its own contract; its bytes are a view of the frame. */
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
  /** The frame; the action's data is in [start, end). */
  frame: Uint8Array
  start: number
  end: number
}

/** Gets every action that has a receipt and is in the block's action root. */
export interface ActionCheck {
  add(action: ActionPlaces, isWanted: boolean): void
}

/**
 * Calls `visit`, in the order of the frame, for the watched actions in the block's action root whose receiver is their
 * own account, and for every `setabi`. Notifications, failed and scheduled-only traces are left out. The actions of an
 * error handler of a deferred transaction count: they were executed. Their transaction is the handler's.
 *
 * @param check  gets every action that has a receipt, if given
 * @throws DecodeError for bytes that are not traces, and from `check`; the actions visited before that are void
 */
export function walkTraces(
  frame: Uint8Array,
  watch: Watch,
  visit: (action: RawAction) => void,
  check: ActionCheck | null = null,
): void {
  walkTransactionTraces(frame, new WatchedActions(frame, watch, visit, check))
}

class WatchedActions implements TraceVisitor {
  private readonly frame: Uint8Array
  private readonly watch: Watch
  private readonly visit: (action: RawAction) => void
  private readonly check: ActionCheck | null
  /** Offset of the current transaction's id, and its text once an action needed it. */
  private trxAt = 0
  private trxId = ''

  constructor(frame: Uint8Array, watch: Watch, visit: (action: RawAction) => void, check: ActionCheck | null) {
    this.frame = frame
    this.watch = watch
    this.visit = visit
    this.check = check
  }

  transaction(id: number): void {
    this.trxAt = id
    this.trxId = ''
  }

  action(trace: ActionTrace, isInRoot: boolean): void {
    if (!isInRoot || trace.receipt < 0) return
    const isWanted = this.offer(trace)
    this.check?.add(placesOf(trace), isWanted)
  }

  /** @returns whether the action was visited */
  private offer({ receiver, receipt, ordinal, creatorOrdinal, dataStart, dataEnd }: ActionTrace): boolean {
    const { frame } = this
    const accountLow = readU32(frame, receiver + 8)
    const accountHigh = readU32(frame, receiver + 12)
    // The block commits to the receipt's receiver, not to the trace's.
    if (readU32(frame, receipt) !== accountLow || readU32(frame, receipt + 4) !== accountHigh) return false
    const nameLow = readU32(frame, receiver + 16)
    const nameHigh = readU32(frame, receiver + 20)
    const match = this.watch.matchAction(accountLow, accountHigh, nameLow, nameHigh)
    const isSetAbi = this.watch.isSetAbi(accountLow, accountHigh, nameLow, nameHigh)
    if (match === MATCH.skip && !isSetAbi) return false
    if (this.trxId === '') this.trxId = toHex(frame.subarray(this.trxAt, this.trxAt + 32))
    this.visit({
      match,
      isSetAbi,
      globalSeq: readU64(frame, receipt + 40),
      recvSeq: readU64(frame, receipt + 48),
      trxId: this.trxId,
      ordinal,
      creatorOrdinal,
      account: nameOfParts(accountLow, accountHigh),
      name: nameOfParts(nameLow, nameHigh),
      frame,
      start: dataStart,
      end: dataEnd,
    })
    return true
  }
}
