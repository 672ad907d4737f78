// A simulated exchange behind the real server: pools and order books on a devnet chain, indexed into PostgreSQL. Tests
// execute quotes on the chain: its contracts run the transfers of the answer.
import type { Test } from 'tap'
import { type Asset, formatAsset, parseAsset } from '../../../core/antelope/asset.ts'
import { Chain } from '../../../devnet/chain/chain.ts'
import type { ActionCall } from '../../../devnet/chain/contract.ts'
import { ContractError } from '../../../devnet/chain/contract-error.ts'
import { execute, packCall } from '../../../devnet/chain/execute.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { AMM, amountOf, buildExchange, DEX, tokenOf } from '../../../devnet/contracts/exchange.ts'
import { type Profile, type TokenSpec, waxProfile } from '../../../devnet/contracts/profile.ts'
import { balanceOf } from '../../../devnet/contracts/token.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import { indexExchange } from '../../indexer/replay/index-recording.ts'
import { type Answer, type TestApi, testApi, testChain } from '../../support/api.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import type { Random } from '../../support/random.ts'
import { VALUATION } from '../../support/valuation.ts'

const CHAIN_ID = 'cd'.repeat(32)
const START = Date.parse('2026-03-01T12:00:00Z')
/** Blocks until finality; certificates are left out, because signing is slow. */
const LAG = 4
/** Order prices as shares of the fair price; one market is cheaper than the pools. */
const STEPS = 12
/** An account without tokens; a rehearsal gives it the input. */
export const PAUPER = 'oracle.svc'
const RICH = 'walter.mm'

/** The devnet's profile plus a market of a pair without pools. */
export const PROFILE: Profile = {
  ...waxProfile,
  markets: [...waxProfile.markets, ['ORE', 'USDT']],
}

export const token = (code: string): TokenSpec => tokenOf(PROFILE, code)
export const id = ({ code, contract }: TokenSpec): string => `${code.toLowerCase()}-${contract}`

/** A transfer of an answer. */
export interface Transfer {
  tokenContract: string
  to: string
  quantity: string
  memo: string
}

/** Balance changes of an account, raw units by token id, or the chain's refusal. */
export type Outcome = { error: string } | { error: null; left: Map<string, bigint> }

export class Exchange {
  readonly chain: Chain
  private readonly database: TestDatabase
  private readonly shipUrl: string
  api!: TestApi

  private constructor(chain: Chain, database: TestDatabase, shipUrl: string) {
    this.chain = chain
    this.database = database
    this.shipUrl = shipUrl
  }

  /** Pools of the profile, and orders of random sizes around the pools' prices. */
  static async open(t: Test, random: Random, options: { exactOutPaths?: boolean } = {}): Promise<Exchange> {
    const { contracts, genesis } = buildExchange(PROFILE)
    const chain = new Chain({ chainId: CHAIN_ID, seed: 'routes', startTime: START, contracts, legacyLag: LAG })
    const database = await testDatabase(t)
    const ship = await startShip(chain)
    t.teardown(() => ship.stop())
    const exchange = new Exchange(chain, database, ship.url)
    exchange.produce(genesis)
    for (const market of PROFILE.markets.keys()) exchange.produce(orders(random, market))
    await exchange.index()
    await database.pool.query(`select meta.build_indexes('wax')`)
    exchange.api = await testApi(t, database, { chains: [testChain('wax', 'dev', options)] })
    return exchange
  }

  /** Makes a block. All transactions must be accepted. */
  produce(transactions: readonly (readonly ActionCall[])[]): void {
    for (const result of this.chain.produce({ transactions }).results)
      if (!result.ok) throw new Error(`a transaction of the scene was refused: ${result.error}`)
  }

  /** Indexes up to the head and lets the server follow. */
  async follow(): Promise<void> {
    await this.index()
    await this.api.catchUp()
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.api.get(path, headers)
  }

  private async index(): Promise<void> {
    const source = new ShipSource({ urls: [this.shipUrl], chain: 'wax', chainId: CHAIN_ID })
    await indexExchange(this.database.url, 'wax', source, this.chain.head.num, VALUATION)
  }

  /**
   * Executes transfers in order, in one transaction of an account that owns only the given input, and undoes them.
   *
   * @param before  actions of other accounts that are executed first
   */
  rehearse(transfers: readonly Transfer[], given: readonly [TokenSpec, bigint][], before: ActionCall[] = []): Outcome {
    const calls = [...before]
    for (const [{ contract, code, precision }, amount] of given)
      calls.push(transfer(contract, RICH, PAUPER, { amount, precision, symbol: code }, 'given'))
    for (const { tokenContract, to, quantity, memo } of transfers)
      calls.push(transfer(tokenContract, PAUPER, to, parseAsset(quantity), memo))
    return this.inVain(() => {
      this.run(calls)
      const balances = PROFILE.tokens.map((spec): [string, bigint] => [id(spec), this.balance(spec)])
      return { error: null, left: new Map(balances.filter(([, amount]) => amount > 0n)) }
    })
  }

  private run(calls: readonly ActionCall[]): void {
    const { state, contracts, headTime } = this.chain
    const actions = calls.map((one) => ({ call: one, packed: packCall(state, one) }))
    execute(state, contracts, { actions }, headTime + 500)
  }

  private inVain(work: () => Outcome): Outcome {
    const { state } = this.chain
    const { globalSequence } = state
    const mark = state.mark()
    try {
      return work()
    } catch (error) {
      if (error instanceof ContractError) return { error: error.message }
      throw error
    } finally {
      state.rollback(mark, globalSequence)
    }
  }

  private balance({ contract, code }: TokenSpec): bigint {
    return balanceOf(this.chain.tables(contract), PAUPER, code)
  }
}

function transfer(contract: string, from: string, to: string, quantity: Asset, memo: string): ActionCall {
  return call(contract, 'transfer', from, { from, to, quantity, memo })
}

/** A swap by another account, in whole tokens. */
export function swapOf(input: TokenSpec, whole: number, pools: readonly number[], output: TokenSpec): ActionCall {
  const least = `${formatAsset(amountOf(output, 0))}@${output.contract}`
  const memo = `swapexactin#${pools.join(',')}#${RICH}#${least}#0`
  return transfer(input.contract, RICH, AMM, amountOf(input, whole), memo)
}

/** A limit order in whole tokens. */
export function orderOf(offered: TokenSpec, whole: number, wanted: TokenSpec, wantedWhole: number): ActionCall {
  const memo = `${formatAsset(amountOf(wanted, wantedWhole))}@${wanted.contract}`
  return transfer(offered.contract, RICH, DEX, amountOf(offered, whole), memo)
}

/** Orders on both sides, closer to the fair price than the fee of any pool. */
function orders(random: Random, market: number): ActionCall[][] {
  const [base, target] = PROFILE.markets[market]!.map(token) as [TokenSpec, TokenSpec]
  const placed: ActionCall[][] = []
  for (let step = 1; step <= STEPS; step++) {
    const usd = 20 + random.next() * 900
    const away = step * (0.0004 + random.next() * 0.0012)
    const bases = whole(base, usd / base.usd)
    const fair = (bases * base.usd) / target.usd
    placed.push([orderOf(target, fair * (1 - away), base, bases)], [orderOf(base, bases, target, fair * (1 + away))])
  }
  return placed
}

/** At least one raw unit, in raw units that are not round. */
function whole({ precision }: TokenSpec, amount: number): number {
  return Math.max(1, Math.round(amount * 10 ** precision)) / 10 ** precision
}
