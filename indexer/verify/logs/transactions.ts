// Compares the transactions of a block with their traces and with the root in its header. State history sends a trace
// of `onblock`, which is in no block, then one trace for each receipt.

import { inflateSync } from 'node:zlib'
import { type SignedBlock, type TransactionReceipt, transactionReceiptDigest } from '../../../core/antelope/block.ts'
import { legacyMerkleRoot, merkleRoot } from '../../../core/antelope/merkle.ts'
import { Reader } from '../../../core/antelope/reader.ts'
import { walkTransactionTraces } from '../../../core/antelope/traces.ts'
import { DecodeError } from '../../../core/errors.ts'
import { toHex } from '../../../core/hex.ts'
import { itemAt } from '../../../core/required.ts'
import { sha256 } from '../../../core/sha256.ts'

/** A transaction's trace: its id, ids of failed transactions inside it, and the members that its receipt repeats. */
interface TracedTransaction {
  ids: string[]
  status: number
  cpuUsageUs: number
  netUsageWords: number
}

/** Size limit of a decompressed transaction, bytes. */
const MAX_TRANSACTION = 1 << 24

/** Whether the receipts of a block match the root in its header. */
export function hasTransactionRoot({ header, transactions }: SignedBlock, isSavanna: boolean): boolean {
  const leaves = transactions.map(transactionReceiptDigest)
  const root = isSavanna ? merkleRoot(leaves) : legacyMerkleRoot(leaves)
  return Buffer.compare(root, header.transactionMroot) === 0
}

/**
 * The difference between a block's receipts and its traces; null when there is none.
 *
 * @throws DecodeError for malformed traces or transactions
 */
export function transactionFault(
  { transactions }: Pick<SignedBlock, 'transactions'>,
  traces: Uint8Array,
): string | null {
  const traced = tracedTransactions(traces)
  const first = traced.length - transactions.length
  if (first !== 0 && first !== 1) return `${traced.length} traces of ${transactions.length} transactions`
  for (const [index, receipt] of transactions.entries()) {
    const { ids, status, cpuUsageUs, netUsageWords } = itemAt(traced, first + index)
    const id = transactionId(receipt)
    if (!ids.includes(id)) return `transaction ${index} is ${id}, its trace is of ${ids[0]}`
    const isSame = status === receipt.status && cpuUsageUs === receipt.cpuUsageUs
    if (!isSame || netUsageWords !== receipt.netUsageWords) return `the trace of ${id} has another status, CPU or NET`
  }
  return null
}

function tracedTransactions(traces: Uint8Array): TracedTransaction[] {
  const found: TracedTransaction[] = []
  walkTransactionTraces(traces, {
    transaction(at, depth) {
      const reader = new Reader(traces, at)
      const id = toHex(reader.bytes(32))
      // A failed deferred transaction: the receipt has its id, but the outer trace is its error handler's.
      if (depth > 0) found.at(-1)?.ids.push(id)
      else found.push({ ids: [id], status: reader.u8(), cpuUsageUs: reader.u32(), netUsageWords: reader.varuint32() })
    },
    action() {},
  })
  return found
}

function transactionId({ trx }: TransactionReceipt): string {
  if (typeof trx === 'string') return trx
  return toHex(sha256(trx.compression === 0 ? trx.packedTrx : inflated(trx.packedTrx)))
}

function inflated(packed: Uint8Array): Uint8Array {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_TRANSACTION })
  } catch (cause) {
    throw new DecodeError('PACKED_TRANSACTION', `a transaction cannot be inflated: ${(cause as Error).message}`, {
      cause,
    })
  }
}
