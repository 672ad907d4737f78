// Statements of the explorer. $1: chain.
import { ACTIVITY, AT_FINAL, DATASETS, factColumns, factsStatement, relationOf, trxOf } from './facts.ts'

const NEWEST_FIRST = 'order by block_time desc, global_seq desc'

/** $2: transaction id, hexadecimal digits. In the order of the chain. */
export const TRANSACTION_FACTS = factsStatement(
  DATASETS.map(
    (dataset) =>
      `select ${factColumns(dataset)} from ${relationOf(dataset)} v where v.chain = $1 and ${trxOf(dataset)} = $2`,
  ).join(' union all '),
  'f.global_seq, f.dataset',
)

/** $2: block number, $3: its time, $4: sequence after which the page starts, $5: limit. In the order of the chain. */
export const BLOCK_FACTS = factsStatement(
  `select * from (${DATASETS.map(
    (dataset) => `(select ${factColumns(dataset)} from ${relationOf(dataset)} v
      where v.chain = $1 and v.block_num = $2 and v.block_time = $3 and v.global_seq > $4::int8
      order by v.global_seq fetch first $5 rows with ties)`,
  ).join(' union all ')}) u order by global_seq fetch first $5 rows with ties`,
  'f.global_seq, f.dataset',
)

/** Header of the block with the number $2, of the followed branch. */
export const BLOCK = `
  ${AT_FINAL}
  select at.block_num::float8 as "atBlock", at.block_id as "atId", date_part('epoch', at.block_time) * 1000 as "atTime",
    b.block_num::float8 as num, encode(b.block_id, 'hex') as id, encode(b.prev_id, 'hex') as "prevId",
    date_part('epoch', b.block_time) * 1000 as time, b.producer, b.block_num <= at.lib_num as "isFinal"
  from at left join ledger.blocks b on b.chain = $1 and b.block_num = $2::int8`

/**
 * Newest facts of an account. $2: account, $3 and $4: the cursor that the page follows, $5: limit, $6: names of the
 * datasets. Facts of the same action stay on one page, so a page may have some more rows. Each column is read through its
 * own index, only as far as the page needs, so the cost does not depend on how deep the page is.
 */
export const ACTIVITY_FACTS = factsStatement(
  `select * from (${ACTIVITY.flatMap((dataset) =>
    dataset.accounts.map((column, i) => {
      // A fact with the account in two columns is read through the first.
      const others = dataset.accounts.slice(0, i).map((other) => `and v.${other} is distinct from $2`)
      return `(select ${factColumns(dataset)} from ${relationOf(dataset)} v
        where '${dataset.name}' = any($6::text[]) and v.chain = $1 and v.${column} = $2 ${others.join(' ')}
        and (v.block_time, v.global_seq) < ($3::timestamptz, $4::int8)
        order by v.block_time desc, v.global_seq desc fetch first $5 rows with ties)`
    }),
  ).join(' union all ')}) u ${NEWEST_FIRST} fetch first $5 rows with ties`,
  'f.global_seq desc, f.dataset',
)
