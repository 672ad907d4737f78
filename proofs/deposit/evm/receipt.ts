// The part of a proof that shows the event: the receipt in its block's trie, and the log in the receipt.

import { BugError } from '../../../core/errors.ts'
import { equalBytes } from '../../../core/evm/bytes.ts'
import type { ReceiptProof } from '../../../core/evm/deposit-proof.ts'
import { indexKey } from '../../../core/evm/trie.ts'
import { itemAt } from '../../../core/required.ts'
import type { BlockReceipts, EvmReader, RawHeader } from './node.ts'

/** Position of a deposit's event, from the ledger. */
export interface EventPlace {
  chain: string
  blockNum: number
  /** 32 bytes. */
  blockHash: Uint8Array
  /** Index of the log in its block. */
  logIndex: number
  /** Vault: 20 bytes. */
  contract: Uint8Array
}

/** @throws RpcError EVM_CONTRADICTION when the endpoint has another block at this number; errors of the reader */
export async function readEvent(
  rpc: EvmReader,
  place: EventPlace,
): Promise<{ header: RawHeader; receipt: Omit<ReceiptProof, 'headers'> }> {
  const [header] = (await rpc.headers([place.blockNum])) as [RawHeader]
  if (!equalBytes(header.hash, place.blockHash))
    throw rpc.error('EVM_CONTRADICTION', `it has another block in place of the final block ${place.blockNum}`)
  return { header, receipt: receiptProof(await rpc.receipts(header), place) }
}

/**
 * Proof of a log in the receipts of its block. The receipts' root must be the block's.
 *
 * @throws BugError DEPOSIT_NOT_IN_RECEIPTS: the ledger contradicts the block
 */
export function receiptProof({ receipts, trie }: BlockReceipts, place: EventPlace): Omit<ReceiptProof, 'headers'> {
  let before = 0
  for (const [index, { logs }] of receipts.entries()) {
    const at = place.logIndex - before
    before += logs.length
    if (at >= logs.length) continue
    if (!equalBytes(itemAt(logs, at).address, place.contract)) break
    return { receipt_index: index, receipt_nodes: trie.prove(indexKey(index)), log_index: at }
  }
  const { chain, blockNum: block, logIndex } = place
  const what = `${chain}: log ${logIndex} of block ${block} is not the vault's`
  throw new BugError('DEPOSIT_NOT_IN_RECEIPTS', what, { place: { chain, block } })
}
