// Random transactions: trades, orders, positions, transfers, ABI changes, and the awkward cases of each: a row that is
// set, erased and set in one block, equal actions twice in a transaction, an action whose ABI changed before it ran.
import type { Asset } from '../../core/antelope/asset.ts'
import { nameToString } from '../../core/antelope/name.ts'
import { type Chain, deployAbi } from '../../devnet/chain/chain.ts'
import type { ActionCall, ApplyContext } from '../../devnet/chain/contract.ts'
import type { Transaction } from '../../devnet/chain/transaction.ts'
import type { Random } from '../support/random.ts'
import { AMM, call, SPOT, SPOT_ABIS, type StandIns, TOKEN } from './stand-ins.ts'

const ACCOUNTS = ['alice', 'bob', 'carol', 'a.b.c', 'zzzzzzzzzzzz']
const MAX_U64 = (1n << 64n) - 1n
const MAX_U128 = (1n << 128n) - 1n

export class Activity {
  private readonly random: Random
  private readonly standIns: StandIns
  private readonly chain: Chain
  private stales = 0

  constructor(random: Random, standIns: StandIns, chain: Chain) {
    this.random = random
    this.standIns = standIns
    this.chain = chain
  }

  /** Transactions of a block; often none. */
  block(): (ActionCall[] | Transaction)[] {
    if (this.random.chance(0.25)) return []
    return Array.from({ length: this.random.integer(1, 3) }, () => this.transaction())
  }

  private transaction(): ActionCall[] | Transaction {
    const { random } = this
    return random.pick<() => ActionCall[] | Transaction>([
      () => [this.swap(), this.swap()],
      () => [this.swap(), this.liquidity()],
      () => [this.deal()],
      () => [this.deal(), this.setAbi(), this.deal()],
      () => [this.setAbi(), this.setAbi(), this.deal()],
      () => [this.orders()],
      () => [this.transfer()],
      () => this.twins(),
      () => [this.flicker()],
      () => this.stale(),
    ])()
  }

  private swap(): ActionCall {
    const { random } = this
    const poolId = random.bigint(3n)
    const amount = random.bigint(1n << 62n) - (1n << 61n)
    const price = random.bigint(MAX_U128)
    const tick = random.integer(-443636, 443636)
    const liquidity = random.bigint(MAX_U64)
    const people = { sender: random.pick(ACCOUNTS), recipient: random.pick(ACCOUNTS) }
    return this.standIns.run(AMM, (context) => {
      log(context, 'logswap', {
        poolId,
        ...people,
        tokenA: asset(amount, 8, 'WAX'),
        tokenB: asset(-amount / 3n, 0, 'NIL'),
        sqrtPriceX64: price,
        liquidity,
        tick,
        reserveA: asset(5n, 8, 'WAX'),
        reserveB: asset(7n, 0, 'NIL'),
      })
      context.db.set('pools', AMM, poolId, pool(poolId, price, tick, liquidity))
    })
  }

  private liquidity(): ActionCall {
    const { random } = this
    const poolId = random.bigint(3n)
    const scope = nameToString(poolId)
    const posId = random.bigint(6n)
    const liquidity = random.bigint(MAX_U64)
    const [tickLower, tickUpper] = [-random.integer(1, 3) * 60, random.integer(1, 3) * 60]
    const leaves = random.chance(0.4)
    const owner = random.pick(ACCOUNTS)
    return this.standIns.run(AMM, (context) => {
      const name = leaves ? 'logburn' : 'logmint'
      const amounts = { tokenA: asset(liquidity >> 3n, 8, 'WAX'), tokenB: asset(9n, 0, 'NIL') }
      const reserves = { reserveA: asset(1n, 8, 'WAX'), reserveB: asset(2n, 0, 'NIL') }
      log(context, name, { poolId, posId, owner, tickLower, tickUpper, liquidity, ...amounts, ...reserves })
      const growth = { feeGrowthInsideALastX64: 1n << 100n, feeGrowthInsideBLastX64: 0n, feesA: 0n, feesB: MAX_U64 }
      if (leaves) context.db.erase('positions', scope, posId)
      else context.db.set('positions', scope, posId, { id: posId, owner, tickLower, tickUpper, liquidity, ...growth })
      for (const tick of [tickLower, tickUpper]) {
        const key = BigInt.asUintN(32, BigInt(tick))
        if (leaves) context.db.erase('ticks', scope, key)
        else context.db.set('ticks', scope, key, tickRow(tick, liquidity))
      }
    })
  }

  private deal(): ActionCall {
    const name = this.random.pick(['buymatch', 'sellmatch'])
    const record = this.match()
    return this.standIns.run(SPOT, (context) => log(context, name, { record }))
  }

  private match(): object {
    const { random } = this
    return {
      market: market(random.bigint(3n)),
      ask: asset(random.bigint(1n << 40n), 4, 'BASE'),
      bid: asset(random.bigint(1n << 40n), 8, 'WAX'),
      asker: random.pick(ACCOUNTS),
      bidder: random.pick(ACCOUNTS),
      unit_price: random.bigint(MAX_U128),
      fee_paid: asset(random.bigint(1000n), 8, 'WAX'),
    }
  }

  /** A match packed by the current ABI. When it runs, the ABI in force cannot decode it or lacks the action. */
  private stale(): Transaction {
    const [first, longer, lacking] = SPOT_ABIS.map((abi) => deployAbi(SPOT, abi))
    const deal = (name: string) => call(SPOT, name, { record: this.match() })
    const calls = this.random.chance(0.5) ? [longer!, deal('buymatch'), first!] : [lacking!, deal('sellmatch'), first!]
    return this.chain.prepare(calls, 2_000_000_000 + this.stales++)
  }

  /** Sets one of the ABIs that know every action. */
  private setAbi(): ActionCall {
    return deployAbi(SPOT, SPOT_ABIS[this.random.integer(0, 1)]!)
  }

  private orders(): ActionCall {
    const { random } = this
    const marketId = random.bigint(3n)
    const scope = nameToString(marketId)
    const changes = Array.from({ length: random.integer(1, 4) }, () => ({
      table: random.pick(['buyorder', 'sellorder']),
      id: random.chance(0.1) ? MAX_U64 - 1n : random.bigint(8n),
      present: random.chance(0.7),
      price: random.bigint(MAX_U128),
      account: random.pick(ACCOUNTS),
    }))
    const row = market(marketId)
    return this.standIns.run(SPOT, (context) => {
      context.db.set('markets', SPOT, marketId, row)
      for (const { table, id, present, price, account } of changes) {
        const sides = { bid: asset(id & 0xffffn, 8, 'WAX'), ask: asset(3n, 4, 'BASE') }
        const order = { id, account, ...sides, unit_price: price, timestamp: Math.floor(context.now / 1000) }
        if (present) context.db.set(table, scope, id, order)
        else context.db.erase(table, scope, id)
        if (present) {
          const side = table === 'buyorder' ? 'buy' : 'sell'
          log(context, `${side}receipt`, { market_id: marketId, [`${side}_order`]: order })
        }
      }
    })
  }

  private transfer(): ActionCall {
    const { random } = this
    const [from, to] = [random.pick(ACCOUNTS), random.pick([...ACCOUNTS, AMM])]
    const quantity = asset(random.bigint(1n << 62n), 8, 'WAX')
    return call(TOKEN, 'transfer', { from, to, quantity, memo: random.pick(['', 'gift', 'ünïcode ☂']) })
  }

  /** The same transfer at the top level, inline, and at the top level again: actions with one digest. */
  private twins(): ActionCall[] {
    const transfer = this.transfer()
    return [transfer, this.standIns.run(TOKEN, (context) => context.inline(transfer)), transfer]
  }

  /** A balance row is added, removed or changed; several of these in a block repeat that. */
  private flicker(): ActionCall {
    const { random } = this
    const owner = random.pick(ACCOUNTS)
    const [code, amount] = [random.pick([0x584157n, 0x4c494en]), random.bigint(1n << 62n)]
    const present = random.chance(0.6)
    const balance = code === 0x584157n ? asset(amount, 8, 'WAX') : asset(amount, 0, 'NIL')
    return this.standIns.run(TOKEN, ({ db }) => {
      if (present) db.set('accounts', owner, code, { balance })
      else db.erase('accounts', owner, code)
    })
  }
}

function log(context: ApplyContext, name: string, data: ActionCall['data']): void {
  context.inline(call(context.receiver, name, data))
}

function asset(amount: bigint, precision: number, symbol: string): Asset {
  return { amount, precision, symbol }
}

function pool(id: bigint, sqrtPriceX64: bigint, tick: number, liquidity: bigint): object {
  const observed = { lastObservationTimestamp: 1_767_225_600, currentObservationNum: 0, maxObservationNum: 1 }
  return {
    id,
    active: true,
    tokenA: { quantity: asset(11n, 8, 'WAX'), contract: TOKEN },
    tokenB: { quantity: asset(12n, 0, 'NIL'), contract: 'a.b' },
    fee: 3000,
    feeProtocol: 0,
    tickSpacing: 60,
    maxLiquidityPerTick: MAX_U64,
    currSlot: { sqrtPriceX64, tick, ...observed },
    feeGrowthGlobalAX64: MAX_U128,
    feeGrowthGlobalBX64: 0n,
    protocolFeeA: asset(0n, 8, 'WAX'),
    protocolFeeB: asset(0n, 0, 'NIL'),
    liquidity,
  }
}

function tickRow(id: number, liquidity: bigint): object {
  const outside = { feeGrowthOutsideAX64: 3n, feeGrowthOutsideBX64: 4n, secondsPerLiquidityOutsideX64: 5n }
  const net = BigInt.asIntN(64, liquidity)
  const seconds = { tickCumulativeOutside: -6n, secondsOutside: 7, initialized: true }
  return { id, liquidityGross: liquidity, liquidityNet: net, ...outside, ...seconds }
}

function market(id: bigint): object {
  return {
    id,
    base_token: { sym: { precision: 8, code: 'WAX' }, contract: TOKEN },
    quote_token: { sym: { precision: 4, code: 'BASE' }, contract: 'base.svc' },
    min_buy: asset(1n, 8, 'WAX'),
    min_sell: asset(1n, 4, 'BASE'),
    frozen: false,
    fee: 25,
  }
}
