// Profiles of simulated exchanges: tokens with their first prices, pools, markets and users, for a wax-like and a
// telos-like chain.

export interface TokenSpec {
  contract: string
  code: string
  precision: number
  /** First fair price, USD. */
  usd: number
}

export interface PoolSpec {
  /** Symbols of two tokens of the profile, in any order. */
  pair: readonly [string, string]
  /** 500, 3000 or 10000 parts per million. */
  fee: number
  /** Value of the first liquidity of both sides, USD. */
  value: number
}

export interface Profile {
  name: 'wax' | 'telos'
  /** The first token is the system token. */
  tokens: readonly TokenSpec[]
  pools: readonly PoolSpec[]
  /** Markets as [ticker base, ticker target]. */
  markets: readonly (readonly [string, string])[]
  users: readonly string[]
  /** Pair of the oracle that prices the system token in USD, four decimals. */
  oraclePair: string
}

const users = [
  'alice.trade',
  'bob',
  'carol.gm',
  'dave',
  'erin.wam',
  'frank',
  'grace',
  'heidi.x',
  'ivan',
  'judy',
  'mallory1',
  'niaj',
  'olivia.c',
  'peggy',
  'rupert',
  'sybil.lp',
  'trent.lp',
  'victor',
  'walter.mm',
  'zoe.mm',
]

const token = (contract: string, code: string, precision: number, usd: number): TokenSpec => ({
  contract,
  code,
  precision,
  usd,
})
const pool = (a: string, b: string, fee: number, value: number): PoolSpec => ({ pair: [a, b], fee, value })

export const waxProfile: Profile = {
  name: 'wax',
  tokens: [
    token('eosio.token', 'WAX', 8, 0.031),
    token('usdt.svc', 'USDT', 6, 1),
    token('alien.worlds', 'TLM', 4, 0.0042),
    token('lsw.svc', 'LSW', 8, 0.0334),
    token('ibc.wt.eos', 'EOS', 4, 0.52),
    token('games.dev', 'ORE', 4, 0.0009),
    token('games.dev', 'GEM', 0, 0.12),
    token('wrap.svc', 'USDC', 6, 1),
    token('wrap.svc', 'ETH', 8, 3100),
    token('wrap.svc', 'USDT', 6, 1),
  ],
  pools: [
    pool('WAX', 'USDT', 3000, 260_000),
    pool('WAX', 'USDT', 500, 60_000),
    pool('WAX', 'TLM', 3000, 120_000),
    pool('WAX', 'LSW', 3000, 90_000),
    pool('WAX', 'EOS', 3000, 45_000),
    pool('WAX', 'ORE', 10000, 22_000),
    pool('ORE', 'GEM', 10000, 9_000),
    pool('WAX', 'GEM', 10000, 12_000),
    pool('TLM', 'USDT', 3000, 30_000),
    pool('WAX', 'USDC', 3000, 80_000),
    pool('ETH', 'WAX', 3000, 70_000),
    pool('USDT', 'USDC', 500, 90_000),
  ],
  markets: [
    ['TLM', 'WAX'],
    ['USDT', 'WAX'],
    ['GEM', 'WAX'],
    ['LSW', 'WAX'],
  ],
  users,
  oraclePair: 'waxpusd',
}

export const telosProfile: Profile = {
  name: 'telos',
  tokens: [
    token('eosio.token', 'TLOS', 4, 0.088),
    token('wrap.svc', 'USDC', 6, 1),
    token('wrap.svc', 'USDT', 6, 1),
    token('wrap.svc', 'ETH', 8, 3100),
    token('wrap.svc', 'WAX', 8, 0.031),
    token('tokens.dev', 'SEED', 4, 0.0031),
    token('tokens.dev', 'ACORN', 0, 0.04),
  ],
  pools: [
    pool('TLOS', 'USDC', 3000, 150_000),
    pool('TLOS', 'USDT', 3000, 110_000),
    pool('ETH', 'TLOS', 3000, 60_000),
    pool('WAX', 'TLOS', 3000, 40_000),
    pool('TLOS', 'SEED', 10000, 15_000),
    pool('SEED', 'ACORN', 10000, 6_000),
    pool('USDC', 'USDT', 500, 80_000),
  ],
  markets: [
    ['USDT', 'TLOS'],
    ['SEED', 'TLOS'],
  ],
  users,
  oraclePair: 'tlosusd',
}
