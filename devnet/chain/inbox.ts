// Transactions that somebody sends to a chain's node: each is tried in the next live block. Signatures are checked where a
// permission has keys (authority.ts); most accounts of a devnet have none.

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
  /** Who sent it; null when it was answered before a fork took it out of its block. */
  sender: { done(accepted: Accepted): void; failed(error: Error): void } | null
}

/** What was accepted in a block that a fork may still replace. */
interface Included {
  num: number
  transaction: Transaction
}

const LONGEST_S = 3600

export class Inbox {
  private readonly chain: Chain
  /** Of what was sent. */
  readonly cpu = new CpuUse()
  private waiting: Waiting[] = []
  private included: Included[] = []
  /** Ids with the expiration until which they must not come again, Unix seconds. */
  private readonly known = new Map<string, number>()

  constructor(chain: Chain) {
    this.chain = chain
  }

  /**
   * @param packed      without signatures
   * @param signatures  as text
   * @returns once it is in a block
   * @throws DecodeError, ContractError when it cannot be read, is expired or sent already, or is refused; AuthorityError
   */
  send(packed: Uint8Array, signatures: readonly string[] = []): Promise<Accepted> {
    return new Promise((done, failed) => {
      const transaction = this.read(packed)
      requireAuthority(this.chain, transaction, signatures)
      const { id, header } = transaction
      const now = Date.now() / 1000
      for (const [old, expiration] of this.known) if (expiration < now) this.known.delete(old)
      if (header.expiration <= now) throw new ContractError('expired transaction')
      if (header.expiration > now + LONGEST_S) throw new ContractError('transaction expires too late')
      if (this.known.has(id)) throw new ContractError('duplicate transaction')
      this.known.set(id, header.expiration)
      this.waiting.push({ transaction, sender: { done, failed } })
    })
  }

  /** Tries what was sent in a block, in order. */
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
   * Takes back what was in blocks that a fork has undone. Each is tried in every block until it is in one or has
   * expired: what it needs may come later on the other branch.
   */
  takeBack(): void {
    const { num: head } = this.chain.head
    const undone = this.included.filter(({ num }) => num > head)
    if (undone.length === 0) return
    this.included = this.included.filter(({ num }) => num <= head)
    this.waiting = [...undone.map(({ transaction }) => ({ transaction, sender: null })), ...this.waiting]
  }

  /** A packed transaction with its actions decoded. @throws DecodeError, ContractError */
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

/** Values that no contract has foreseen are the sender's mistake. */
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
