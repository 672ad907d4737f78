// Rare cases of an exchange that clients must handle, created after its profile: a scam token, tokens and markets
// without trades, a deep order book, farms that pay. Regular traders ignore them (trader/view.ts);
// simulation/edge-side.ts acts on them.

import { formatAsset } from '../../core/antelope/asset.ts'
import { required } from '../../core/required.ts'
import type { ActionCall } from '../chain/contract.ts'
import { call } from './actions.ts'
import {
  AMM,
  amountOf,
  bridgedTokens,
  createPool,
  createToken,
  DEX,
  type Extras,
  openMarket,
  sorted,
  tokenOf,
} from './exchange.ts'
import type { Profile, TokenSpec } from './profile.ts'

/** A farm with the positions that are staked in it. */
export interface FarmStakes {
  incentiveId: bigint
  poolId: bigint
  positions: readonly bigint[]
}

/** A token that trades against the system token in a venue that regular traders ignore. */
export interface SideVenue {
  token: TokenSpec
  system: TokenSpec
  kind: { pool: bigint } | 'orderbook'
}

export interface EdgeCases extends Extras {
  farms: readonly FarmStakes[]
  venues: readonly SideVenue[]
}

/** Imitates the bridge's USDC: the demo's configuration lists its contract as a scam. */
export const SCAM: TokenSpec = { contract: 'usdc.free', code: 'USDC', precision: 4, usd: 1 }
/** No pool has enough of it: it has no price. Its market has orders and never traded. */
export const UNPRICED: TokenSpec = { contract: 'games.old', code: 'LOST', precision: 4, usd: 0.5 }
/** Its order book has more levels than an answer has by default. */
export const DEEP: TokenSpec = { contract: 'games.old', code: 'CHIP', precision: 4, usd: 0.02 }
/** Levels on each side: 300 are served by default, and takers consume some. */
export const LEVELS = 360

const MAKER = 'walter.mm'
const OWNER = 'sybil.lp'
const HOUR_S = 3600
/** Relative distance of the best level from the first price, and between levels. */
const SPREAD = 0.002
const STEP = 0.0005
/** USD per level. */
const LEVEL_VALUE = 40
const LEVELS_PER_TRANSACTION = 40
/** Total reward of a farm, USD. */
const REWARD = 3000

/** A payment that places a limit order: `quantity` for at least `ask`. */
export function limitOrder(
  account: string,
  [offered, wanted]: readonly [TokenSpec, TokenSpec],
  [quantity, ask]: readonly [number, number],
): ActionCall {
  const memo = `${formatAsset(amountOf(wanted, ask))}@${wanted.contract}`
  const data = { from: account, to: DEX, quantity: amountOf(offered, quantity), memo }
  return call(offered.contract, 'transfer', account, data)
}

/** Orders around a market's first price, best first on each side. */
function ladder(base: TokenSpec, target: TokenSpec): ActionCall[][] {
  const price = base.usd / target.usd
  const quantity = Math.round(LEVEL_VALUE / base.usd)
  const offsets = Array.from({ length: LEVELS }, (_, i) => SPREAD + i * STEP)
  const orders = [
    ...offsets.map((offset) => limitOrder(MAKER, [base, target], [quantity, quantity * price * (1 + offset)])),
    ...offsets.map((offset) => limitOrder(MAKER, [target, base], [quantity * price * (1 - offset), quantity])),
  ]
  const count = Math.ceil(orders.length / LEVELS_PER_TRANSACTION)
  return Array.from({ length: count }, (_, i) =>
    orders.slice(i * LEVELS_PER_TRANSACTION, (i + 1) * LEVELS_PER_TRANSACTION),
  )
}

/** A farm of a pool with its reward; the pool's first positions are staked. */
function farm({ incentiveId, poolId, positions }: FarmStakes, reward: TokenSpec, hours: number): ActionCall[] {
  const rewardToken = { quantity: amountOf(reward, 0), contract: reward.contract }
  const quantity = amountOf(reward, REWARD / reward.usd)
  const memo = `incentreward#${incentiveId}`
  return [
    call(AMM, 'newincentive', OWNER, { creator: OWNER, poolId, rewardToken, duration: hours * HOUR_S }),
    call(reward.contract, 'transfer', OWNER, { from: OWNER, to: AMM, quantity, memo }),
    ...positions.map((posId) => call(AMM, 'stake', 'trent.lp', { incentiveId, posId })),
  ]
}

/** Farms of two pools. The profile already has the farm with id 0, which has no reward. */
function farms(profile: Profile): { farms: FarmStakes[]; genesis: ActionCall[][] } {
  // The first two positions of pool n are 2n and 2n + 1.
  const running: FarmStakes = { incentiveId: 1n, poolId: 0n, positions: [0n, 1n] }
  const finished: FarmStakes = { incentiveId: 2n, poolId: 2n, positions: [4n, 5n] }
  const [system, , other] = profile.tokens as [TokenSpec, TokenSpec, TokenSpec]
  return { farms: [running, finished], genesis: [farm(running, system, 30 * 24), farm(finished, other, 6)] }
}

/** A market that was traded and then frozen. */
function frozenMarket(base: TokenSpec, target: TokenSpec, market_id: bigint): ActionCall[] {
  const price = base.usd / target.usd
  const sold = Math.round(50 / base.usd)
  return [
    openMarket(base, target),
    limitOrder(MAKER, [base, target], [2 * sold, 2 * sold * price]),
    limitOrder('zoe.mm', [target, base], [sold * price, sold]),
    limitOrder('zoe.mm', [target, base], [sold * price * 0.9, sold]),
    call(DEX, 'setfrozen', DEX, { market_id, frozen: true }),
  ]
}

function neverTraded(base: TokenSpec, target: TokenSpec): ActionCall[] {
  const price = base.usd / target.usd
  return [
    openMarket(base, target),
    limitOrder(MAKER, [base, target], [10, 11 * price]),
    limitOrder('zoe.mm', [target, base], [9 * price, 10]),
  ]
}

/** All cases of the wax chain except its farms. Ids of pools and markets follow those of the profile. */
function waxCases(profile: Profile): Omit<EdgeCases, 'farms'> {
  const token = (code: string) => tokenOf(profile, code)
  const [system] = profile.tokens as [TokenSpec]
  const bridged = required(
    bridgedTokens(profile).find(({ code }) => code === 'USDT'),
    'bridged USDT',
  )
  const firstPool = BigInt(profile.pools.length)
  const scam = firstPool
  const inactive = firstPool + 3n
  const frozen = BigInt(profile.markets.length)
  const fee = 3000
  const genesis = [
    [SCAM, UNPRICED, DEEP].flatMap((spec) => createToken(profile, spec)),
    createPool(sorted(system, SCAM), { fee, value: 8000 }, scam).flat(),
    createPool(sorted(system, UNPRICED), { fee, value: 4 }, firstPool + 1n).flat(),
    createPool(sorted(system, DEEP), { fee, value: 5000 }, firstPool + 2n).flat(),
    [
      ...createPool(sorted(token('TLM'), token('LSW')), { fee, value: 2000 }, inactive).flat(),
      call(AMM, 'lockpool', AMM, { poolId: inactive, active: false }),
    ],
    // The same symbol on both sides, of two token contracts.
    createPool(sorted(token('USDT'), bridged), { fee: 500, value: 20_000 }, firstPool + 4n).flat(),
    frozenMarket(token('EOS'), system, frozen),
    neverTraded(UNPRICED, system),
    [openMarket(DEEP, system)],
    ...ladder(DEEP, system),
  ]
  const venues: SideVenue[] = [
    { token: SCAM, system, kind: { pool: scam } },
    { token: DEEP, system, kind: 'orderbook' },
  ]
  return { tokens: [SCAM, UNPRICED, DEEP], genesis, venues }
}

/** Farms on every chain; all other cases only on wax. */
export function edgeCases(profile: Profile): EdgeCases {
  const paying = farms(profile)
  if (profile.name !== 'wax') return { tokens: [], venues: [], ...paying }
  const { genesis, ...rest } = waxCases(profile)
  return { ...rest, farms: paying.farms, genesis: [...paying.genesis, ...genesis] }
}
