// Ledger rows that store a block from before Savanna, and the data that proofs read from them. Pure.
import { type ActionReceipt, packReceipt, readReceipt } from '../../antelope/digest.ts'
import { Reader } from '../../antelope/reader.ts'
import { slotToMs } from '../../antelope/time.ts'
import { Writer } from '../../antelope/writer.ts'
import { logRow } from '../rows.ts'
import { packSchedule } from './schedule.ts'
import type { LegacyBridgeLog, LegacyTracked } from './track.ts'

export interface LegacyRow {
  table: 'legacy_blocks' | 'producer_schedules' | 'bridge_logs'
  row: object
}

/** Rows of a block. @param logs  bridge logs in it */
export function legacyRowsOf(
  chain: string,
  { lineage, header, nodes, storedHeader, schedule }: LegacyTracked,
  logs: readonly LegacyBridgeLog[],
): LegacyRow[] {
  const at = { chain, blockNum: lineage.blockNum, blockTime: slotToMs(header.timestamp) }
  const signatures = storedHeader && packSignatures(storedHeader.signatures)
  const block = {
    ...at,
    version: header.scheduleVersion,
    nodes: Buffer.concat(nodes),
    header: storedHeader?.header ?? null,
    signatures,
  }
  const rows: LegacyRow[] = [{ table: 'legacy_blocks', row: block }]
  if (schedule) {
    const { version } = schedule
    rows.push({ table: 'producer_schedules', row: { ...at, version, schedule: packSchedule(schedule) } })
  }
  for (const { receipt, ...log } of logs)
    rows.push({ table: 'bridge_logs', row: { ...logRow(at, log), receipt: packReceipt(receipt) } })
  return rows
}

function packSignatures(signatures: readonly Uint8Array[]): Uint8Array {
  const writer = new Writer()
  writer.varuint32(signatures.length)
  for (const signature of signatures) writer.lengthBytes(signature)
  return writer.finish()
}

/** A block before Savanna with its signed header. */
export interface LegacyBlock {
  num: number
  /** 32 bytes. */
  id: Uint8Array
  packedHeader: Uint8Array
  /** Packed signatures of its producer. */
  signatures: readonly Uint8Array[]
}

/** Packed signatures from a row. @throws DecodeError when the bytes end too early */
export function signaturesOf(bytes: Uint8Array): Uint8Array[] {
  const reader = new Reader(bytes)
  return Array.from({ length: reader.varuint32() }, () => reader.lengthBytes())
}

/** The receipt from a row. @throws DecodeError when the bytes end too early */
export const receiptOf = (bytes: Uint8Array): ActionReceipt => readReceipt(new Reader(bytes))
