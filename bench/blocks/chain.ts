// A chain with 6,300 pools and 1,600 markets, whose blocks have the shape of a profile. The same seed gives the same
// blocks. All ids, links, digests and roots are right.
import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import { packAbi } from '../../core/antelope/abi/pack.ts'
import type { Asset } from '../../core/antelope/asset.ts'
import { nameToString } from '../../core/antelope/name.ts'
import { Chain } from '../../devnet/chain/chain.ts'
import type { ActionCall, ApplyContext, Contract } from '../../devnet/chain/contract.ts'
import type { StoredBlock } from '../../devnet/chain/frame-store.ts'
import { abiFile } from '../../devnet/contracts/abi-file.ts'
import { Random } from '../../test/support/random.ts'
import type { BlockProfile } from './profiles.ts'

export const CHAIN_ID = 'be'.repeat(32)
const POOLS = 6300
const MARKETS = 1600
/** Rows that one setup transaction writes. */
const SETUP_ROWS = 100
const START = Date.parse('2026-01-01T00:00:00Z')
const USERS = 5000
export const NOISE = ['game.one', 'game.two', 'nft.assets']
/** Rows of such a contract. A chain's rows are changed far more often than they are made; the simulated tables are slow when they grow. */
const NOISE_ROWS = 20_000

const wax = (amount: bigint): Asset => ({ amount, precision: 8, symbol: 'WAX' })
const other = (amount: bigint, pool: bigint): Asset => ({ amount, precision: 4, symbol: symbolOf(pool) })
/** A symbol of letters for a number. */
function symbolOf(pool: bigint): string {
  let text = ''
  for (let rest = pool + 26n; rest > 0n; rest /= 26n) text += String.fromCharCode(65 + Number(rest % 26n))
  return text
}
const userOf = (number: number): string => nameToString((BigInt(number) << 24n) | (1n << 60n))
const user = (random: Random): string => userOf(random.integer(1, USERS))
const by = (actor: string) => [{ actor, permission: 'active' }]

function withActions(abi: AbiDefinition, fields: Record<string, Record<string, string>>): AbiDefinition {
  const structs = Object.entries(fields).map(([name, types]) => {
    return { name, base: '', fields: Object.entries(types).map(([field, type]) => ({ name: field, type })) }
  })
  const actions = Object.keys(fields).map((name) => ({ name, type: name }))
  return { ...abi, structs: [...abi.structs, ...structs], actions: [...abi.actions, ...actions] }
}

const NOISE_ABI: AbiDefinition = withActions(
  {
    ...{ version: 'eosio::abi/1.1', types: [], variants: [] },
    structs: [
      {
        ...{ name: 'item', base: '' },
        fields: [
          { name: 'id', type: 'uint64' },
          { name: 'value', type: 'bytes' },
        ],
      },
    ],
    actions: [],
    tables: [{ name: 'items', type: 'item', index_type: 'i64', key_names: ['id'], key_types: ['uint64'] }],
  },
  {
    play: { seed: 'uint32', rows: 'uint8', notes: 'uint8', data: 'bytes', value: 'uint8' },
    note: { data: 'bytes' },
    meet: { first: 'uint32', count: 'uint16' },
  },
)

/** A contract of no interest: rows, inline actions and notifications. `meet` creates users by notifying them. */
export function noise(account: string): Contract {
  return {
    account,
    abi: NOISE_ABI,
    apply(context) {
      const { action, db, receiver } = context
      if (action.account !== account || receiver !== account) return
      if (action.name === 'meet') {
        const { first, count } = action.data as { first: number; count: number }
        for (let i = 0; i < count; i++) context.notify(userOf(first + i))
      }
      if (action.name !== 'play') return
      const { seed, rows, notes, data, value } = action.data as Record<string, number> & { data: Uint8Array }
      const random = new Random(seed as number)
      for (let i = 0; i < (rows as number); i++) {
        const id = BigInt(random.integer(0, NOISE_ROWS - 1))
        const bytes = Uint8Array.from({ length: value as number }, () => random.integer(0, 255) & 31)
        db.set('items', receiver, id, { id, value: bytes })
      }
      for (let i = 0; i < (notes as number); i++) {
        if (i % 2 === 0) context.notify(user(random))
        else context.inline({ account, name: 'note', authorization: by(account), data: { data } })
      }
    },
  }
}

function setPool({ db, receiver }: ApplyContext, id: bigint, random: Random): void {
  const amount = 1_000_000_000n + random.bigint(1n << 40n)
  const slot = { lastObservationTimestamp: 7, currentObservationNum: 1, maxObservationNum: 1 }
  db.set('pools', receiver, id, {
    ...{ id, active: true, fee: 3000, feeProtocol: 0, tickSpacing: 60, maxLiquidityPerTick: 1n << 63n },
    tokenA: { quantity: wax(amount), contract: 'eosio.token' },
    tokenB: { quantity: other(amount, id), contract: 'other.tok' },
    currSlot: { sqrtPriceX64: (1n << 64n) + random.bigint(1n << 40n), tick: 0, ...slot },
    ...{ feeGrowthGlobalAX64: random.bigint(1n << 100n), feeGrowthGlobalBX64: 0n },
    ...{ protocolFeeA: wax(0n), protocolFeeB: other(0n, id), liquidity: 1_000_000n },
  })
}

/** The exchange's pools: `setup` makes some, `trade` changes one and logs a swap. */
const AMM: Contract = {
  account: 'swap.svc',
  abi: withActions(abiFile('swap.svc.newer'), {
    setup: { first: 'uint32', count: 'uint16' },
    trade: { seed: 'uint32' },
  }),
  apply(context) {
    const { action, receiver } = context
    if (action.account !== 'swap.svc' || receiver !== 'swap.svc') return
    if (action.name === 'setup') {
      const { first, count } = action.data as { first: number; count: number }
      for (let i = 0; i < count; i++) setPool(context, BigInt(first + i), new Random(first + i))
    } else if (action.name === 'trade') {
      const random = new Random(action.data.seed as number)
      const poolId = BigInt(random.integer(0, POOLS - 1))
      setPool(context, poolId, random)
      const [sender, amount] = [user(random), random.bigint(1n << 30n) + 1n]
      context.notify(sender)
      context.inline({
        ...{ account: 'swap.svc', name: 'logswap', authorization: by('swap.svc') },
        data: {
          ...{ poolId, sender, recipient: sender, tokenA: wax(amount), tokenB: other(-amount, poolId) },
          ...{
            sqrtPriceX64: 1n << 64n,
            liquidity: 1_000_000n,
            tick: 0,
            reserveA: wax(1n),
            reserveB: other(1n, poolId),
          },
        },
      })
    }
  },
}

const SPOT: Contract = {
  account: 'svcdexmain',
  abi: withActions(abiFile('svcdexmain.next'), { setup: { first: 'uint32', count: 'uint16' } }),
  apply({ action, receiver, db }) {
    if (action.account !== 'svcdexmain' || receiver !== 'svcdexmain' || action.name !== 'setup') return
    const { first, count } = action.data as { first: number; count: number }
    for (let i = 0; i < count; i++) {
      const id = BigInt(first + i)
      const symbol = (code: string, precision: number, contract: string) => ({ sym: { precision, code }, contract })
      db.set('markets', receiver, id, {
        ...{ id, min_buy: wax(1n), min_sell: wax(1n), frozen: false, fee: 20 },
        ...{ base_token: symbol('WAX', 8, 'eosio.token'), quote_token: symbol(symbolOf(id), 4, 'other.tok') },
      })
    }
  },
}

/** Packed ABIs of the exchange's contracts. */
export function exchangeAbis(): Map<string, Uint8Array> {
  return new Map([AMM, SPOT].map(({ account, abi }) => [account, packAbi(abi)]))
}

export interface ProfileBlocks {
  /** Blocks that make pools and markets. */
  setup: StoredBlock[]
  /** Blocks of the profile, which follow. */
  blocks: StoredBlock[]
}

/** @param count  number of the profile's blocks */
export function makeBlocks(profile: BlockProfile, count: number, seed = 1): ProfileBlocks {
  const random = new Random(seed)
  const chain = new Chain({
    ...{ chainId: CHAIN_ID, seed: `profile ${seed}`, startTime: START },
    contracts: [AMM, SPOT, ...NOISE.map(noise)],
  })
  setUp(chain, 'swap.svc', 'setup', POOLS)
  setUp(chain, 'svcdexmain', 'setup', MARKETS)
  setUp(chain, 'game.one', 'meet', USERS + 1)
  const first = chain.head.num + 1
  for (let i = 0; i < count; i++) chain.produce({ transactions: transactionsOf(profile, random) })
  const last = chain.head.num
  const stored = (num: number): StoredBlock => {
    const block = chain.block(num)
    if (!block) throw new RangeError(`block ${num} is not there`)
    return block
  }
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => stored(from + i))
  return { setup: range(chain.firstBlock, first - 1), blocks: range(first, last) }
}

function setUp(chain: Chain, account: string, name: string, count: number): void {
  for (let first = 0; first < count; first += SETUP_ROWS) {
    const data = { first: first, count: Math.min(SETUP_ROWS, count - first) }
    const { results } = chain.produce({ transactions: [[{ account, name, authorization: by(account), data }]] })
    const [result] = results
    if (!result?.ok) throw new Error(`${account} cannot be set up: ${result?.error}`)
  }
}

function transactionsOf(profile: BlockProfile, random: Random): ActionCall[][] {
  const trades = Math.floor(profile.trades) + (random.chance(profile.trades % 1) ? 1 : 0)
  const seed = () => random.integer(0, 0xffffffff)
  const calls: ActionCall[][] = []
  for (let i = 0; i < trades; i++) {
    calls.push([{ account: 'swap.svc', name: 'trade', authorization: by(user(random)), data: { seed: seed() } }])
  }
  const others = {
    ...profile,
    transactions: profile.transactions - trades,
    traces: profile.traces - 1 - 3 * trades,
    rows: profile.rows - trades,
  }
  return [...calls, ...noiseCalls(others, random)]
}

/** Transactions of no interest, with the given numbers of traces and changed rows in sum. */
export function noiseCalls(
  profile: Pick<BlockProfile, 'transactions' | 'traces' | 'rows' | 'data' | 'value'>,
  random: Random,
): ActionCall[][] {
  const calls: ActionCall[][] = []
  let { traces, rows } = profile
  for (let left = profile.transactions; left > 0; left--) {
    const notes = Math.max(0, Math.round(traces / left) - 1)
    const changed = Math.max(0, Math.round(rows / left))
    traces -= notes + 1
    rows -= changed
    const data = Uint8Array.from({ length: profile.data }, () => random.integer(0, 255) & 31)
    const account = random.pick(NOISE)
    calls.push([
      {
        ...{ account, name: 'play', authorization: by(user(random)) },
        data: { seed: random.integer(0, 0xffffffff), rows: changed, notes, data, value: profile.value },
      },
    ])
  }
  return calls
}
