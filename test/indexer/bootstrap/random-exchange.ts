// A small exchange on a devnet chain whose contracts write random rows of all shapes of tables: negative keys, scopes
// that are names, numbers or symbols, a table with one row, a table whose rows do not contain their key.
import type { AbiDefinition } from '../../../core/antelope/abi/definition.ts'
import type { Asset } from '../../../core/antelope/asset.ts'
import { symbolCodeToU64 } from '../../../core/antelope/asset.ts'
import { nameToString, nameToU64 } from '../../../core/antelope/name.ts'
import { Chain, type ChainOptions } from '../../../devnet/chain/chain.ts'
import type { ActionCall, ApplyContext, Contract } from '../../../devnet/chain/contract.ts'
import { abiFile } from '../../../devnet/contracts/abi-file.ts'
import type { IndexEvents } from '../../../indexer/run.ts'
import { Random } from '../../support/random.ts'

export const accounts = { amm: 'swap.svc', spot: 'svcdexmain', oracle: 'delphioracle' }
export const chainId = 'ab'.repeat(32)
const START = Date.parse('2026-01-01T00:00:00Z')

const USERS = ['alice', 'bob.x', 'carol', '12345', 'zzzzzzzzzzzz', 'a']
const wax = (amount: bigint): Asset => ({ amount, precision: 8, symbol: 'WAX' })
const usd = (amount: bigint): Asset => ({ amount, precision: 4, symbol: 'USDT' })

/** The contract's ABI with an action that changes rows. */
export function playable(abi: AbiDefinition): AbiDefinition {
  const play = { name: 'play', base: '', fields: [{ name: 'seed', type: 'uint32' }] }
  return { ...abi, structs: [...abi.structs, play], actions: [...abi.actions, { name: 'play', type: 'play' }] }
}

type Play = (random: Random, context: ApplyContext) => void

function contract(account: string, abi: AbiDefinition, play: Play): Contract {
  return {
    account,
    abi: playable(abi),
    apply(context) {
      if (context.receiver !== account || context.action.account !== account || context.action.name !== 'play') return
      play(new Random(context.action.data.seed as number), context)
    },
  }
}

function log(context: ApplyContext, name: string, data: Record<string, unknown>): void {
  context.inline({
    account: context.receiver,
    name,
    authorization: [{ actor: context.receiver, permission: 'active' }],
    data,
  })
}

function swapPools(random: Random, context: ApplyContext): void {
  const { db, receiver } = context
  const id = BigInt(random.integer(0, 4))
  const amounts = { a: random.bigint(1n << 40n), b: random.bigint(1n << 40n) }
  const slot = { lastObservationTimestamp: 7, currentObservationNum: 1, maxObservationNum: 1 }
  const sqrtPriceX64 = random.bigint(1n << 100n) + 1n
  const tick = random.integer(-443636, 443636)
  db.set('pools', receiver, id, {
    id,
    active: true,
    tokenA: { quantity: wax(amounts.a), contract: 'eosio.token' },
    tokenB: { quantity: usd(amounts.b), contract: 'usdt.tok' },
    fee: 3000,
    feeProtocol: 0,
    tickSpacing: 60,
    maxLiquidityPerTick: (1n << 64n) - 1n,
    currSlot: { sqrtPriceX64, tick, ...slot },
    feeGrowthGlobalAX64: random.bigint(1n << 128n),
    feeGrowthGlobalBX64: 0n,
    protocolFeeA: wax(0n),
    protocolFeeB: usd(0n),
    liquidity: 5n,
  })
  const scope = nameToString(id)
  const tickId = random.integer(-8, 8) * 60
  const key = BigInt.asUintN(32, BigInt(tickId))
  if (random.chance(0.3)) db.erase('ticks', scope, key)
  else
    db.set('ticks', scope, key, {
      id: tickId,
      liquidityGross: random.bigint(1n << 64n),
      liquidityNet: -random.bigint(1n << 62n),
      feeGrowthOutsideAX64: 0n,
      feeGrowthOutsideBX64: 0n,
      tickCumulativeOutside: -5n,
      secondsPerLiquidityOutsideX64: 0n,
      secondsOutside: 1,
      initialized: true,
    })
  const position = BigInt(random.integer(0, 40))
  if (random.chance(0.3)) db.erase('positions', scope, position)
  else
    db.set('positions', scope, position, {
      id: position,
      owner: random.pick(USERS),
      tickLower: -60,
      tickUpper: 60,
      liquidity: random.bigint(1n << 64n),
      feeGrowthInsideALastX64: 0n,
      feeGrowthInsideBLastX64: 0n,
      feesA: 1n,
      feesB: 2n,
    })
  const banned = random.pick(USERS)
  if (random.chance(0.5)) db.erase('banlist', receiver, nameToU64(banned))
  else db.set('banlist', receiver, nameToU64(banned), { account: banned })
  log(context, 'logswap', {
    poolId: id,
    sender: random.pick(USERS),
    recipient: random.pick(USERS),
    tokenA: wax(amounts.a),
    tokenB: usd(-amounts.b),
    sqrtPriceX64,
    liquidity: 5n,
    tick,
    reserveA: wax(1n),
    reserveB: usd(1n),
  })
}

function trade(random: Random, { db, receiver }: ApplyContext): void {
  const symbol = (code: string, precision: number, from: string) => ({ sym: { precision, code }, contract: from })
  const id = BigInt(random.integer(1, 3))
  db.set('markets', receiver, id, {
    id,
    base_token: symbol('WAX', 8, 'eosio.token'),
    quote_token: symbol('OTHER', 0, 'other.tok'),
    min_buy: wax(1n),
    min_sell: wax(1n),
    frozen: random.chance(0.5),
    fee: 20,
  })
  const order = BigInt(random.integer(0, 60))
  const scope = nameToString(id)
  const table = random.pick(['buyorder', 'sellorder'])
  if (random.chance(0.4)) db.erase(table, scope, order)
  else
    db.set(table, scope, order, {
      id: order,
      account: random.pick(USERS),
      bid: wax(random.bigint(1n << 50n)),
      ask: usd(1n),
      unit_price: random.bigint(1n << 90n),
      timestamp: 1_700_000_000,
    })
  // A singleton: the key is the table's name.
  if (random.chance(0.2)) db.set('ban', receiver, nameToU64('ban'), { accounts: [random.pick(USERS)] })
}

function tokens(code: string, precision: number): Play {
  return (random, { db, receiver }) => {
    const key = symbolCodeToU64(code)
    const asset = () => ({ amount: random.bigint(1n << 61n), precision, symbol: code })
    const owner = random.pick([...USERS, ...Object.values(accounts)])
    if (random.chance(0.3)) db.erase('accounts', owner, key)
    else db.set('accounts', owner, key, { balance: asset() })
    db.set('stat', nameToString(key), key, { supply: asset(), max_supply: asset(), issuer: receiver })
  }
}

function oracle(random: Random, { db }: ApplyContext): void {
  const id = BigInt(random.integer(0, 3))
  const value = random.bigint(1_000_000n)
  db.set('datapoints', 'waxpusd', id, { id, owner: 'alice', value, median: value, timestamp: 5n })
}

function makeContracts(): Contract[] {
  return [
    contract('swap.svc', abiFile('swap.svc.newer'), swapPools),
    contract('svcdexmain', abiFile('svcdexmain.next'), trade),
    contract('eosio.token', abiFile('eosio.token'), tokens('WAX', 8)),
    contract('usdt.tok', abiFile('eosio.token'), tokens('USDT', 4)),
    contract('other.tok', abiFile('eosio.token'), tokens('OTHER', 0)),
    contract('delphioracle', abiFile('delphioracle'), oracle),
  ]
}

/** Contracts by the names that actions use. */
const PLAYERS = ['swap.svc', 'svcdexmain', 'eosio.token', 'usdt.tok', 'other.tok', 'delphioracle']

export class RandomExchange {
  readonly chain: Chain
  readonly random: Random

  /** By default a chain without certificates, because signing is slow: blocks are final four blocks later. */
  constructor(seed: number, options: Partial<ChainOptions> = { legacyLag: 4 }) {
    this.random = new Random(seed)
    const own = { chainId, seed: `world ${seed}`, startTime: START, contracts: makeContracts() }
    this.chain = new Chain({ ...own, ...options })
  }

  /** Makes blocks with a few actions each. */
  produce(blocks: number): void {
    for (let i = 0; i < blocks; i++) {
      const calls = Array.from({ length: this.random.integer(1, 8) }, () => [this.play()])
      this.chain.produce({ transactions: calls })
    }
  }

  /** An action of a contract that changes random rows; `swap.svc` logs a swap too. */
  play(account = this.random.pick(PLAYERS)): ActionCall {
    const seed = this.random.integer(0, 0xffffffff)
    return { account, name: 'play', authorization: [{ actor: 'alice', permission: 'active' }], data: { seed } }
  }
}

export const quiet: IndexEvents = { opened() {}, retrying() {}, committed() {}, forked() {}, decoded() {} }
