// A withdrawal as its `wdlog` action burned it, with the place of that action in its block.

import { witnessHash } from '../core/antelope/digest.ts'
import { Reader } from '../core/antelope/reader.ts'
import { DecodeError } from '../core/errors.ts'
import { actionLeaves, type ExecutedAction } from './receipts.ts'

/** Members of `wdlog`; for an EVM domain vault, token and recipient have 20 bytes. Amounts in ledger units. */
export interface Withdrawal {
  id: bigint
  domain: bigint
  vault: Uint8Array
  token: Uint8Array
  recipient: Uint8Array
  /** Gross: the fee is part of it. */
  amount: bigint
  /** Unix seconds. */
  deadline: bigint
  fee: bigint
  memo: Uint8Array
}

export interface Burn extends Withdrawal {
  blockNum: number
  recvSequence: bigint
  /** Hash of the receipt's sequences. */
  witness: Uint8Array
  /** Place among the block's actions, in execution order. */
  index: number
  /** Leaves of the block's action tree. */
  leaves: readonly Uint8Array[]
}

/** @throws DecodeError when the bytes do not hold exactly a `wdlog` */
export function readWithdrawal(data: Uint8Array): Withdrawal {
  const reader = new Reader(data)
  const withdrawal = {
    id: reader.u64(),
    domain: reader.u64(),
    vault: reader.lengthBytes(),
    token: reader.lengthBytes(),
    recipient: reader.lengthBytes(),
    amount: reader.u64(),
    deadline: reader.u64(),
    fee: reader.u64(),
    memo: reader.lengthBytes(),
  }
  if (reader.remaining > 0) throw new DecodeError('WDLOG_LAYOUT', `${reader.remaining} bytes are left behind a wdlog`)
  return withdrawal
}

/**
 * Withdrawals of a block.
 *
 * @param actions  all of the block, in execution order
 * @param bridge   account of the ledger
 */
export function burnsOf(blockNum: number, actions: readonly ExecutedAction[], bridge: string): Burn[] {
  const isBurn = ({ receipt, action }: ExecutedAction) =>
    action.account === bridge && receipt.receiver === bridge && action.name === 'wdlog'
  if (!actions.some(isBurn)) return []
  const leaves = actionLeaves(actions)
  return actions.flatMap((executed, index) =>
    isBurn(executed)
      ? [
          {
            ...readWithdrawal(executed.action.data),
            blockNum,
            recvSequence: executed.receipt.recvSequence,
            witness: witnessHash(executed.receipt),
            index,
            leaves,
          },
        ]
      : [],
  )
}
