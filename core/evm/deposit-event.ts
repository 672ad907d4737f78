// The vault's event for a locked deposit (abis/SvcVault.abi.json), from a log's topics and data.
import { DecodeError } from '../errors.ts'
import { bytesInteger } from './bytes.ts'
import { keccak } from './keccak.ts'
import type { ReceiptLog } from './receipt.ts'

/** First topic of the event. */
export const DEPOSIT_TOPIC: Uint8Array = keccak(
  new TextEncoder().encode('Deposit(address,address,uint256,uint64,uint64,uint64,address,uint64,uint64,bytes)'),
)

export interface DepositEvent {
  /** 20 bytes; zeros: the native coin. */
  token: Uint8Array
  from: Uint8Array
  /** Raw units of the token. */
  amount: bigint
  /** Ledger units. */
  canonical: bigint
  /** The 64-bit value of the receiver's name. */
  telosTo: bigint
  nonce: bigint
  refundTo: Uint8Array
  fillFee: bigint
  filler: bigint
  memo: Uint8Array
}

const WORD = 32
const HEAD_WORDS = 8
const NARROW = (1n << 64n) - 1n

/** @throws DecodeError DEPOSIT_EVENT when the log is not such an event */
export function readDepositEvent({ topics, data }: Pick<ReceiptLog, 'topics' | 'data'>): DepositEvent {
  const [topic, token, from] = topics
  if (!topic || !token || !from || topics.length !== 3 || Buffer.compare(topic, DEPOSIT_TOPIC) !== 0)
    throw invalid('another event')
  if (data.length < (HEAD_WORDS + 1) * WORD) throw invalid(`${data.length} bytes of data`)
  const word = (at: number) => bytesInteger(data.subarray(at * WORD, (at + 1) * WORD))
  const narrow = (at: number) => {
    const value = word(at)
    if (value > NARROW) throw invalid(`word ${at} is above 64 bits`)
    return value
  }
  if (word(7) !== BigInt(HEAD_WORDS * WORD)) throw invalid('the memo is not behind the other members')
  const length = word(HEAD_WORDS)
  if (length > BigInt(data.length - (HEAD_WORDS + 1) * WORD)) throw invalid('the memo is cut off')
  const start = (HEAD_WORDS + 1) * WORD
  return {
    token: address(token),
    from: address(from),
    amount: word(0),
    canonical: narrow(1),
    telosTo: narrow(2),
    nonce: narrow(3),
    refundTo: address(data.subarray(4 * WORD, 5 * WORD)),
    fillFee: narrow(5),
    filler: narrow(6),
    memo: data.slice(start, start + Number(length)),
  }
}

function address(word: Uint8Array): Uint8Array {
  if (word.subarray(0, 12).some((byte) => byte !== 0)) throw invalid('an address of more than 20 bytes')
  return word.slice(12)
}

function invalid(what: string): DecodeError {
  return new DecodeError('DEPOSIT_EVENT', `a log is no deposit of a vault: ${what}`)
}
