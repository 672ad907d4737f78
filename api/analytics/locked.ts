// Liquidity that cannot be withdrawn yet, by token. Pure.
import { amountsForLiquidity } from '../../core/amm/liquidity.ts'
import type { MarketState, TokenRef } from '../live-market/model.ts'

export interface LockedRow {
  id: string
  pool: number
  tickLower: number
  tickUpper: number
  liquidity: string
  /** Unix seconds. */
  unlockTime: number
}

export interface Locked {
  /** Raw units. */
  amount: bigint
  positions: number
  nextUnlockAt: number
  lastUnlockAt: number
}

/** Locked amount of each token. A position counts for each token that it holds. */
export function lockedByToken(state: MarketState, rows: readonly LockedRow[]): Map<string, Locked> {
  const tokens = new Map<string, Locked>()
  for (const { pool: id, tickLower, tickUpper, liquidity, unlockTime } of rows) {
    const pool = state.pools.get(id)
    if (pool === undefined) continue
    const amounts = amountsForLiquidity(pool, { tickLower, tickUpper }, BigInt(liquidity), 'down')
    add(tokens, pool.a, amounts.a, unlockTime)
    add(tokens, pool.b, amounts.b, unlockTime)
  }
  return tokens
}

function add(tokens: Map<string, Locked>, { id }: TokenRef, amount: bigint, unlockTime: number): void {
  if (amount === 0n) return
  const known = tokens.get(id)
  if (known === undefined) {
    tokens.set(id, { amount, positions: 1, nextUnlockAt: unlockTime, lastUnlockAt: unlockTime })
    return
  }
  known.amount += amount
  known.positions++
  known.nextUnlockAt = Math.min(known.nextUnlockAt, unlockTime)
  known.lastUnlockAt = Math.max(known.lastUnlockAt, unlockTime)
}
