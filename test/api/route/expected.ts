// Expected answers, computed from the chain's own tables with fractions, independently of the code under test.
import type { PoolRow } from '../../../devnet/contracts/amm/rows.ts'
import { type MarketRow, restingOrders } from '../../../devnet/contracts/dex.ts'
import { AMM, DEX } from '../../../devnet/contracts/exchange.ts'
import type { TokenSpec } from '../../../devnet/contracts/profile.ts'
import type { Random } from '../../support/random.ts'
import { type Exchange, id, PROFILE } from './exchange.ts'

/** Raw units of a decimal text; throws when it has not exactly the token's decimals. */
export function raw(text: string, { precision }: TokenSpec): bigint {
  const [whole, decimals = ''] = text.split('.')
  if (decimals.length !== precision || !/^\d+$/.test(whole ?? ''))
    throw new Error(`not in ${precision} decimals: ${text}`)
  return BigInt(whole + decimals)
}

/** Raw units of an asset text; throws when it is an asset of another token. */
export function rawAsset(text: string, spec: TokenSpec): bigint {
  const [amount = '', symbol, ...more] = text.split(' ')
  if (symbol !== spec.code || more.length > 0) throw new Error(`not an asset of ${spec.code}: ${text}`)
  return raw(amount, spec)
}

export function decimal(amount: bigint, { precision }: TokenSpec): string {
  const digits = amount.toString().padStart(precision + 1, '0')
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}

/** Thousandths of a percent of slippage: floor(amount × (1 − s)) and ceil(amount × (1 + s)). */
export function least(amount: bigint, slippage: number): bigint {
  return (amount * BigInt(100_000 - slippage)) / 100_000n
}

export function most(amount: bigint, slippage: number): bigint {
  return (amount * BigInt(100_000 + slippage) + 99_999n) / 100_000n
}

export interface Wanted {
  input: TokenSpec
  output: TokenSpec
  /** Whole tokens as text, with all decimals. */
  amount: string
}

/** Tokens of at least one pool: the exchange does not know other tokens. */
const TRADED = PROFILE.tokens.filter(({ contract, code }) => contract !== 'wrap.svc' || code !== 'USDT')

/** A trade between two tokens, worth between a few cents and ten thousand USD. @param of  which token is counted */
export function randomTrade(random: Random, of: 'input' | 'output'): Wanted {
  const input = random.pick(TRADED)
  const output = random.pick(TRADED.filter((one) => one !== input))
  const counted = of === 'input' ? input : output
  const usd = 10 ** (random.next() * 5 - 1)
  const units = BigInt(Math.max(1, Math.round((usd / counted.usd) * 10 ** counted.precision)))
  return { input, output, amount: decimal(units, counted) }
}

interface PoolOfPath {
  id: number
  tokens: [string, string]
}

function poolRows({ chain }: Exchange): PoolRow[] {
  return [...chain.tables(AMM).rows<PoolRow>('pools', AMM)]
}

/** Every path over active pools that passes each token at most once. */
export function poolPaths(exchange: Exchange, input: TokenSpec, output: TokenSpec, maxHops: number): number[][] {
  const pools: PoolOfPath[] = poolRows(exchange)
    .filter(({ active }) => active)
    .map((row) => ({ id: Number(row.id), tokens: [idOf(row.tokenA), idOf(row.tokenB)] }))
  const found: number[][] = []
  const walk = (at: string, seen: string[], path: number[]) => {
    for (const { id: pool, tokens } of pools) {
      if (!tokens.includes(at)) continue
      const next = tokens[0] === at ? tokens[1] : tokens[0]
      if (seen.includes(next)) continue
      if (next === id(output)) found.push([...path, pool])
      else if (path.length + 1 < maxHops) walk(next, [...seen, next], [...path, pool])
    }
  }
  walk(id(input), [id(input)], [])
  return found
}

function idOf({ quantity, contract }: { quantity: { symbol: string }; contract: string }): string {
  return `${quantity.symbol.toLowerCase()}-${contract}`
}

/** Raw output per raw input at the spot price of a pool, as a double. */
export function poolSpot(exchange: Exchange, pool: number, input: string): number {
  const row = poolRows(exchange).find((one) => Number(one.id) === pool) as PoolRow
  const price = (Number(row.currSlot.sqrtPriceX64) / 2 ** 64) ** 2
  return idOf(row.tokenA) === input ? price : 1 / price
}

/** The same of a market, at the price of its best order. */
export function bookSpot({ chain }: Exchange, market: number, input: string): number {
  const tables = chain.tables(DEX)
  const row = [...tables.rows<MarketRow>('markets', DEX)][market] as MarketRow
  const target = `${row.base_token.sym.code.toLowerCase()}-${row.base_token.contract}`
  const [best] = restingOrders(tables, row.id, input === target ? 'sell' : 'buy')
  return Number(best?.bid) / Number(best?.ask)
}
