// Facts of the ledger in one form for all datasets: where a fact stands in the chain, and its row as SQL shows it.
import { markColumns } from '../kit/snapshot.ts'
import { IS_WHOLE } from '../kit/whole-state.ts'

export interface Dataset {
  /** Name of the table in `ledger`. */
  name: string
  /** Relation that is read; default: the view of this name in `head`. */
  relation?: string
  /** Columns with accounts, each with an index. */
  accounts: readonly string[]
}

/**
 * Datasets whose rows are made by actions. The views of withdrawals and hops show journeys, so their actions are read from
 * the ledger.
 */
export const DATASETS: readonly Dataset[] = [
  { name: 'claim_events', accounts: ['owner'] },
  { name: 'deals', accounts: ['bidder', 'asker'] },
  { name: 'deposit_events', accounts: ['account'] },
  { name: 'deposits', relation: 'head.deposit_logs', accounts: ['sender', 'beneficiary'] },
  { name: 'gateway_credits', accounts: [] },
  { name: 'hop_returns', accounts: [] },
  { name: 'hops', relation: 'ledger.hops', accounts: [] },
  { name: 'incentive_events', accounts: ['account'] },
  { name: 'noops', accounts: [] },
  { name: 'order_events', accounts: ['account'] },
  { name: 'pool_creations', accounts: [] },
  { name: 'position_events', accounts: ['owner', 'recipient'] },
  { name: 'protocol_fees', accounts: [] },
  { name: 'swaps', accounts: ['sender', 'recipient'] },
  { name: 'transfers', accounts: ['from_account', 'to_account'] },
  { name: 'undecoded_actions', accounts: [] },
  { name: 'withdrawal_events', accounts: ['account'] },
  { name: 'withdrawals', relation: 'ledger.withdrawals', accounts: ['sender'] },
]

/** Kinds of an account's activity. */
export const ACTIVITY = DATASETS.filter(({ accounts }) => accounts.length > 0)

/** A fact as the database returns it. */
export interface FactRow {
  dataset: string
  blockNum: number
  /** Unix milliseconds. */
  time: number
  sequence: string
  trxId: string
  isFinal: boolean
  row: Record<string, unknown>
}

/** Where the rows `v` of a dataset are read. */
export const relationOf = ({ name, relation = `head.${name}` }: Dataset) => relation

/** SQL of the transaction's id, as text; with an index. */
export const trxOf = (dataset: Dataset) =>
  relationOf(dataset).startsWith('ledger.') ? `encode(v.trx_id, 'hex')` : 'v.trx_id'

const PLACE = `'{chain,block_num,block_time,global_seq,trx_id}'`

/**
 * Selects facts of a view `v`. Numbers of a row are texts: JSON numbers of other programs round at 2^53. Other columns
 * are as PostgreSQL writes them in JSON.
 */
export const factColumns = (dataset: Dataset) => `'${dataset.name}' as dataset, v.block_num, v.block_time, v.global_seq,
  ${trxOf(dataset)} as trx_id,
  (select jsonb_object_agg(e.key, case jsonb_typeof(e.value) when 'number' then to_jsonb(e.value #>> '{}') else e.value end)
    from jsonb_each(to_jsonb(v) - ${PLACE}::text[]) e) as row`

/** Start of a statement of the chain $1: its position, with the last irreversible block. */
export const AT_FINAL = `with at as materialized (
  select block_num, block_id, block_time, lib_num, ${IS_WHOLE} as is_whole from meta.position where chain = $1)`

/**
 * Statement of facts, with the block as of which they are read.
 *
 * @param facts  selects with `factColumns`
 * @param order  of the answer, by the columns of `f`
 */
export const factsStatement = (facts: string, order: string) => `
  ${AT_FINAL}
  select ${markColumns('at')}, f.dataset, f.block_num::float8 as "blockNum", date_part('epoch', f.block_time) * 1000 as time,
    f.global_seq::text as sequence, f.trx_id as "trxId", f.block_num <= at.lib_num as "isFinal", f.row
  from at left join lateral (${facts}) f on true order by ${order}`

/** A fact as an answer shows it. */
export function factJson({ dataset, blockNum, time, sequence, trxId, isFinal, row }: FactRow) {
  return {
    dataset,
    block: blockNum,
    time: new Date(time).toISOString(),
    sequence,
    transaction: trxId,
    final: isFinal,
    row,
  }
}
