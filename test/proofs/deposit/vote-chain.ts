// A chain of headers with votes as on BNB Smart Chain, without an EVM: validators change at each epoch, votes can be
// missing, and one block has the receipt of a deposit.

import { bloomOf } from '../../../core/evm/bloom.ts'
import { validatorKey, validatorSign } from '../../../core/evm/bls.ts'
import { bytesInteger, integerBytes, toPrefixedHex } from '../../../core/evm/bytes.ts'
import { DEPOSIT_TOPIC } from '../../../core/evm/deposit-event.ts'
import { encodeHeader, type JsonHeader } from '../../../core/evm/header.ts'
import { readHeader } from '../../../core/evm/header-fields.ts'
import { keccak } from '../../../core/evm/keccak.ts'
import { switchDelay, type Validators } from '../../../core/evm/parlia.ts'
import { type Receipt, receiptTrie } from '../../../core/evm/receipt.ts'
import { encodeRlp } from '../../../core/evm/rlp.ts'
import { secretOf, sum } from '../../../devnet/beacon/committee.ts'
import { RpcError } from '../../../net/rpc/errors.ts'
import type { EvmReader, RawHeader } from '../../../proofs/deposit/evm/node.ts'
import type { LockedDeposit } from '../../../proofs/deposit/evm/prove.ts'

export const EPOCH = 20
export const VAULT = new Uint8Array(20).fill(0xaa)
const VALIDATORS = 5
const URL = 'http://127.0.0.1/'

interface Epoch {
  validators: Validators
  secrets: bigint[]
}

/** Validators by the first block of their epoch. Shared by all chains, because making keys is slow. */
const EPOCHS = new Map<number, Epoch>()
const signatures = new Map<string, Uint8Array>()

/** Signatures by signer and message. Chains share their first blocks, so most signatures are needed again. */
function signOnce(message: Uint8Array, secret: bigint): Uint8Array {
  const key = `${toPrefixedHex(message)} ${secret}`
  const signature = signatures.get(key) ?? validatorSign(message, secret)
  signatures.set(key, signature)
  return signature
}

export class VoteChain implements EvmReader {
  readonly blocks: RawHeader[] = []
  readonly #receipts = new Map<number, Receipt[]>()
  readonly #deposit: number
  readonly #isSilent: (num: number) => boolean
  readonly #isForged: boolean

  /**
   * @param deposit   number of the block with the deposit
   * @param isSilent  whether a block carries no votes
   * @param isForged  whether votes are signed with other keys
   */
  constructor(length: number, deposit: number, isSilent: (num: number) => boolean = () => false, isForged = false) {
    this.#deposit = deposit
    this.#isSilent = isSilent
    this.#isForged = isForged
    for (let num = 0; num < length; num++) this.#append(num)
  }

  async head(): Promise<number> {
    return this.blocks.length - 1
  }

  async headers(nums: readonly number[]): Promise<RawHeader[]> {
    return nums.map((num) => this.blocks[num] ?? fail(`block ${num} is missing`))
  }

  async receipts({ number }: RawHeader) {
    const receipts = this.#receipts.get(number) ?? []
    return { receipts, trie: receiptTrie(receipts) }
  }

  error(code: string, what: string): RpcError {
    return new RpcError(code, 'bsc', URL, what)
  }

  use<T>(step: (rpc: EvmReader) => Promise<T>): Promise<T> {
    return step(this)
  }

  /** The deposit as a row of an indexer. */
  get locked(): LockedDeposit {
    const { hash: blockHash, timestamp: time } = this.blocks[this.#deposit]!
    return {
      place: { chain: 'bsc', blockNum: this.#deposit, blockHash, logIndex: 0, contract: VAULT },
      time,
      nonce: 7n,
      token: new Uint8Array(20),
      canonical: 3n,
      telosTo: 5n,
      memo: new Uint8Array(),
    }
  }

  /** The validators that vote for a block. */
  #voters(target: number): Epoch {
    const epoch = Math.floor(target / EPOCH) * EPOCH
    const before = this.#epoch(Math.max(0, epoch - EPOCH))
    return target > epoch + switchDelay(before.validators) ? this.#epoch(epoch) : before
  }

  #epoch(first: number): Epoch {
    let epoch = EPOCHS.get(first)
    if (!epoch) {
      const secrets = Array.from({ length: VALIDATORS }, (_, i) => secretOf(`validator ${first} ${i}`))
      epoch = { secrets, validators: { keys: secrets.map(validatorKey), turn: 2 } }
      EPOCHS.set(first, epoch)
    }
    return epoch
  }

  #append(num: number): void {
    const parent = this.blocks.at(-1)
    const receipts = num === this.#deposit ? [depositReceipt()] : []
    this.#receipts.set(num, receipts)
    const zeros = toPrefixedHex(new Uint8Array(32))
    const header: JsonHeader = {
      hash: zeros,
      parentHash: parent ? toPrefixedHex(parent.hash) : zeros,
      sha3Uncles: zeros,
      miner: toPrefixedHex(new Uint8Array(20)),
      stateRoot: zeros,
      transactionsRoot: zeros,
      receiptsRoot: toPrefixedHex(receiptTrie(receipts).root),
      logsBloom: toPrefixedHex(bloomOf(receipts.flatMap(({ logs }) => logs))),
      difficulty: '0x2',
      number: `0x${num.toString(16)}`,
      gasLimit: '0x0',
      gasUsed: '0x0',
      timestamp: `0x${(1_700_000_000 + num).toString(16)}`,
      extraData: toPrefixedHex(this.#extra(num)),
      mixHash: zeros,
      nonce: '0x0000000000000000',
    }
    const rlp = encodeHeader(header)
    this.blocks.push({ ...readHeader(rlp), rlp })
  }

  #extra(num: number): Uint8Array {
    const { validators } = this.#epoch(num)
    const set = validators.keys.flatMap((key) => [new Uint8Array(20), key])
    const names = num % EPOCH === 0 ? [Uint8Array.of(VALIDATORS), ...set, Uint8Array.of(validators.turn)] : []
    const votes = num < 2 || this.#isSilent(num) ? [] : [this.#votes(num)]
    return Buffer.concat([new Uint8Array(32), ...names, ...votes, new Uint8Array(65)])
  }

  /** Four of five validators vote for the parent; the source of the vote is the newest justified block before it. */
  #votes(num: number): Uint8Array {
    let source = num - 2
    while (source > 0 && this.#isSilent(source + 1)) source--
    const [from, to] = [this.blocks[source]!, this.blocks[num - 1]!]
    const data = [integerBytes(from.number), from.hash, integerBytes(to.number), to.hash]
    const { secrets } = this.#voters(num - 1)
    const absent = num % VALIDATORS
    const bits = secrets.reduce((all, _, i) => (i === absent ? all : all | (1n << BigInt(i))), 0n)
    // Signing is slow: only votes that a proof can need are signed.
    const isNeeded = num % EPOCH < 4 || (num > this.#deposit && num < this.#deposit + 6)
    const signers = this.#isForged ? 7n : sum(secrets.filter((_, i) => i !== absent))
    const signature = isNeeded ? signOnce(keccak(encodeRlp(data)), signers) : new Uint8Array(96)
    return encodeRlp([integerBytes(bits), signature, data, new Uint8Array()])
  }
}

function depositReceipt(): Receipt {
  const word = (value: bigint) => {
    const bytes = integerBytes(value)
    return Buffer.concat([new Uint8Array(32 - bytes.length), bytes])
  }
  const members = [3n * 10n ** 10n, 3n, 5n, 7n, bytesInteger(new Uint8Array(20).fill(0xdd)), 0n, 0n, 256n, 0n]
  const log = {
    address: VAULT,
    topics: [DEPOSIT_TOPIC, new Uint8Array(32), word(1n)],
    data: Buffer.concat(members.map(word)),
  }
  return { type: 2, outcome: true, cumulativeGasUsed: 21_000n, logsBloom: bloomOf([log]), logs: [log] }
}

function fail(what: string): never {
  throw new RpcError('EVM_GAP', 'bsc', URL, what)
}
