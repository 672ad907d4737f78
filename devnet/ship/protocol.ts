// Messages of the state-history protocol, from the server's side.

import { Reader } from '../../core/antelope/reader.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import type { BlockPosition } from '../chain/chain.ts'

export type Version = 0 | 1

export interface BlocksRequest {
  kind: 'blocks'
  version: Version
  start: number
  /** Exclusive. */
  end: number
  maxMessagesInFlight: number
  havePositions: BlockPosition[]
  irreversibleOnly: boolean
  fetchBlock: boolean
  fetchTraces: boolean
  fetchDeltas: boolean
  fetchFinality: boolean
}

export type Request = { kind: 'status'; version: Version } | { kind: 'ack'; messages: number } | BlocksRequest

function readPosition(reader: Reader): BlockPosition {
  return { num: reader.u32(), id: toHex(reader.bytes(32)) }
}

function readBlocksRequest(reader: Reader, version: Version): BlocksRequest {
  return {
    kind: 'blocks',
    version,
    start: reader.u32(),
    end: reader.u32(),
    maxMessagesInFlight: reader.u32(),
    havePositions: Array.from({ length: reader.varuint32() }, () => readPosition(reader)),
    irreversibleOnly: reader.flag(),
    fetchBlock: reader.flag(),
    fetchTraces: reader.flag(),
    fetchDeltas: reader.flag(),
    fetchFinality: version === 1 && reader.flag(),
  }
}

/** @throws DecodeError for bytes that end early; RangeError for an unknown kind of request */
export function readRequest(bytes: Uint8Array): Request {
  const reader = new Reader(bytes)
  const index = reader.varuint32()
  if (index === 0) return { kind: 'status', version: 0 }
  if (index === 1) return readBlocksRequest(reader, 0)
  if (index === 2) return { kind: 'ack', messages: reader.u32() }
  if (index === 3) return readBlocksRequest(reader, 1)
  if (index === 4) return { kind: 'status', version: 1 }
  throw new RangeError(`unknown request ${index}`)
}

function writePosition(writer: Writer, { num, id }: BlockPosition): void {
  writer.u32(num)
  writer.bytes(fromHex(id))
}

/** Block numbers [begin, end) in a log; both 0 for an empty log. */
interface LogRange {
  begin: number
  end: number
}

export interface Status {
  head: BlockPosition
  lib: BlockPosition
  traces: LogRange
  state: LogRange
  finality: LogRange
  chainId: string
}

export function packStatus(status: Status, version: Version): Uint8Array {
  const writer = new Writer()
  writer.u8(version === 0 ? 0 : 3)
  writePosition(writer, status.head)
  writePosition(writer, status.lib)
  for (const { begin, end } of [status.traces, status.state]) {
    writer.u32(begin)
    writer.u32(end)
  }
  writer.bytes(fromHex(status.chainId))
  if (version === 1) {
    writer.u32(status.finality.begin)
    writer.u32(status.finality.end)
  }
  return writer.finish()
}

export interface BlocksResult {
  head: BlockPosition
  lib: BlockPosition
  /** Null in an empty result: the server does not know the block. */
  thisBlock: BlockPosition | null
  prevBlock: BlockPosition | null
  block: Uint8Array | null
  traces: Uint8Array | null
  deltas: Uint8Array | null
  finality: Uint8Array | null
}

function writeOptional<T>(writer: Writer, value: T | null, write: (value: T) => void): void {
  writer.u8(value === null ? 0 : 1)
  if (value !== null) write(value)
}

export function packBlocksResult(result: BlocksResult, version: Version): Uint8Array {
  const parts = [result.block, result.traces, result.deltas, ...(version === 1 ? [result.finality] : [])]
  const writer = new Writer(256 + parts.reduce((sum, part) => sum + (part?.length ?? 0), 0))
  writer.u8(version === 0 ? 1 : 2)
  writePosition(writer, result.head)
  writePosition(writer, result.lib)
  for (const position of [result.thisBlock, result.prevBlock]) {
    writeOptional(writer, position, (value) => writePosition(writer, value))
  }
  for (const part of parts) writeOptional(writer, part, (value) => writer.lengthBytes(value))
  return writer.finish()
}
