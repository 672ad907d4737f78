// Positions and liquidity of a pool, and large trades. $1: chain.
import { markColumns } from '../../kit/snapshot.ts'
import { AT_FINAL, DATASETS, factColumns, factsStatement, relationOf } from '../facts.ts'
import { POSITION_COLUMNS } from '../position.ts'

/**
 * Positions with liquidity of the pool $2, by the columns `order` of an index. $3: limit, $4 and on: the place that the
 * page follows.
 */
const poolPositions = (after: string, order: string) => `
  ${AT_FINAL}
  select ${markColumns('at')}, at.is_whole as "isWhole", p.*
  from at left join lateral (
    select ${POSITION_COLUMNS} from state.positions p
    where p.chain = $1 and p.pool_id = $2 and p.liquidity > 0 and ${after} order by ${order} limit $3
  ) p on true`

/** By order: $4 is the id, $5 the liquidity. Neither changes with the price. */
export const POOL_POSITIONS = {
  liquidity: poolPositions(
    '(p.liquidity, p.position_id) < ($5::numeric, $4::int8)',
    'p.liquidity desc, p.position_id desc',
  ),
  id: poolPositions('p.position_id > $4::int8', 'p.position_id'),
}

/** The block of the current state, and whether the state is complete. */
export const STATE_MARK = `${AT_FINAL} select ${markColumns('at')}, at.is_whole as "isWhole" from at`

/** Minimum values of large trades, USD: each has an index on swaps and deals. */
export const LARGE = [100, 1000, 10_000] as const

const NEWEST_FIRST = 'order by block_time desc, global_seq desc'

/** Newest trades of at least `usd`. $2 and $3: the cursor that the page follows, $4: limit. */
export const largeTrades = (usd: (typeof LARGE)[number]): string =>
  factsStatement(
    `select * from (${DATASETS.filter(({ name }) => name === 'swaps' || name === 'deals')
      .map(
        (dataset) => `(select ${factColumns(dataset)} from ${relationOf(dataset)} v
          where v.chain = $1 and v.usd >= ${usd} and (v.block_time, v.global_seq) < ($2::timestamptz, $3::int8)
          order by v.block_time desc, v.global_seq desc fetch first $4 rows with ties)`,
      )
      .join(' union all ')}) u ${NEWEST_FIRST} fetch first $4 rows with ties`,
    'f.global_seq desc, f.dataset',
  )

/** Newest swaps of the pool $2. $3 and $4: the cursor that the page follows, $5: limit. */
export const POOL_SWAPS = factsStatement(
  `select ${factColumns({ name: 'swaps', accounts: [] })} from head.swaps v
    where v.chain = $1 and v.pool_id = $2 and (v.block_time, v.global_seq) < ($3::timestamptz, $4::int8)
    order by v.block_time desc, v.global_seq desc limit $5`,
  'f.global_seq desc',
)

/** Newest trades of the order-book market $2. $3 and $4: the cursor that the page follows, $5: limit. */
export const MARKET_DEALS = factsStatement(
  `select ${factColumns({ name: 'deals', accounts: [] })} from head.deals v
    where v.chain = $1 and v.market_id = $2 and (v.block_time, v.global_seq) < ($3::timestamptz, $4::int8)
    order by v.block_time desc, v.global_seq desc limit $5`,
  'f.global_seq desc',
)
