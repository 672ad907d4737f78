// Header fields that proofs need, from a header's RLP.
import { bytesInteger } from './bytes.ts'
import { keccak } from './keccak.ts'
import { decodeRlp, rlpBytes, rlpList } from './rlp.ts'

export interface HeaderFields {
  /** 32 bytes: the block's id. */
  hash: Uint8Array
  parentHash: Uint8Array
  receiptsRoot: Uint8Array
  number: number
  /** Unix seconds. */
  timestamp: number
  extraData: Uint8Array
}

/** @throws DecodeError RLP_INVALID */
export function readHeader(rlp: Uint8Array): HeaderFields {
  const items = rlpList(decodeRlp(rlp))
  return {
    hash: keccak(rlp),
    parentHash: rlpBytes(items[0], 32),
    receiptsRoot: rlpBytes(items[5], 32),
    number: Number(bytesInteger(rlpBytes(items[8]))),
    timestamp: Number(bytesInteger(rlpBytes(items[11]))),
    extraData: rlpBytes(items[12]),
  }
}
