// Transactions in the form that blocks contain. Signatures have the right form but are not valid: readers of a node's
// blocks do not check them.

import type { PackedTransaction, TransactionReceipt } from '../../core/antelope/block.ts'
import type { PackedAction } from '../../core/antelope/digest.ts'
import { packTransaction, type TransactionHeader } from '../../core/antelope/pack-transaction.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import type { ActionCall } from './contract.ts'

/** A transaction that can be included in any block; its id does not depend on the block. */
export interface Transaction {
  /** 64 hex digits. */
  id: string
  header: TransactionHeader
  actions: { call: ActionCall; packed: PackedAction }[]
  signature: Uint8Array
  packedTrx: Uint8Array
}

/** Type K1 and 65 bytes derived from a hash: a recovery number and two words. */
export function signatureFrom(hash: Uint8Array): Uint8Array {
  const signature = new Uint8Array(66)
  const word = Uint8Array.from(hash)
  const [first = 0, last = 0] = [word[0], word[31]]
  word[0] = first & 0x7f
  signature[1] = 31 + (last & 1)
  signature.set(word, 2)
  signature.set(word, 34)
  return signature
}

export function makeTransaction(header: TransactionHeader, actions: Transaction['actions']): Transaction {
  const packedTrx = packTransaction(
    header,
    actions.map(({ packed }) => packed),
  )
  const id = sha256(packedTrx)
  return { id: toHex(id), header, actions, signature: signatureFrom(id), packedTrx }
}

/** Receipt of an executed transaction. Its usage figures depend only on its size. */
export function receiptOf({ signature, packedTrx }: Transaction): TransactionReceipt {
  const trx: PackedTransaction = {
    signatures: [signature],
    compression: 0,
    contextFreeData: new Uint8Array(),
    packedTrx,
  }
  return {
    status: 0,
    cpuUsageUs: 150 + packedTrx.length,
    netUsageWords: Math.ceil((packedTrx.length + 80) / 8),
    trx,
  }
}
