// Packs requests and unpacks results of state history, versions 0 and 1. Payloads remain packed, as views of the frame.
// Assumes the order of the `request` and `result` variants, which no node version has changed.
import { Reader } from '../../../core/antelope/reader.ts'
import { Writer } from '../../../core/antelope/writer.ts'
import { DecodeError } from '../../../core/errors.ts'
import type { BlockPosition } from '../source.ts'

/** Versions that the node's ABI offers. */
export interface ProtocolVersions {
  status: 0 | 1
  blocks: 0 | 1
}

/** Block range [begin, end) of a log; both 0 when the log is off or empty. */
export interface LogRange {
  begin: number
  end: number
}

export interface NodeStatus {
  head: BlockPosition
  lib: BlockPosition
  traces: LogRange
  deltas: LogRange
  /** Null when the node does not send it (version 0). */
  finality: LogRange | null
  /** Null when the node does not send it (very old versions). */
  chainId: string | null
}

/** A `get_blocks_result`. For a block that the node lacks, `block` is null. */
export interface BlocksResult {
  head: BlockPosition
  lib: BlockPosition
  position: BlockPosition | null
  previous: BlockPosition | null
  block: Uint8Array | null
  traces: Uint8Array | null
  deltas: Uint8Array | null
  finality: Uint8Array | null
}

export interface BlocksRequest {
  /** First block to send. */
  start: number
  /** Exclusive; 2^32 - 1 continues live. */
  end: number
  /** Messages that the node may send before the first acknowledgement. */
  credits: number
  /** Held blocks: the node starts lower when one of them is not on its chain. */
  have: readonly BlockPosition[]
  deltas: boolean
}

export type ShipMessage = { kind: 'status'; status: NodeStatus } | { kind: 'blocks'; result: BlocksResult }

const REQUEST = { statusV0: 0, blocksV0: 1, ack: 2, blocksV1: 3, statusV1: 4 }
const RESULT = { statusV0: 0, blocksV0: 1, blocksV1: 2, statusV1: 3 }

/** Versions that the node's ABI offers, or null when the text is not the ABI of state history. */
export function versionsOf(abi: string): ProtocolVersions | null {
  if (!abi.includes('"get_blocks_request_v0"')) return null
  return {
    status: abi.includes('"get_status_request_v1"') ? 1 : 0,
    blocks: abi.includes('"get_blocks_request_v1"') ? 1 : 0,
  }
}

export function packStatusRequest(version: 0 | 1): Uint8Array {
  return Uint8Array.of(version === 1 ? REQUEST.statusV1 : REQUEST.statusV0)
}

export function packBlocksRequest(version: 0 | 1, request: BlocksRequest): Uint8Array {
  const out = new Writer()
  out.varuint32(version === 1 ? REQUEST.blocksV1 : REQUEST.blocksV0)
  out.u32(request.start)
  out.u32(request.end)
  out.u32(request.credits)
  out.varuint32(request.have.length)
  for (const position of request.have) writePosition(out, position)
  out.u8(0) // irreversible_only
  out.u8(1) // fetch_block
  out.u8(1) // fetch_traces
  out.u8(request.deltas ? 1 : 0)
  if (version === 1) out.u8(1) // fetch_finality_data
  return out.finish()
}

/** An acknowledgement: allows `messages` further messages. */
export function packAck(messages: number): Uint8Array {
  const out = new Writer(5)
  out.varuint32(REQUEST.ack)
  out.u32(messages)
  return out.finish()
}

/** Whether a frame is a block result (possibly empty) rather than a status. */
export function isBlocksResult(frame: Uint8Array): boolean {
  return frame[0] === RESULT.blocksV0 || frame[0] === RESULT.blocksV1
}

/** @throws DecodeError when the frame is truncated, has trailing bytes or an unknown kind */
export function unpackMessage(frame: Uint8Array): ShipMessage {
  const reader = new Reader(frame)
  const kind = reader.varuint32()
  const message: ShipMessage | null =
    kind === RESULT.blocksV0 || kind === RESULT.blocksV1
      ? { kind: 'blocks', result: readBlocks(reader, kind === RESULT.blocksV1) }
      : kind === RESULT.statusV0 || kind === RESULT.statusV1
        ? { kind: 'status', status: readStatus(reader, kind === RESULT.statusV1) }
        : null
  if (!message) throw new DecodeError('SHIP_MESSAGE', `unknown state-history message ${kind}`)
  if (reader.remaining > 0) throw new DecodeError('SHIP_MESSAGE', `${reader.remaining} bytes follow the message`)
  return message
}

/** A `get_blocks_result_v1` as a node writes it, for recordings. */
export function packBlocksResult(result: BlocksResult): Uint8Array {
  const payloads = [result.block, result.traces, result.deltas, result.finality]
  const out = new Writer(256 + payloads.reduce((sum, payload) => sum + (payload?.length ?? 0), 0))
  out.varuint32(RESULT.blocksV1)
  writePosition(out, result.head)
  writePosition(out, result.lib)
  for (const position of [result.position, result.previous]) {
    out.u8(position ? 1 : 0)
    if (position) writePosition(out, position)
  }
  for (const payload of payloads) {
    out.u8(payload ? 1 : 0)
    if (payload) out.lengthBytes(payload)
  }
  return out.finish()
}

function readBlocks(reader: Reader, withFinality: boolean): BlocksResult {
  return {
    head: readPosition(reader),
    lib: readPosition(reader),
    position: reader.flag() ? readPosition(reader) : null,
    previous: reader.flag() ? readPosition(reader) : null,
    block: reader.flag() ? reader.lengthBytes() : null,
    traces: reader.flag() ? reader.lengthBytes() : null,
    deltas: reader.flag() ? reader.lengthBytes() : null,
    finality: withFinality && reader.flag() ? reader.lengthBytes() : null,
  }
}

function readStatus(reader: Reader, withFinality: boolean): NodeStatus {
  return {
    head: readPosition(reader),
    lib: readPosition(reader),
    traces: readRange(reader),
    deltas: readRange(reader),
    chainId: withFinality || reader.remaining > 0 ? reader.checksum256() : null,
    finality: withFinality ? readRange(reader) : null,
  }
}

function readPosition(reader: Reader): BlockPosition {
  return { num: reader.u32(), id: reader.checksum256() }
}

function readRange(reader: Reader): LogRange {
  return { begin: reader.u32(), end: reader.u32() }
}

function writePosition(out: Writer, position: BlockPosition): void {
  out.u32(position.num)
  out.checksum256(position.id)
}
