// Packs executed transactions as state history does: `transaction_trace[]`, actions ordered by ordinal.

import { writeAction } from '../../core/antelope/pack-transaction.ts'
import { Writer } from '../../core/antelope/writer.ts'
import { fromHex } from '../../core/hex.ts'
import type { ActionTrace } from './execute.ts'
import type { Transaction } from './transaction.ts'

export interface TransactionTrace {
  id: string
  cpuUsageUs: number
  netUsageWords: number
  /** In execution order. */
  actions: readonly ActionTrace[]
  /** Null for the implicit transaction that starts a block. */
  transaction: Transaction | null
}

function writeActionTrace(writer: Writer, { ordinal, creator, receiver, action, receipt }: ActionTrace): void {
  writer.u8(1) // action_trace_v1
  writer.varuint32(ordinal)
  writer.varuint32(creator)
  writer.u8(1)
  writer.u8(0) // action_receipt_v0
  writer.name(receipt.receiver)
  writer.bytes(receipt.actDigest)
  writer.u64(receipt.globalSequence)
  writer.u64(receipt.recvSequence)
  writer.varuint32(receipt.authSequence.length)
  for (const [account, sequence] of receipt.authSequence) {
    writer.name(account)
    writer.u64(sequence)
  }
  writer.varuint32(receipt.codeSequence)
  writer.varuint32(receipt.abiSequence)
  writer.name(receiver)
  writeAction(writer, action)
  writer.u8(0) // context_free
  writer.i64(0n) // elapsed
  writer.u8(0) // console
  writer.u8(0) // account_ram_deltas
  writer.u8(0) // except
  writer.u8(0) // error_code
  writer.u8(0) // return_value
}

function writePartial(writer: Writer, { header, signature }: Transaction): void {
  writer.u8(1)
  writer.u8(0) // partial_transaction_v0
  writer.u32(header.expiration)
  writer.u16(header.refBlockNum)
  writer.u32(header.refBlockPrefix)
  writer.u8(0) // max_net_usage_words
  writer.u8(0) // max_cpu_usage_ms
  writer.u8(0) // delay_sec
  writer.u8(0) // transaction_extensions
  writer.u8(1)
  writer.bytes(signature)
  writer.u8(0) // context_free_data
}

const scratch = new Writer(1 << 16)

export function packTraces(traces: readonly TransactionTrace[]): Uint8Array {
  const writer = scratch
  writer.pos = 0
  writer.varuint32(traces.length)
  for (const { id, cpuUsageUs, netUsageWords, actions, transaction } of traces) {
    writer.u8(0) // transaction_trace_v0
    writer.bytes(fromHex(id))
    writer.u8(0) // executed
    writer.u32(cpuUsageUs)
    writer.varuint32(netUsageWords)
    writer.i64(0n) // elapsed
    writer.u64(BigInt(netUsageWords * 8))
    writer.u8(0) // scheduled
    writer.varuint32(actions.length)
    const byOrdinal = [...actions].sort((a, b) => a.ordinal - b.ordinal)
    for (const action of byOrdinal) writeActionTrace(writer, action)
    writer.u8(0) // account_ram_delta
    writer.u8(0) // except
    writer.u8(0) // error_code
    writer.u8(0) // failed_dtrx_trace
    if (transaction) writePartial(writer, transaction)
    else writer.u8(0)
  }
  return writer.finish()
}
