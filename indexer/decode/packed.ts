// Decodes a block of state history: header, watched actions, ABI changes, watched rows.

import { copyBytes } from '../../core/antelope/abi/values.ts'
import { readU32 } from '../../core/antelope/raw.ts'
import { Reader } from '../../core/antelope/reader.ts'
import { slotToMs } from '../../core/antelope/time.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import type { PackedBlock } from '../source/source.ts'
import { type AbiBook, type AbiChange, BLOCK_END } from './abi-book.ts'
import { attempt, isKnownAction, Reason } from './attempt.ts'
import { BlockCheck } from './block-check.ts'
import type { DecodedAction, DecodedBlock, DecodedRow, RowChunk, UndecodedAction, UndecodedRow } from './decoded.ts'
import { accountRows, contractRows, type RawAccount, type RawRow, watchedRows } from './deltas.ts'
import { type RawAction, walkTraces } from './traces.ts'
import { MATCH, type Watch } from './watch.ts'

/** Deltas above this size are decoded in chunks of CHUNK_ROWS rows. */
const STREAMED_BYTES = 16 * 1024 * 1024
const CHUNK_ROWS = 5000
/** A packed empty list. */
const NO_DELTAS = Uint8Array.of(0)

/** Decodes a block and adds its ABI changes to the book. @throws DecodeError; the book may then have some of them */
export function decodePacked(source: PackedBlock, watch: Watch, abis: AbiBook, checksActions: boolean): DecodedBlock {
  const raw: RawAction[] = []
  const check = checksActions ? new BlockCheck(source) : null
  walkTraces(source.traces, watch, (action) => raw.push(action), check)
  check?.finish()
  raw.sort((a, b) => (a.globalSeq < b.globalSeq ? -1 : a.globalSeq > b.globalSeq ? 1 : 0))
  const undecoded: UndecodedAction[] = []
  const abiChanges: AbiChange[] = []
  const change = (abiChange: AbiChange) => {
    abiChanges.push(abiChange)
    abis.apply({ ...abiChange, blockNum: source.num })
  }
  for (const action of raw) {
    if (action.isSetAbi) takeSetAbi(action, watch, change)
  }
  const found = isStreamed(source) ? null : watchedRows(source.deltas ?? NO_DELTAS, watch)
  if (found) takeAccountRows(source.num, found.accounts, abis, abiChanges, change)
  else
    for (const part of partsOf(source)) takeAccountRows(source.num, accountRows(part, watch), abis, abiChanges, change)
  const actions = decodeActions(raw, source.num, abis, undecoded)
  const { num, id, prevId, lib, head } = source
  const { time, producer } = header(source.block)
  const undecodedRows: UndecodedRow[] = []
  const rows = found ? [...decodeRows(num, found.rows, abis, undecodedRows)] : []
  const more = found ? undefined : rowChunks(source, watch, abis)
  return { num, id, prevId, lib, head, time, producer, actions, undecoded, abiChanges, rows, undecodedRows, more }
}

function isStreamed({ deltas, deltaParts }: PackedBlock): boolean {
  return deltaParts !== undefined || (deltas !== null && deltas.length > STREAMED_BYTES)
}

/** The deltas of a block, in pieces when they are too large for memory. */
function partsOf({ deltas, deltaParts }: PackedBlock): Iterable<Uint8Array> {
  return deltaParts?.parts() ?? (deltas ? [deltas] : [])
}

/** The rows of very large deltas, in chunks. */
function* rowChunks(source: PackedBlock, watch: Watch, abis: AbiBook): Generator<RowChunk> {
  let chunk: RowChunk = { rows: [], undecodedRows: [] }
  for (const part of partsOf(source)) {
    for (const row of decodeRows(source.num, contractRows(part, watch), abis, chunk.undecodedRows)) {
      chunk.rows.push(row)
      if (chunk.rows.length < CHUNK_ROWS) continue
      yield { rows: chunk.rows, undecodedRows: chunk.undecodedRows.splice(0) }
      chunk = { rows: [], undecodedRows: chunk.undecodedRows }
    }
  }
  yield chunk
}

function header(block: Uint8Array): { time: number; producer: string } {
  const reader = new Reader(block)
  return { time: slotToMs(reader.u32()), producer: reader.name() }
}

/** Reads `setabi(account, abi)`; later members, such as a memo, are ignored. */
function takeSetAbi(action: RawAction, watch: Watch, change: (abiChange: AbiChange) => void): void {
  const reader = new Reader(action.frame, action.start, action.end)
  reader.need(8)
  if (!watch.matchAbi(readU32(action.frame, action.start), readU32(action.frame, action.start + 4))) return
  const account = reader.name()
  const packed = reader.lengthBytes()
  const abi = copyBytes(packed, 0, packed.length)
  change({ account, globalSeq: action.globalSeq, abi, hash: toHex(sha256(abi)) })
}

/** Adds ABIs of account rows that no `setabi` of the block explains: at the start of a log, or after a gap. */
function takeAccountRows(
  num: number,
  rows: Iterable<RawAccount>,
  abis: AbiBook,
  abiChanges: readonly AbiChange[],
  change: (abiChange: AbiChange) => void,
): void {
  for (const row of rows) {
    const known = abis.versionAt(row.account, num, BLOCK_END)
    if (row.abi.length === 0 && !known) continue
    const hash = toHex(sha256(row.abi))
    if (known?.hash === hash) continue
    const inBlock = abiChanges.findLast(({ account }) => account === row.account)
    const globalSeq = inBlock ? inBlock.globalSeq + 1n : 0n
    change({ account: row.account, globalSeq, abi: copyBytes(row.abi, 0, row.abi.length), hash })
  }
}

function decodeActions(raw: readonly RawAction[], num: number, abis: AbiBook, undecoded: UndecodedAction[]) {
  const actions: DecodedAction[] = []
  for (const action of raw) {
    const { match, account, name, globalSeq, trxId, ordinal, creatorOrdinal } = action
    if (match === MATCH.skip) continue
    const abi = abis.at(account, num, globalSeq)
    if (match === MATCH.other && isKnownAction(abi, name)) continue
    const data = attempt(abi, 'actions', name, (known) =>
      known.decodeAction(name, action.frame, action.start, action.end),
    )
    if (!(data instanceof Reason)) {
      const { frame, start, end } = action
      actions.push({ globalSeq, trxId, ordinal, creatorOrdinal, account, name, data, frame, start, end })
    } else if (match !== MATCH.any) {
      undecoded.push({ globalSeq, trxId, account, name, ...data, raw: rawOf(action) })
    }
  }
  return actions
}

/**
 * Rows of a block, decoded by the ABIs at the block's end. The book must already have the block's ABI
 * changes. Rows that cannot be decoded are added to `undecoded`.
 */
function* decodeRows(
  num: number,
  rows: Iterable<RawRow>,
  abis: AbiBook,
  undecoded: UndecodedRow[],
): Generator<DecodedRow> {
  for (const raw of rows) {
    const { match, frame, start, end, code, scope, scopeRaw, table, primaryKey, present } = raw
    const abi = abis.at(code, num, BLOCK_END)
    const data = attempt(abi, 'tables', table, (known) => known.decodeRow(table, frame, start, end))
    if (!(data instanceof Reason)) yield { code, scope, scopeRaw, table, primaryKey, present, data, frame, start, end }
    else if (match !== MATCH.any)
      undecoded.push({ code, scope, scopeRaw, table, primaryKey, present, ...data, raw: rawOf(raw) })
  }
}

/** A copy, so that the frame can be freed. */
function rawOf({ frame, start, end }: { frame: Uint8Array; start: number; end: number }): Uint8Array {
  return copyBytes(frame, start, end)
}
