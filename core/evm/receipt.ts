// Receipts as in a block's receipts trie. Sources: Yellow Paper, section 4.3.1; EIP-658 (status), EIP-2718 (type byte
// before the list). All types (1, 2, 3, 4, ...) share one layout.
import { DecodeError } from '../errors.ts'
import { bytesInteger, equalBytes, fromPrefixedHex, integerBytes, quantity, smallQuantity } from './bytes.ts'
import { decodeRlp, encodeRlp, rlpBytes, rlpList } from './rlp.ts'
import { indexKey, Trie } from './trie.ts'

export interface ReceiptLog {
  /** 20 bytes. */
  address: Uint8Array
  /** At most 4, of 32 bytes each. */
  topics: readonly Uint8Array[]
  data: Uint8Array
}

export interface Receipt {
  /** 0 for a legacy transaction, else the type byte before the list: below 128. */
  type: number
  /** Whether the transaction succeeded; before Byzantium a 32-byte state root instead. */
  outcome: boolean | Uint8Array
  cumulativeGasUsed: bigint
  /** 256 bytes. */
  logsBloom: Uint8Array
  logs: readonly ReceiptLog[]
}

/** A receipt from `eth_getBlockReceipts`; other members are ignored. */
export interface JsonReceipt {
  type?: string
  status?: string
  root?: string
  cumulativeGasUsed: string
  logsBloom: string
  logs: readonly { address: string; topics: readonly string[]; data: string }[]
}

/** @throws DecodeError INVALID_HEX, RECEIPT_INVALID */
export function receiptFromJson(json: JsonReceipt): Receipt {
  const { type, status, root, cumulativeGasUsed, logsBloom, logs } = json
  if (status === undefined && root === undefined)
    throw new DecodeError('RECEIPT_INVALID', 'the receipt has neither a status nor a state root')
  return {
    type: type === undefined ? 0 : smallQuantity(type),
    outcome: status === undefined ? fromPrefixedHex(root as string, 32) : quantity(status) === 1n,
    cumulativeGasUsed: quantity(cumulativeGasUsed),
    logsBloom: fromPrefixedHex(logsBloom, 256),
    logs: logs.map((log) => ({
      address: fromPrefixedHex(log.address, 20),
      topics: log.topics.map((topic) => fromPrefixedHex(topic, 32)),
      data: fromPrefixedHex(log.data),
    })),
  }
}

/** The receipt's value in the receipts trie. */
export function encodeReceipt({ type, outcome, cumulativeGasUsed, logsBloom, logs }: Receipt): Uint8Array {
  const list = encodeRlp([
    typeof outcome === 'boolean' ? integerBytes(outcome ? 1 : 0) : outcome,
    integerBytes(cumulativeGasUsed),
    logsBloom,
    logs.map(({ address, topics, data }) => [address, topics, data]),
  ])
  return type === 0 ? list : Uint8Array.from([type, ...list])
}

/** @throws DecodeError RLP_INVALID, RECEIPT_INVALID */
export function decodeReceipt(bytes: Uint8Array): Receipt {
  const first = bytes[0] ?? 0
  const type = first < 0x80 ? first : 0
  const [outcome, gas, bloom, logs] = rlpList(decodeRlp(type === 0 ? bytes : bytes.subarray(1)), 4)
  return {
    type,
    outcome: outcomeOf(rlpBytes(outcome)),
    cumulativeGasUsed: bytesInteger(rlpBytes(gas)),
    logsBloom: rlpBytes(bloom, 256),
    logs: rlpList(logs).map((log) => {
      const [address, topics, data] = rlpList(log, 3)
      return {
        address: rlpBytes(address, 20),
        topics: rlpList(topics).map((topic) => rlpBytes(topic, 32)),
        data: rlpBytes(data),
      }
    }),
  }
}

/** The trie whose root is in the block's header. @param receipts  all receipts of the block, in order */
export function receiptTrie(receipts: readonly Receipt[]): Trie {
  return new Trie(receipts.map((receipt, index) => [indexKey(index), encodeReceipt(receipt)] as const))
}

/**
 * The receipts that a header's root covers, with their trie: all receipts, or all but the last. Null if neither has this
 * root. In every sixteenth block, Polygon's nodes append a receipt for events of another chain, which the root does not
 * cover.
 *
 * @param receipts  all receipts of a block as nodes send them, in order
 * @param root      32 bytes
 */
export function receiptsUnderRoot(
  receipts: readonly Receipt[],
  root: Uint8Array,
): { receipts: readonly Receipt[]; trie: Trie } | null {
  for (const some of [receipts, receipts.slice(0, -1)]) {
    const trie = receiptTrie(some)
    if (equalBytes(trie.root, root)) return { receipts: some, trie }
  }
  return null
}

function outcomeOf(bytes: Uint8Array): boolean | Uint8Array {
  if (bytes.length === 32) return bytes
  if (bytes.length === 0) return false
  if (bytes.length === 1 && bytes[0] === 1) return true
  throw new DecodeError('RECEIPT_INVALID', 'the receipt has neither a status nor a state root')
}
