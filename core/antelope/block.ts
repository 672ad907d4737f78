// Block headers: packed format, id, extensions. Ids are hex text; roots are bytes. A block's number is the first four
// bytes of its id; the header only has its parent's id.

import { fromHex, toHex } from '../hex.ts'
import { sha256Hex } from '../sha256.ts'
import { hashOf, hexHashOf, preimage } from './preimage.ts'
import { Reader } from './reader.ts'
import { Writer } from './writer.ts'

export const HEADER_EXTENSION = { protocolFeatures: 0, producerSchedule: 1, finality: 2 } as const
export const BLOCK_EXTENSION = { signatures: 2, quorumCertificate: 3 } as const
/** `schedule_version` of every proper Savanna block. */
export const SAVANNA_SCHEDULE_VERSION = 0x8000_0000

export interface Extension {
  id: number
  data: Uint8Array
}

export interface BlockHeader {
  /** Half seconds since 2000-01-01 UTC. */
  timestamp: number
  producer: string
  confirmed: number
  /** Id of the parent block, 64 hex digits. */
  previous: string
  transactionMroot: Uint8Array
  /**
   * Before Savanna: root of the block's actions. Savanna: root of the finality tree up to the block whose certificate
   * is claimed.
   */
  actionMroot: Uint8Array
  scheduleVersion: number
  /** Packed `producer_schedule` of old blocks. */
  newProducers: Uint8Array | null
  headerExtensions: readonly Extension[]
}

/** Number of a block, from its id. */
export function blockNumOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16)
}

/** Id from the packed header: its hash, with the first four bytes replaced by the big-endian block number. */
export function blockId(header: Uint8Array, blockNum: number): string {
  return idOf(sha256Hex(header), blockNum)
}

function idOf(hash: string, blockNum: number): string {
  return blockNum.toString(16).padStart(8, '0') + hash.slice(8)
}

function writeExtensions(writer: Writer, extensions: readonly Extension[]): void {
  writer.varuint32(extensions.length)
  for (const { id, data } of extensions) {
    writer.u16(id)
    writer.lengthBytes(data)
  }
}

function readExtensions(reader: Reader): Extension[] {
  const extensions: Extension[] = []
  for (let left = reader.varuint32(); left > 0; left--) {
    extensions.push({ id: reader.u16(), data: reader.lengthBytes() })
  }
  return extensions
}

export function packBlockHeader(header: BlockHeader): Uint8Array {
  const writer = new Writer()
  writeBlockHeader(writer, header)
  return writer.finish()
}

/** Id of a block, as `blockId` of its packed header. */
export function headerId(header: BlockHeader, blockNum: number): string {
  const writer = preimage()
  writeBlockHeader(writer, header)
  return idOf(hexHashOf(writer), blockNum)
}

function writeBlockHeader(writer: Writer, header: BlockHeader): void {
  writer.u32(header.timestamp)
  writer.name(header.producer)
  writer.u16(header.confirmed)
  writer.bytes(fromHex(header.previous))
  writer.bytes(header.transactionMroot)
  writer.bytes(header.actionMroot)
  writer.u32(header.scheduleVersion)
  writer.u8(header.newProducers ? 1 : 0)
  if (header.newProducers) writer.bytes(header.newProducers)
  writeExtensions(writer, header.headerExtensions)
}

/** Skips a `public_key`: a type, 33 bytes, and for WebAuthn keys (type 2) user presence and a host name. */
function skipPublicKey(reader: Reader): void {
  const type = reader.u8()
  reader.bytes(33)
  if (type === 2) {
    reader.u8()
    reader.lengthBytes()
  }
}

function readNewProducers(reader: Reader, bytes: Uint8Array): Uint8Array | null {
  if (reader.u8() === 0) return null
  const start = reader.pos
  reader.u32()
  for (let left = reader.varuint32(); left > 0; left--) {
    reader.u64()
    skipPublicKey(reader)
  }
  return bytes.subarray(start, reader.pos)
}

/**
 * Reads a header. Also returns its length within `bytes` (a packed header or `signed_block`).
 *
 * @throws DecodeError when the bytes end too early
 */
export function readBlockHeader(bytes: Uint8Array): { header: BlockHeader; length: number } {
  const reader = new Reader(bytes)
  const header: BlockHeader = {
    timestamp: reader.u32(),
    producer: reader.name(),
    confirmed: reader.u16(),
    previous: toHex(reader.bytes(32)),
    transactionMroot: reader.bytes(32),
    actionMroot: reader.bytes(32),
    scheduleVersion: reader.u32(),
    newProducers: readNewProducers(reader, bytes),
    headerExtensions: readExtensions(reader),
  }
  return { header, length: reader.pos }
}

/** Parts of a packed `signed_block`; ids and roots can be recomputed from them. */
export interface SignedBlock {
  blockNum: number
  id: string
  header: BlockHeader
  packedHeader: Uint8Array
  signature: Uint8Array
  transactions: TransactionReceipt[]
  extensions: Extension[]
}

export interface TransactionReceipt {
  /** 0 executed, 1 soft fail, 2 hard fail, 3 delayed, 4 expired. */
  status: number
  cpuUsageUs: number
  netUsageWords: number
  /** The packed transaction, or the id (hex) of a deferred one. */
  trx: PackedTransaction | string
}

export interface PackedTransaction {
  /** Packed signatures, each with its type. */
  signatures: readonly Uint8Array[]
  /** 0 none, 1 zlib. */
  compression: number
  contextFreeData: Uint8Array
  packedTrx: Uint8Array
}

/** Reads a `signature`: a type and 65 bytes; WebAuthn ones (type 2) have two more byte strings. */
function readSignature(reader: Reader, bytes: Uint8Array): Uint8Array {
  const start = reader.pos
  const type = reader.u8()
  reader.bytes(65)
  if (type === 2) {
    reader.lengthBytes()
    reader.lengthBytes()
  }
  return bytes.subarray(start, reader.pos)
}

function readReceipt(reader: Reader, bytes: Uint8Array): TransactionReceipt {
  const status = reader.u8()
  const cpuUsageUs = reader.u32()
  const netUsageWords = reader.varuint32()
  if (reader.u8() === 0) return { status, cpuUsageUs, netUsageWords, trx: toHex(reader.bytes(32)) }
  const signatures: Uint8Array[] = []
  for (let left = reader.varuint32(); left > 0; left--) signatures.push(readSignature(reader, bytes))
  const compression = reader.u8()
  const contextFreeData = reader.lengthBytes()
  const packedTrx = reader.lengthBytes()
  return { status, cpuUsageUs, netUsageWords, trx: { signatures, compression, contextFreeData, packedTrx } }
}

function skipReceipt(reader: Reader, bytes: Uint8Array): void {
  reader.skip(5) // status, cpu_usage_us
  reader.varuint32()
  if (reader.u8() === 0) {
    reader.skip(32)
    return
  }
  for (let left = reader.varuint32(); left > 0; left--) readSignature(reader, bytes)
  reader.skip(1) // compression
  reader.skip(reader.varuint32())
  reader.skip(reader.varuint32())
}

/**
 * Reads a packed `signed_block` and skips its transactions.
 *
 * @throws DecodeError when the bytes end too early
 */
export function readBlockFrame(bytes: Uint8Array): Pick<SignedBlock, 'blockNum' | 'id' | 'header' | 'extensions'> {
  const { header, length } = readBlockHeader(bytes)
  const blockNum = blockNumOf(header.previous) + 1
  const reader = new Reader(bytes, length)
  readSignature(reader, bytes)
  for (let left = reader.varuint32(); left > 0; left--) skipReceipt(reader, bytes)
  return { blockNum, id: blockId(bytes.subarray(0, length), blockNum), header, extensions: readExtensions(reader) }
}

/**
 * Length of the packed `signed_block` at the start of `bytes`.
 *
 * @throws DecodeError when the bytes end too early
 */
export function packedBlockLength(bytes: Uint8Array): number {
  const reader = new Reader(bytes, readBlockHeader(bytes).length)
  readSignature(reader, bytes)
  for (let left = reader.varuint32(); left > 0; left--) skipReceipt(reader, bytes)
  readExtensions(reader)
  return reader.pos
}

/**
 * Packed signatures of a packed `signed_block`: the producer's signature and, if its authority has several keys, those
 * in the extension. Skips transactions.
 *
 * @param length  length of the header
 * @throws DecodeError when the bytes end too early
 */
export function readSignatures(bytes: Uint8Array, length: number): Uint8Array[] {
  const reader = new Reader(bytes, length)
  const signatures = [readSignature(reader, bytes)]
  for (let left = reader.varuint32(); left > 0; left--) skipReceipt(reader, bytes)
  const more = readExtensions(reader).find(({ id }) => id === BLOCK_EXTENSION.signatures)
  if (!more) return signatures
  const inside = new Reader(more.data)
  for (let left = inside.varuint32(); left > 0; left--) signatures.push(readSignature(inside, more.data))
  return signatures
}

/** @throws DecodeError when the bytes end too early or continue after the block */
export function readSignedBlock(bytes: Uint8Array): SignedBlock {
  const { header, length } = readBlockHeader(bytes)
  const packedHeader = bytes.subarray(0, length)
  const blockNum = blockNumOf(header.previous) + 1
  const reader = new Reader(bytes)
  reader.pos = length
  const signature = readSignature(reader, bytes)
  const transactions: TransactionReceipt[] = []
  for (let left = reader.varuint32(); left > 0; left--) transactions.push(readReceipt(reader, bytes))
  const extensions = readExtensions(reader)
  return {
    blockNum,
    id: blockId(packedHeader, blockNum),
    header,
    packedHeader,
    signature,
    transactions,
    extensions,
  }
}

function writePackedTransaction(writer: Writer, trx: PackedTransaction): void {
  writer.varuint32(trx.signatures.length)
  for (const signature of trx.signatures) writer.bytes(signature)
  writer.u8(trx.compression)
  writer.lengthBytes(trx.contextFreeData)
  writer.lengthBytes(trx.packedTrx)
}

/** Bytes reserved for a block's signature and counts, and for a transaction's, so that the writer rarely grows. */
const FIXED_SIZE = 128

function sizeOf(trx: TransactionReceipt['trx']): number {
  return FIXED_SIZE + (typeof trx === 'string' ? 0 : trx.packedTrx.length)
}

export function packSignedBlock(
  packedHeader: Uint8Array,
  signature: Uint8Array,
  transactions: readonly TransactionReceipt[],
  extensions: readonly Extension[],
): Uint8Array {
  const writer = new Writer(
    packedHeader.length + transactions.reduce((size, { trx }) => size + sizeOf(trx), FIXED_SIZE),
  )
  writer.bytes(packedHeader)
  writer.bytes(signature)
  writer.varuint32(transactions.length)
  for (const { status, cpuUsageUs, netUsageWords, trx } of transactions) {
    writer.u8(status)
    writer.u32(cpuUsageUs)
    writer.varuint32(netUsageWords)
    writer.u8(typeof trx === 'string' ? 0 : 1)
    if (typeof trx === 'string') writer.bytes(fromHex(trx))
    else writePackedTransaction(writer, trx)
  }
  writeExtensions(writer, extensions)
  return writer.finish()
}

/** Leaf of a block's transaction tree. */
export function transactionReceiptDigest({ status, cpuUsageUs, netUsageWords, trx }: TransactionReceipt): Uint8Array {
  const digest = typeof trx === 'string' ? fromHex(trx) : packedTransactionDigest(trx)
  const writer = preimage()
  writer.u8(status)
  writer.u32(cpuUsageUs)
  writer.varuint32(netUsageWords)
  writer.bytes(digest)
  return hashOf(writer)
}

function packedTransactionDigest(trx: PackedTransaction): Uint8Array {
  const prunable = preimage()
  prunable.varuint32(trx.signatures.length)
  for (const signature of trx.signatures) prunable.bytes(signature)
  prunable.lengthBytes(trx.contextFreeData)
  const digest = hashOf(prunable)
  const writer = preimage()
  writer.u8(trx.compression)
  writer.lengthBytes(trx.packedTrx)
  writer.bytes(digest)
  return hashOf(writer)
}
