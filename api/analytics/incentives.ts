// Farms: rewards a day, and the yearly yield on the staked value. Pure.
import { tokenId } from '../../core/antelope/asset.ts'
import type { LivePool, MarketState } from '../live-market/model.ts'

export interface IncentiveRow {
  id: string
  pool: number
  contract: string
  symbol: string
  decimals: number
  /** Raw units of the reward token. */
  amount: string
  /** Unix seconds. */
  periodFinish: number
  /** Raw units a second, times 10^18; null in older layouts. */
  rewardRateE18: string | null
  totalStakingWeight: string | null
}

export type IncentiveChoice = 'active' | 'finished' | 'all'

const DAY_SECONDS = 86_400
/** Below this staked value, USD, a yearly yield is meaningless. */
const LEAST_STAKED_USD = 1

export interface IncentiveAnswer {
  incentiveId: number
  poolId: number
  reward: { contract: string; symbol: string; decimals: number; quantity: number }
  rewardTokenId: string
  rewardPerDay: number
  rewardPerDayUSD: number
  periodFinish: number
  isFinished: boolean
  daysRemain: number
  utilizationPct: number
  apr: number
}

/** @param tvl  value of the pool's reserves, USD */
export function incentiveAnswer(state: MarketState, pool: LivePool, tvl: number, row: IncentiveRow): IncentiveAnswer {
  const now = state.at.time / 1000
  const token = tokenId(row.symbol, row.contract)
  const rewardPerDay = (Number(row.rewardRateE18 ?? 0) * DAY_SECONDS) / 10 ** (18 + row.decimals)
  const rewardPerDayUSD = rewardPerDay * (state.prices.quote(token).safeUsdPrice ?? 0)
  const isFinished = row.periodFinish < now
  const share = stakedShare(pool, BigInt(row.totalStakingWeight ?? 0))
  const staked = tvl * share
  return {
    incentiveId: Number(row.id),
    poolId: row.pool,
    reward: {
      contract: row.contract,
      symbol: row.symbol,
      decimals: row.decimals,
      quantity: Number(`${row.amount}e-${row.decimals}`),
    },
    rewardTokenId: token,
    rewardPerDay,
    rewardPerDayUSD,
    periodFinish: row.periodFinish,
    isFinished,
    daysRemain: isFinished ? 0 : Math.ceil((row.periodFinish - now) / DAY_SECONDS),
    utilizationPct: share * 100,
    apr: isFinished || staked < LEAST_STAKED_USD ? 0 : ((rewardPerDayUSD * 365) / staked) * 100,
  }
}

export function isChosen({ isFinished }: IncentiveAnswer, choice: IncentiveChoice): boolean {
  return choice === 'all' || isFinished === (choice === 'finished')
}

/**
 * The staked share of a pool. A position's weight is the square root of the product of its two amounts; the pool's is
 * that of its reserves.
 */
function stakedShare({ reserveA, reserveB }: LivePool, weight: bigint): number {
  const whole = Math.sqrt(Number(reserveA) * Number(reserveB))
  return whole === 0 ? 0 : Number(weight) / whole
}
