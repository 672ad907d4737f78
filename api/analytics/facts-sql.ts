// SQL of data that the market in memory does not contain. Every statement also reads the position, so that all rows of
// an answer are of one block.
import { AT, markColumns } from '../kit/snapshot.ts'

/** Farms of all pools, with their digest. They seldom change: if the digest equals $2, they are not sent. */
export const INCENTIVES = `${AT}, farms as materialized (
    select incentive_id::text as id, pool_id::float8 as pool, contract, symbol, decimals, amount::text as amount,
      date_part('epoch', period_finish)::float8 as "periodFinish", reward_rate_e18::text as "rewardRateE18",
      total_staking_weight::text as "totalStakingWeight"
    from state.incentives where chain = $1 order by incentive_id
  ), whole as materialized (select md5(coalesce(string_agg(f::text, ''), '')) as digest from farms f)
  select ${markColumns('at')}, w.digest, f.* from at cross join whole w left join farms f on w.digest <> $2`

/** Pools in which account $2 has an open position. */
export const POOLS_OF_ACCOUNT = `${AT}
  select ${markColumns('at')}, p.* from at left join lateral (
    select distinct pool_id::float8 as id from state.positions where chain = $1 and owner = $2 and liquidity > 0
  ) p on true`

/** Locked positions whose lock has not ended as of the block. */
export const LOCKED = `${AT}
  select ${markColumns('at')}, l.* from at left join lateral (
    select p.position_id::text as id, p.pool_id::float8 as pool, p.tick_lower as "tickLower", p.tick_upper as "tickUpper",
      p.liquidity::text as liquidity, date_part('epoch', l.unlock_time)::float8 as "unlockTime"
    from state.locks l join state.positions p on p.chain = $1 and p.position_id = l.position_id
    where l.chain = $1 and l.unlock_time > at.block_time and p.liquidity > 0
  ) l on true`

/** Banned accounts, by contract. */
export const BANS = `${AT}
  select ${markColumns('at')}, b.* from at left join lateral (
    select source, unnest(accounts) as account from state.bans where chain = $1
  ) b on true`
