// A withdrawal as burned by its `wdlog` action, with the action's position in its block.

import { Reader } from '../antelope/reader.ts'
import { DecodeError } from '../errors.ts'
import { type BridgeLog, bridgeLogsOf } from './bridge-log.ts'
import type { ExecutedAction } from './receipts.ts'

/** Members of `wdlog`. For an EVM domain, vault, token and recipient have 20 bytes. Amounts in ledger units. */
export interface Withdrawal {
  id: bigint
  domain: bigint
  vault: Uint8Array
  token: Uint8Array
  recipient: Uint8Array
  /** Gross amount, including the fee. */
  amount: bigint
  /** Unix seconds. */
  deadline: bigint
  fee: bigint
  memo: Uint8Array
}

export interface Burn extends Withdrawal, Omit<BridgeLog, 'name' | 'data'> {}

/** @throws DecodeError when the bytes are not exactly a `wdlog` */
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
  if (reader.remaining > 0) throw new DecodeError('WDLOG_LAYOUT', `${reader.remaining} bytes follow a wdlog`)
  return withdrawal
}

/** @throws DecodeError when the log's data are not a `wdlog` */
export function burnOfLog({ name: _, data, ...place }: BridgeLog): Burn {
  return { ...readWithdrawal(data), ...place }
}

/**
 * Withdrawals of a block.
 *
 * @param actions  all actions of the block, in execution order
 * @param bridge   account of the bridge
 * @throws DecodeError for a `wdlog` of another layout
 */
export function burnsOf(blockNum: number, actions: readonly ExecutedAction[], bridge: string): Burn[] {
  return bridgeLogsOf(blockNum, actions, bridge)
    .filter(({ name }) => name === 'wdlog')
    .map(burnOfLog)
}
