// A simulated exchange, followed by the real indexer over state history and served by the real API: tests make blocks
// and forks, and wait until the API has them.
import type { AddressInfo } from 'node:net'
import { formatAsset } from '../../../../core/antelope/asset.ts'
import { Chain } from '../../../../devnet/chain/chain.ts'
import type { ActionCall } from '../../../../devnet/chain/contract.ts'
import { call } from '../../../../devnet/contracts/actions.ts'
import { AMM, amountOf, buildExchange, DEX, tokenOf } from '../../../../devnet/contracts/exchange.ts'
import { type Profile, type TokenSpec, waxProfile } from '../../../../devnet/contracts/profile.ts'
import { startShip } from '../../../../devnet/ship/server.ts'
import { indexChain } from '../../../../indexer/run.ts'
import { ShipSource } from '../../../../indexer/source/ship/source.ts'
import { type TestApi, testApi, testChain } from '../../../support/api.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { until } from '../../../support/until.ts'
import { VALUATION } from '../../../support/valuation.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const ACCOUNTS = { amm: AMM, spot: DEX }

type Options = Parameters<typeof testApi>[2]

interface Test {
  teardown(work: () => Promise<void>): void
}

export class LiveExchange {
  readonly chain: Chain
  readonly profile: Profile = waxProfile
  readonly database: TestDatabase
  api!: TestApi
  port = 0
  /** Errors after which the indexer retried. */
  failure: Error | null = null
  /** Times of the commits by block number, Unix milliseconds. */
  readonly commits = new Map<number, number>()
  private shipUrl = ''
  private indexing: { stop: AbortController; done: Promise<unknown> } | null = null

  private constructor(chain: Chain, database: TestDatabase) {
    this.chain = chain
    this.database = database
  }

  /** Starts with all pools and markets of the wax profile; one WAX is one USD. */
  static async start(t: Test, options: Options = {}): Promise<LiveExchange> {
    const database = await testDatabase(t)
    const exchange = buildExchange(waxProfile)
    const chain = new Chain({ chainId: 'ab'.repeat(32), seed: 's', startTime: START, contracts: exchange.contracts })
    const live = new LiveExchange(chain, database)
    for (const calls of exchange.genesis) live.block([calls])
    live.settle()
    const ship = await startShip(chain)
    t.teardown(() => ship.stop())
    live.shipUrl = ship.url
    live.startIndexer()
    t.teardown(() => live.stopIndexer())
    await live.indexed()
    await database.pool.query(`select meta.build_indexes('wax')`)
    live.api = await testApi(t, database, { chains: [testChain('wax')], ...options })
    await live.api.app.listen({ host: '127.0.0.1', port: 0 })
    live.port = (live.api.app.server.address() as AddressInfo).port
    await live.caughtUp()
    return live
  }

  /** Continues from the database's position. */
  startIndexer(): void {
    const { chain, database } = this
    const stop = new AbortController()
    const source = new ShipSource({ urls: [this.shipUrl], chainId: chain.chainId, backoffMs: [20, 100] })
    const done = indexChain({
      chain: 'wax',
      databaseUrl: database.url,
      source,
      accounts: ACCOUNTS,
      chainId: chain.chainId,
      tokenContracts: '*',
      systemAccount: 'eosio',
      startBlock: 2,
      valuation: VALUATION,
      signal: stop.signal,
      events: {
        opened() {},
        committed: ({ num }) => void this.commits.set(num, performance.timeOrigin + performance.now()),
        decoded() {},
        forked() {},
        retrying: (error) => void (this.failure = error),
      },
    })
    this.indexing = { stop, done }
  }

  async stopIndexer(): Promise<void> {
    this.indexing?.stop.abort()
    await this.indexing?.done
    this.indexing = null
  }

  /** Makes a reversible block. @throws when a contract refuses a transaction */
  block(transactions: readonly (readonly ActionCall[])[] = [], certificate: 'strong' | 'none' = 'none'): number {
    const { num, results } = this.chain.produce({ transactions, certificate })
    for (const result of results) if (!result.ok) throw new Error(result.error)
    return num
  }

  /** Makes all blocks so far irreversible. */
  settle(): void {
    for (let i = 0; i < 4; i++) this.block([], 'strong')
  }

  /** Waits until the API is at the head of the chain. */
  async caughtUp(): Promise<void> {
    await this.indexed()
    await this.api.catchUp()
    const isThere = async () => {
      if (this.at() !== this.chain.head.id) await this.api.catchUp()
      return this.at() === this.chain.head.id
    }
    await until('the API is at the head', isThere, 10)
  }

  /** A swap over pools, in whole tokens. */
  swap(input: string, output: string, amount: number, pools: readonly number[], user = 'alice.trade'): ActionCall[] {
    const [from, to] = [this.token(input), this.token(output)]
    const floor = `${formatAsset(amountOf(to, 0))}@${to.contract}`
    const memo = `swapexactin#${pools}#${user}#${floor}#0`
    return [call(from.contract, 'transfer', user, { from: user, to: AMM, quantity: amountOf(from, amount), memo })]
  }

  /** A limit order: offers an amount for another, in whole tokens. */
  order(offered: string, amount: number, wanted: string, wantedAmount: number, user = 'bob'): ActionCall[] {
    const [from, to] = [this.token(offered), this.token(wanted)]
    const memo = `${formatAsset(amountOf(to, wantedAmount))}@${to.contract}`
    return [call(from.contract, 'transfer', user, { from: user, to: DEX, quantity: amountOf(from, amount), memo })]
  }

  /** Opens a new market. */
  market(base: string, target: string): ActionCall[] {
    const [one, other] = [this.token(base), this.token(target)]
    const data = { base_con: other.contract, base_sym: amountOf(other, 0) }
    return [call(DEX, 'openmarket', DEX, { ...data, quote_con: one.contract, quote_sym: amountOf(one, 0) })]
  }

  token(code: string): TokenSpec {
    return tokenOf(this.profile, code)
  }

  private at(): string | undefined {
    return this.api.contexts[0]?.market.state?.at.id
  }

  private async indexed(): Promise<void> {
    const position = `select block_id as id from meta.position where chain = 'wax'`
    const isThere = async () => {
      if (this.failure) throw this.failure
      return (await this.database.pool.query(position)).rows[0]?.id === this.chain.head.id
    }
    await until('the indexer is at the head', isThere, 10)
  }
}

/** `symbol-contract` of a token of the profile. */
export function idOf({ code, contract }: TokenSpec): string {
  return `${code.toLowerCase()}-${contract}`
}
