// Swap traffic: users who swap over one or two pools.
import { type Asset, formatAsset } from '../../../core/antelope/asset.ts'
import type { PoolRow } from '../../../core/contract-rows.ts'
import type { ActionCall } from '../../chain/contract.ts'
import { AMM } from '../exchange.ts'
import type { TokenSpec } from '../profile.ts'
import { Q64, type Sides, sides } from './pool-sides.ts'
import { transfer, type View } from './view.ts'

/** A user's swap: exact input over one or two pools, or an exact output. */
export function userSwap(view: View): ActionCall[] | null {
  const pools = view.pools().filter((pool) => pool.liquidity > 0n)
  if (pools.length === 0) return null
  const pool = view.pick(pools)
  const both = sides(view, pool)
  if (!both) return null
  const fromA = view.random() < 0.5
  const [input, output] = fromA ? [both.a, both.b] : [both.b, both.a]
  const value = view.between(0.5, Math.max(1, poolValue(view, pool, both) * 0.004))
  const kind = view.random()
  if (kind < 0.12) return exactOut(view, view.user(), input, output, value, pool)
  const next = pools.filter((other) => other !== pool && holds(other, output) && !holds(other, input))
  const path = kind < 0.32 && next.length > 0 ? [pool, view.pick(next)] : [pool]
  return exactIn(view, view.user(), input, value, path)
}

function poolValue(view: View, pool: PoolRow, { a, b }: Sides): number {
  const inA = (Number(pool.tokenA.quantity.amount) / 10 ** a.precision) * view.usd(a)
  const inB = (Number(pool.tokenB.quantity.amount) / 10 ** b.precision) * view.usd(b)
  return 2 * Math.min(inA, inB)
}

function holds(pool: PoolRow, { contract, code }: TokenSpec): boolean {
  return [pool.tokenA, pool.tokenB].some((held) => held.contract === contract && held.quantity.symbol === code)
}

/** A swap of tokens worth some USD along a path of pools; null when its output would be negligible. */
export function exactIn(
  view: View,
  user: string,
  input: TokenSpec,
  value: number,
  path: PoolRow[],
): ActionCall[] | null {
  const quantity = view.affordable(user, input, value)
  if (!quantity) return null
  let token = { contract: input.contract, quantity: quantity as Asset }
  // A rough estimate of each hop: an output that rounds to nothing would be refused at the next hop.
  for (const pool of path) {
    const fromA = pool.tokenA.contract === token.contract && pool.tokenA.quantity.symbol === token.quantity.symbol
    const price = (Number(pool.currSlot.sqrtPriceX64) / Q64) ** 2
    const out = Number(token.quantity.amount) * (fromA ? price : 1 / price) * (1 - pool.fee / 1e6)
    if (out < 3) return null
    const held = fromA ? pool.tokenB : pool.tokenA
    token = { contract: held.contract, quantity: { ...held.quantity, amount: BigInt(Math.floor(out)) } }
  }
  const least = { ...token.quantity, amount: token.quantity.amount / 2n }
  const floor = view.random() < 0.5 ? least : { ...least, amount: 0n }
  const deadline = view.random() < 0.5 ? 0 : Math.floor(view.now / 1000) + 120
  const ids = path.map((pool) => pool.id).join(',')
  const memo = `swapexactin#${ids}#${user}#${formatAsset(floor)}@${token.contract}#${deadline}`
  return [transfer(input.contract, user, AMM, quantity, memo)]
}

function exactOut(
  view: View,
  user: string,
  input: TokenSpec,
  output: TokenSpec,
  value: number,
  pool: PoolRow,
): ActionCall[] | null {
  const wanted = BigInt(Math.floor((value / view.usd(output)) * 10 ** output.precision))
  const fromA = pool.tokenA.contract === input.contract && pool.tokenA.quantity.symbol === input.code
  const price = (Number(pool.currSlot.sqrtPriceX64) / Q64) ** 2
  const needed = (Number(wanted) / (fromA ? price : 1 / price)) * (1 + pool.fee / 1e6) * 1.1 + 2
  const enough = view.affordable(user, input, value * 3)
  const most = BigInt(Math.ceil(needed))
  if (wanted === 0n || !enough || enough.amount < most) return null
  const exact = formatAsset({ amount: wanted, precision: output.precision, symbol: output.code })
  const memo = `swapexactout#${pool.id}#${user}#${exact}@${output.contract}#0`
  return [transfer(input.contract, user, AMM, { ...enough, amount: most }, memo)]
}
