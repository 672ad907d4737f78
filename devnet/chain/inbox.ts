// Queue of the transactions that clients send to a chain's node. Each runs in the next live block. Signatures are checked
// if a permission has keys (authority.ts); most devnet accounts have none.

import type { PackedAction } from '../../core/antelope/digest.ts'
import { Reader } from '../../core/antelope/reader.ts'
import { DecodeError, HeadwaterError } from '../../core/errors.ts'
import { toHex } from '../../core/hex.ts'
import { sha256 } from '../../core/sha256.ts'
import { requireAuthority } from './authority.ts'
import type { BlockBuilder } from './block-builder.ts'
import type { Chain, TransactionResult } from './chain.ts'
import { ContractError } from './contract-error.ts'
import { CpuUse } from './cpu-use.ts'
import { signatureFrom, type Transaction } from './transaction.ts'

export interface Accepted {
  id: string
  blockNum: number
  /** Unix milliseconds. */
  blockTime: number
}

interface Waiting {
  transaction: Transaction
  /** Called with the result; null if the sender already has it, and a fork then undid the block. */
  sender: { done(accepted: Accepted): void; failed(error: Error): void } | null
}

/** A transaction in a reversible block. */
interface Included {
  num: number
  transaction: Transaction
}

const MAX_LIFETIME_S = 3600

export class Inbox {
  private readonly chain: Chain
  private readonly now: () => number
  /** CPU billed for sent transactions. */
  readonly cpu = new CpuUse()
  private waiting: Waiting[] = []
  private included: Included[] = []
  /** Expiration, Unix seconds, by id of the transactions that were sent. A second one with the id is a duplicate until then. */
  private readonly known = new Map<string, number>()

  /** @param now  Unix milliseconds, for expirations */
  constructor(chain: Chain, now: () => number = Date.now) {
    this.chain = chain
    this.now = now
  }

  /**
   * Resolves when the transaction is in a block.
   *
   * @param packed      without signatures
   * @param signatures  as text
   * @throws DecodeError, ContractError when the transaction cannot be read, is expired, was already sent or is refused;
   *   AuthorityError
   */
  send(packed: Uint8Array, signatures: readonly string[] = []): Promise<Accepted> {
    return new Promise((done, failed) => {
      const transaction = this.read(packed)
      requireAuthority(this.chain, transaction, signatures)
      const { id, header } = transaction
      const now = this.now() / 1000
      for (const [old, expiration] of this.known) if (expiration < now) this.known.delete(old)
      if (header.expiration <= now) throw new ContractError('expired transaction')
      if (header.expiration > now + MAX_LIFETIME_S) throw new ContractError('transaction expires too late')
      if (this.known.has(id)) throw new ContractError('duplicate transaction')
      this.known.set(id, header.expiration)
      this.waiting.push({ transaction, sender: { done, failed } })
    })
  }

  /** Runs the sent transactions in a block, in order. */
  fill(block: BlockBuilder): void {
    const sent = this.waiting
    this.waiting = []
    const { num: final } = this.chain.lib
    this.included = this.included.filter(({ num }) => num > final)
    for (const entry of sent) {
      const { transaction, sender } = entry
      const result = attempt(block, transaction)
      if (result.ok) {
        this.included.push({ num: block.num, transaction })
        if (!sender) continue
        this.cpu.bill(transaction, block.now)
        sender.done({ id: result.id, blockNum: block.num, blockTime: block.now })
      } else if (sender) {
        this.known.delete(transaction.id)
        sender.failed(new ContractError(result.error))
      } else if (transaction.header.expiration > block.now / 1000) this.waiting.push(entry)
    }
  }

  /**
   * Puts transactions of blocks that a fork undid back into the queue. Each is retried in every block until it is
   * included or expires: rows that it needs may be created later on the new branch.
   */
  takeBack(): void {
    const { num: head } = this.chain.head
    const undone = this.included.filter(({ num }) => num > head)
    if (undone.length === 0) return
    this.included = this.included.filter(({ num }) => num <= head)
    this.waiting = [...undone.map(({ transaction }) => ({ transaction, sender: null })), ...this.waiting]
  }

  /** Decodes a packed transaction and its actions. @throws DecodeError, ContractError */
  read(packed: Uint8Array): Transaction {
    const reader = new Reader(packed)
    const header = { expiration: reader.u32(), refBlockNum: reader.u16(), refBlockPrefix: reader.u32() }
    reader.varuint32() // max_net_usage_words
    reader.u8() // max_cpu_usage_ms
    reader.varuint32() // delay_sec
    if (reader.varuint32() !== 0) throw new DecodeError('DEVNET_TRANSACTION', 'context-free actions are not known here')
    const count = reader.varuint32()
    const actions = Array.from({ length: count }, () => {
      const action = readAction(reader)
      const { account, name, authorization } = action
      const data = this.chain.state.abiOf(account).decodeAction(name, action.data)
      return { call: { account, name, authorization: [...authorization], data }, packed: action }
    })
    const id = sha256(packed)
    return { id: toHex(id), header, actions, signature: signatureFrom(id), packedTrx: packed }
  }
}

/** Treats values that a contract cannot handle as the sender's error. */
function attempt(block: BlockBuilder, transaction: Transaction): TransactionResult {
  try {
    return block.push(transaction)
  } catch (error) {
    if (error instanceof HeadwaterError || error instanceof RangeError) return { ok: false, error: error.message }
    throw error
  }
}

function readAction(reader: Reader): PackedAction {
  const account = reader.name()
  const name = reader.name()
  const count = reader.varuint32()
  const authorization = Array.from({ length: count }, () => ({ actor: reader.name(), permission: reader.name() }))
  return { account, name, authorization, data: reader.lengthBytes() }
}
