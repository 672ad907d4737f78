// The pool graph and the requests of test/fixtures/route, with the answers of the npm swap SDK.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { RoutePool } from '../../../core/route/model.ts'

export interface SdkAnswer {
  found: boolean
  amountIn: string
  amountOut: string
  ms: number
}

export interface RouteCase {
  n: number
  input: string
  output: string
  exact: 'in' | 'out'
  amount: string
  maxHops: number
  sdk: { msEnumerate: number; single: SdkAnswer; split: SdkAnswer; splitFine?: SdkAnswer }
}

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON has no types
function read(name: string): any {
  const file = new URL(`../../fixtures/route/${name}.json.gz`, import.meta.url)
  return JSON.parse(gunzipSync(readFileSync(file)).toString())
}

export function routeCases(): RouteCase[] {
  return read('route-cases').cases
}

export function routePools(): RoutePool[] {
  const { tokens, pools } = read('route-pools')
  const decimals = new Map<string, number>(
    tokens.map((token: { id: string; precision: number }) => [token.id, token.precision]),
  )
  const token = (id: string) => ({ id, decimals: decimals.get(id) as number })
  return pools.map(
    // biome-ignore lint/suspicious/noExplicitAny: recorded JSON has no types
    (row: any): RoutePool => ({
      id: row.id,
      active: row.active,
      a: token(row.tokenA),
      b: token(row.tokenB),
      fee: row.fee,
      feeProtocol: row.feeProtocol,
      tickSpacing: row.tickSpacing,
      sqrtPriceX64: BigInt(row.sqrtPriceX64),
      tick: row.tick,
      liquidity: BigInt(row.liquidity),
      feeGrowthGlobalAX64: 0n,
      feeGrowthGlobalBX64: 0n,
      ticks: new Map(
        row.ticks.map(({ id, liquidityNet }: { id: number; liquidityNet: string }) => [
          id,
          { id, liquidityNet: BigInt(liquidityNet) },
        ]),
      ),
    }),
  )
}
