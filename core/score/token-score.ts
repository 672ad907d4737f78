// Token score v1: seven components, each rounded to two decimals, scaled to the known components, then capped.
import {
  type Cap,
  type Component,
  FRACTIONS,
  MAX_POINTS,
  MAX_VOLUME_USD,
  NO_TRADES,
  SCORE_DAYS,
  TRADERS_CAP,
  TVL_CAPS,
} from './model.ts'
import { roundTo } from './round.ts'

/** Inputs of a token's score, for the 30 days before the score's hour unless stated otherwise. */
export interface ScoreInputs {
  /** Accounts that traded it. */
  uniqueTraders: number
  /** USD traded, before the limit. */
  volumeUsd: number
  /** USD value of the token held by the exchange. */
  tvlUsd: number
  /** Swaps and deals. */
  trades: number
  /** Accounts with a balance; null when unknown. */
  holders: number | null
  /** Last price over highest price; null when it has no price. */
  drawdown: number | null
  /** Whole days since it was first seen; null when unknown. */
  ageDays: number | null
}

export interface TokenScore {
  /** 0 to 100, whole. */
  score: number
  /** Points with two decimals; 0 for an unknown input. */
  components: Record<Component, number>
  /** Names of caps whose condition is met, even if the score was lower anyway. */
  capsApplied: string[]
}

/** Limited volume divided by TVL, with a TVL of at least one USD. */
export function turnoverOf({ volumeUsd, tvlUsd }: Pick<ScoreInputs, 'volumeUsd' | 'tvlUsd'>): number {
  return Math.min(volumeUsd, MAX_VOLUME_USD) / Math.max(tvlUsd, 1)
}

/** The score of a token. Without trades it is 0. */
export function scoreToken(inputs: ScoreInputs): TokenScore {
  const components = { traders: 0, volume: 0, liquidity: 0, holders: 0, activity: 0, stability: 0, age: 0 }
  if (inputs.trades === 0) return { score: 0, components, capsApplied: [NO_TRADES] }
  let points = 0
  let available = 0
  for (const [name, input] of componentInputs(inputs)) {
    if (input === null) continue
    components[name] = roundTo(MAX_POINTS[name] * FRACTIONS[name](input), 2)
    points += components[name]
    available += MAX_POINTS[name]
  }
  const caps = capsOf(inputs)
  const uncapped = Math.round((roundTo(points, 2) / available) * 100)
  return {
    score: Math.min(uncapped, ...caps.map(({ score }) => score)),
    components,
    capsApplied: caps.map(({ name }) => name),
  }
}

function componentInputs(inputs: ScoreInputs): [Component, number | null][] {
  return [
    ['traders', inputs.uniqueTraders],
    ['volume', turnoverOf(inputs)],
    ['liquidity', inputs.tvlUsd],
    ['holders', inputs.holders],
    ['activity', inputs.trades / SCORE_DAYS],
    ['stability', inputs.drawdown],
    ['age', inputs.ageDays],
  ]
}

function capsOf({ uniqueTraders, tvlUsd }: ScoreInputs): Cap[] {
  const caps = uniqueTraders < TRADERS_CAP.below ? [TRADERS_CAP] : []
  const byTvl = TVL_CAPS.find(({ below }) => tvlUsd < below)
  return byTvl ? [...caps, byTvl] : caps
}
