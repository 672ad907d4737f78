// Transfers in the form of Hyperion's actions.
import type { ChainConfig } from '../../config/schema.ts'
import type { HistoryStart } from '../kit/history-start.ts'
import { decimalText, toNumber } from '../kit/numbers.ts'

export interface TransferRow {
  sequence: string
  block: number
  /** Unix milliseconds. */
  time: number
  trxId: string
  contract: string
  symbol: string
  decimals: number
  from: string
  to: string
  amount: string
  memo: string
  blockId: string | null
  producer: string | null
}

/** Times as Hyperion writes them: UTC without a zone. */
export function timeText(time: number): string {
  return new Date(time).toISOString().slice(0, -1)
}

/** A transfer. `data` is the action's own data, with the amount also as number and symbol, as Hyperion adds them. */
export function actionOf(row: TransferRow) {
  const { contract, symbol, decimals, from, to, amount, memo } = row
  const quantity = `${decimalText(BigInt(amount), decimals)} ${symbol}`
  const time = timeText(row.time)
  return {
    '@timestamp': time,
    timestamp: time,
    block_num: row.block,
    block_id: row.blockId,
    trx_id: row.trxId,
    act: {
      account: contract,
      name: 'transfer',
      data: { from, to, amount: toNumber(amount, decimals), symbol, quantity, memo },
    },
    global_sequence: Number(row.sequence),
    producer: row.producer,
  }
}

/** What an answer covers: from which block on, contracts and actions, and the members of Hyperion's actions that are not indexed. */
export function coverageOf({ tokens }: ChainConfig, start: HistoryStart | null) {
  return {
    first_block: start?.block ?? null,
    first_block_time: start?.time == null ? null : timeText(start.time),
    contracts: tokens.contracts === '*' ? ['*'] : [...tokens.contracts],
    actions: ['transfer'],
    omitted: [
      'act.authorization',
      'receipts',
      'notified',
      'action_ordinal',
      'creator_action_ordinal',
      'account_ram_deltas',
      'signatures',
    ],
  }
}
