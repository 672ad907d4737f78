// The npm swap SDK's search: all routes listed, then the best split on a grid of percents.
import sdk from '@alcorexchange/alcor-swap-sdk'
import { type SwapPool, swap } from '../../core/amm/swap.ts'
import { TickList } from '../../core/amm/tick-index.ts'
import type { RoutePool, RouteToken } from '../../core/route/model.ts'

const { computeAllRoutes, CurrencyAmount, Pool, Token, Trade, TradeType } = sdk
/** The shares that the exchange's own service tries. */
export const COARSE = [5, 10, 15, 25, 50, 75, 100]
/** Its search at its best: the grid of the recorded answers. */
export const FINE = Array.from({ length: 50 }, (_, i) => 2 * (i + 1))

export interface RivalAnswer {
  milliseconds: number
  /** Raw units that its parts really take in, and what they give when executed; 0 when they cannot be. */
  input: bigint
  output: bigint
}

export class Rival {
  private readonly tokens = new Map<string, InstanceType<typeof Token>>()
  private readonly pools: InstanceType<typeof Pool>[]
  private readonly byId: ReadonlyMap<number, RoutePool>

  constructor(pools: readonly RoutePool[]) {
    this.byId = new Map(pools.map((pool) => [pool.id, pool]))
    this.pools = pools.filter((pool) => pool.active).map((pool) => this.pool(pool))
  }

  /** @returns null when it finds no trade */
  split(
    input: RouteToken,
    output: RouteToken,
    amount: bigint,
    maxHops: number,
    percents: readonly number[],
  ): RivalAnswer | null {
    const started = performance.now()
    const routes = computeAllRoutes(this.token(input), this.token(output), this.pools, maxHops)
    if (routes.length === 0) return null
    const sent = CurrencyAmount.fromRawAmount(this.token(input), amount.toString())
    const limits = { minSplits: 1, maxSplits: 5 }
    const trade = Trade.bestTradeWithSplit(routes, sent, [...percents], TradeType.EXACT_INPUT, limits)
    const milliseconds = performance.now() - started
    if (trade === null) return null
    return { milliseconds, ...this.execute(input.id, trade.swaps) }
  }

  private execute(
    input: string,
    swaps: NonNullable<ReturnType<typeof Trade.bestTradeWithSplit>>['swaps'],
  ): { input: bigint; output: bigint } {
    const states = new Map<number, SwapPool>()
    let [sent, received] = [0n, 0n]
    for (const { route, inputAmount } of swaps) {
      let moved = BigInt(inputAmount.quotient.toString())
      let at = input
      sent += moved
      for (const { id } of route.pools) {
        const pool = this.byId.get(id) as RoutePool
        const aForB = pool.a.id === at
        const ticks = TickList.from(pool.ticks.values())
        const result = swap(states.get(id) ?? pool, ticks, { aForB, exact: 'in', amount: moved })
        if (!result.ok || result.amountOut === 0n) return { input: sent, output: 0n }
        const { sqrtPriceX64, tick, liquidity } = result
        states.set(id, { ...pool, sqrtPriceX64, tick, liquidity })
        moved = result.amountOut
        at = aForB ? pool.b.id : pool.a.id
      }
      received += moved
    }
    return { input: sent, output: received }
  }

  private token({ id, decimals }: RouteToken): InstanceType<typeof Token> {
    let token = this.tokens.get(id)
    if (token === undefined) {
      const [symbol, contract] = [id.slice(0, id.indexOf('-')), id.slice(id.indexOf('-') + 1)]
      this.tokens.set(id, (token = new Token(contract, decimals, symbol.toUpperCase())))
    }
    return token
  }

  private pool(pool: RoutePool): InstanceType<typeof Pool> {
    const ticks = [...pool.ticks.values()].sort((x, y) => x.id - y.id)
    const listed = ticks.map(({ id, liquidityNet }) => {
      const size = (liquidityNet < 0n ? -liquidityNet : liquidityNet).toString()
      return {
        id,
        liquidityGross: size,
        liquidityNet: liquidityNet.toString(),
        feeGrowthOutsideAX64: 0,
        feeGrowthOutsideBX64: 0,
        tickCumulativeOutside: 0,
        secondsOutside: 0,
        secondsPerLiquidityOutsideX64: 0,
      }
    })
    return new Pool({
      id: pool.id,
      active: pool.active,
      tokenA: this.token(pool.a),
      tokenB: this.token(pool.b),
      fee: pool.fee,
      sqrtPriceX64: pool.sqrtPriceX64.toString(),
      liquidity: pool.liquidity.toString(),
      tickCurrent: pool.tick,
      feeGrowthGlobalAX64: 0,
      feeGrowthGlobalBX64: 0,
      ticks: listed,
    })
  }
}
