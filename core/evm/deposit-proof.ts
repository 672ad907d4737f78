// Checks of a gateway for an EVM chain before it credits a deposit: headers from the deposit's block to a trusted
// block, the receipt in the first of them, and the vault's event in the receipt.

import { DecodeError } from '../errors.ts'
import { itemAt } from '../required.ts'
import { equalBytes } from './bytes.ts'
import { type DepositEvent, readDepositEvent } from './deposit-event.ts'
import { type HeaderFields, readHeader } from './header-fields.ts'
import { decodeReceipt } from './receipt.ts'
import { indexKey, verifyTrieProof } from './trie.ts'

/** The struct `receipt_proof` of abis/gateway.evm.abi.json. */
export interface ReceiptProof {
  /** RLP of consecutive headers, the deposit's block first; the last one is a trusted block. */
  headers: Uint8Array[]
  receipt_index: number
  /** Nodes from the root of the receipts trie to the receipt. */
  receipt_nodes: Uint8Array[]
  /** Index of the log within the receipt. */
  log_index: number
}

/** Whether a block is trusted as final, by its hash. */
export type IsTrusted = (hash: Uint8Array) => boolean

/**
 * Checks that each header is the child of the one before it.
 *
 * @param headers  RLP, oldest first, at least one
 * @throws DecodeError DEPOSIT_PROOF, RLP_INVALID
 */
export function linkedHeaders(headers: readonly Uint8Array[]): HeaderFields[] {
  if (headers.length === 0) throw invalid('there is no header')
  const all = headers.map(readHeader)
  for (const [i, header] of all.entries()) {
    const before = all[i - 1]
    if (before && (header.number !== before.number + 1 || !equalBytes(header.parentHash, before.hash)))
      throw invalid(`block ${header.number} is no child of block ${before.number}`)
  }
  return all
}

/**
 * Checks consecutive headers whose last block must be trusted.
 *
 * @throws DecodeError DEPOSIT_PROOF, RLP_INVALID
 */
export function trustedHeaders(headers: readonly Uint8Array[], isTrusted: IsTrusted): HeaderFields[] {
  const all = linkedHeaders(headers)
  const last = itemAt(all, -1)
  if (!isTrusted(last.hash)) throw invalid(`block ${last.number} is not trusted`)
  return all
}

/**
 * The deposit that a proof contains.
 *
 * @param vault  20 bytes: the contract that must have logged it
 * @throws DecodeError DEPOSIT_PROOF, DEPOSIT_EVENT, TRIE_PROOF, RLP_INVALID, RECEIPT_INVALID
 */
export function provenDeposit(proof: ReceiptProof, vault: Uint8Array, isTrusted: IsTrusted): DepositEvent {
  const block = itemAt(trustedHeaders(proof.headers, isTrusted), 0)
  const value = verifyTrieProof(block.receiptsRoot, indexKey(proof.receipt_index), proof.receipt_nodes)
  if (value === null) throw invalid(`the block has no receipt ${proof.receipt_index}`)
  const receipt = decodeReceipt(value)
  if (receipt.outcome === false) throw invalid('the transaction failed')
  const log = receipt.logs[proof.log_index]
  if (log === undefined) throw invalid(`the receipt has no log ${proof.log_index}`)
  if (!equalBytes(log.address, vault)) throw invalid('another contract logged it')
  return readDepositEvent(log)
}

function invalid(what: string): DecodeError {
  return new DecodeError('DEPOSIT_PROOF', `the proof of a deposit does not hold: ${what}`)
}
