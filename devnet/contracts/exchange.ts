// Builds the contracts of a simulated exchange and the transactions that set it up.

import { tickAtSqrtPrice } from '../../core/amm/ticks.ts'
import type { Asset, ExtendedAsset } from '../../core/antelope/asset.ts'
import { symbolCodeToU64 } from '../../core/antelope/asset.ts'
import { nameToU64 } from '../../core/antelope/name.ts'
import type { ActionCall, Contract } from '../chain/contract.ts'
import { call } from './actions.ts'
import { AmmContract } from './amm/contract.ts'
import type { AmmLayout } from './amm/layout.ts'
import { ETHEREUM_DOMAIN, partyBytes, WAX_DOMAIN } from './bridge/domains.ts'
import { GatewayContract, packRelayed } from './bridge/gateway.ts'
import { HopContract } from './bridge/hop.ts'
import { TelosBridge } from './bridge/telos.ts'
import { WaxBridge } from './bridge/wax.ts'
import { WrapContract } from './bridge/wrap.ts'
import { DexContract } from './dex.ts'
import { OracleContract } from './oracle.ts'
import type { PoolSpec, Profile, TokenSpec } from './profile.ts'
import { RegistryContract } from './registry.ts'
import { TokenContract } from './token.ts'

export const AMM = 'swap.svc'
export const DEX = 'svcdexmain'
export const BRIDGE = 'bridge.svc'
export const WRAP = 'wrap.svc'
export const HOP = 'hop.svc'
export const ORACLE = 'delphioracle'
export const REGISTRY = 'tokens.svc'
export const RELAYER = 'relayer.svc'
/** Gateways of the ledger: for the EVM chain and for wax. */
export const GATEWAYS = { evm: 'gateway.evm', wax: 'gateway.wax' } as const

export interface ExchangeOptions {
  /** The newer layout when absent. */
  ammLayout?: AmmLayout
  /** The first layout when absent. */
  dexLayout?: 'first' | 'next'
}

export interface Exchange {
  profile: Profile
  contracts: Contract[]
  /** Transactions in order; put a few into each of the first blocks. */
  genesis: ActionCall[][]
}

/** Builds the exchange of a profile. */
export function buildExchange(profile: Profile, options: ExchangeOptions = {}): Exchange {
  const system = profile.tokens[0] as TokenSpec
  const activeFee = { quantity: amountOf(system, 0), contract: system.contract }
  const contracts: Contract[] = [
    ...tokenContracts(profile),
    new AmmContract({ layout: options.ammLayout ?? 'newer', activeFee }),
    new DexContract({ layout: options.dexLayout ?? 'first' }),
    new OracleContract(),
    new RegistryContract(),
    ...bridgeContracts(profile),
  ]
  return { profile, contracts, genesis: genesis(profile) }
}

function tokenContracts(profile: Profile): Contract[] {
  const accounts = new Set(profile.tokens.map((token) => token.contract))
  accounts.delete(WRAP)
  return [...[...accounts].map((account) => new TokenContract(account)), wrapOf(profile)]
}

function wrapOf(profile: Profile): Contract {
  return profile.name === 'telos' ? new WrapContract() : new TokenContract(WRAP)
}

function bridgeContracts(profile: Profile): Contract[] {
  if (profile.name === 'wax') return [new WaxBridge()]
  return [
    new TelosBridge({ gateways: Object.values(GATEWAYS) }),
    new HopContract(),
    new GatewayContract(GATEWAYS.evm, ETHEREUM_DOMAIN, RELAYER),
    new GatewayContract(GATEWAYS.wax, WAX_DOMAIN, RELAYER),
  ]
}

/** The token of a symbol. */
export function tokenOf(profile: Profile, code: string): TokenSpec {
  const token = profile.tokens.find((spec) => spec.code === code)
  if (!token) throw new RangeError(`no token ${code} in the profile ${profile.name}`)
  return token
}

/** Whole tokens as an asset, rounded to raw units. */
export function amountOf({ precision, code }: TokenSpec, whole: number): Asset {
  return { amount: BigInt(Math.round(whole * 10 ** precision)), precision, symbol: code }
}

/** Both tokens of a pool in the order of the contract. */
export function sortedPair(profile: Profile, spec: PoolSpec): [TokenSpec, TokenSpec] {
  const [first, second] = spec.pair.map((code) => tokenOf(profile, code)) as [TokenSpec, TokenSpec]
  const a = nameToU64(first.contract)
  const b = nameToU64(second.contract)
  const inOrder = a !== b ? a < b : symbolCodeToU64(first.code) < symbolCodeToU64(second.code)
  return inOrder ? [first, second] : [second, first]
}

function genesis(profile: Profile): ActionCall[][] {
  const steps: ActionCall[][] = [[call(AMM, 'init', AMM, {})]]
  for (const token of profile.tokens) steps.push(createToken(profile, token))
  for (const [i, spec] of profile.pools.entries()) steps.push(...createPool(profile, spec, BigInt(i)))
  for (const market of profile.markets) steps.push([openMarket(profile, market)])
  const { contract, code, precision } = profile.tokens[0] as TokenSpec
  const quantity = amountOf({ contract, code, precision, usd: 0 }, 0)
  const farm = { creator: 'sybil.lp', poolId: 0n, rewardToken: { quantity, contract }, duration: 30 * 86_400 }
  steps.push([call(AMM, 'newincentive', 'sybil.lp', farm)])
  if (profile.name === 'telos') steps.push(...routes(profile))
  return steps
}

function createToken(profile: Profile, token: TokenSpec): ActionCall[] {
  const { contract, code, precision } = token
  const issuer = contract === WRAP ? BRIDGE : contract
  const maximum_supply = { amount: (1n << 62n) - 1n, precision, symbol: code }
  const image = `https://images.example.org/${code.toLowerCase()}.png`
  const entry = { contract, sym: { precision, code }, name: code, image }
  return [
    call(contract, 'create', contract, { issuer, maximum_supply }),
    ...profile.users.map((to) => {
      const quantity = amountOf(token, 2_000_000 / token.usd)
      return call(contract, 'issue', issuer, { to, quantity, memo: 'genesis' })
    }),
    call(REGISTRY, 'settoken', REGISTRY, entry),
  ]
}

function createPool(profile: Profile, spec: PoolSpec, poolId: bigint): ActionCall[][] {
  const [a, b] = sortedPair(profile, spec)
  const owner = 'trent.lp'
  const none = (token: TokenSpec): ExtendedAsset => ({ quantity: amountOf(token, 0), contract: token.contract })
  const ratio = (a.usd / 10 ** a.precision / b.usd) * 10 ** b.precision
  const sqrtPriceX64 = BigInt(Math.round(Math.sqrt(ratio) * 2 ** 64))
  const pool = { account: owner, tokenA: none(a), tokenB: none(b), sqrtPriceX64, fee: spec.fee }
  const spacing = spec.fee === 500 ? 10 : spec.fee === 3000 ? 60 : 200
  const middle = Math.round(tickAtSqrtPrice(sqrtPriceX64) / spacing) * spacing
  const steps = [[call(AMM, 'createpool', owner, pool)]]
  for (const width of [30_000, 6_000]) {
    const desired = [a, b].map((token) => amountOf(token, spec.value / 4 / token.usd)) as [Asset, Asset]
    const reach = Math.round(width / spacing) * spacing
    const range = { poolId, owner, tickLower: middle - reach, tickUpper: middle + reach }
    steps.push(addLiquidity(range, [a, b], desired))
  }
  return steps
}

/** Deposits and the liquidity that they pay for, as one transaction. */
export function addLiquidity(
  range: { poolId: bigint; owner: string; tickLower: number; tickUpper: number },
  [a, b]: readonly [TokenSpec, TokenSpec],
  [tokenADesired, tokenBDesired]: readonly [Asset, Asset],
): ActionCall[] {
  const { owner } = range
  const deposit = (contract: string, quantity: Asset) =>
    call(contract, 'transfer', owner, { from: owner, to: AMM, quantity, memo: 'deposit' })
  return [
    ...(tokenADesired.amount > 0n ? [deposit(a.contract, tokenADesired)] : []),
    ...(tokenBDesired.amount > 0n ? [deposit(b.contract, tokenBDesired)] : []),
    call(AMM, 'addliquid', owner, {
      ...range,
      tokenADesired,
      tokenBDesired,
      tokenAMin: { ...tokenADesired, amount: 0n },
      tokenBMin: { ...tokenBDesired, amount: 0n },
      deadline: 0,
    }),
  ]
}

function openMarket(profile: Profile, [baseCode, targetCode]: readonly [string, string]): ActionCall {
  const base = tokenOf(profile, baseCode)
  const target = tokenOf(profile, targetCode)
  // The contract's base is the ticker's target.
  return call(DEX, 'openmarket', DEX, {
    base_con: target.contract,
    base_sym: amountOf(target, 0),
    quote_con: base.contract,
    quote_sym: amountOf(base, 0),
  })
}

/** Addresses of the simulated EVM side, by symbol. */
export const EVM_TOKENS: Readonly<Record<string, string>> = {
  USDC: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  USDT: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  ETH: '0x0000000000000000000000000000000000000000',
}

/** Nonces of the first deposits are far above those of the traffic. */
const FIRST_NONCES = 1n << 48n
const EVM_VAULT = '0x3e447d533321ad6a8412f97034ac295a9ff8d858'

function routes(profile: Profile): ActionCall[][] {
  const wrapped = profile.tokens.filter((token) => token.contract === WRAP)
  const route = (domain: bigint, vault: string, address: string, { code, precision, usd }: TokenSpec, scale: bigint) =>
    call(BRIDGE, 'addroute', BRIDGE, {
      domain,
      vault: partyBytes(domain, vault),
      token: partyBytes(domain, address),
      wrapped: { sym: { precision, code }, contract: WRAP },
      scale,
      min: BigInt(Math.round((5 / usd) * 10 ** precision)),
      max: BigInt(Math.round((100_000 / usd) * 10 ** precision)),
    })
  return wrapped.map((token) => {
    const onWax = token.code === 'WAX' ? 'eosio.token' : WRAP
    const calls = [route(WAX_DOMAIN, BRIDGE, onWax, token, 1n)]
    const address = EVM_TOKENS[token.code]
    const scale = token.code === 'ETH' ? 10n ** 10n : 1n
    if (address) calls.push(route(ETHEREUM_DOMAIN, EVM_VAULT, address, token, scale))
    calls.push(backing(token, GATEWAYS.wax, partyBytes(WAX_DOMAIN, onWax)))
    if (address) calls.push(backing(token, GATEWAYS.evm, partyBytes(ETHEREUM_DOMAIN, address)))
    return calls
  })
}

/** What the holders of the first tokens can withdraw: a deposit of theirs that waits for its claim. */
function backing(token: TokenSpec, gateway: string, address: Uint8Array): ActionCall {
  const canonical = amountOf(token, 500_000 / token.usd).amount
  const sym_code = token.code
  const deposit = {
    telosTo: 'trent.lp',
    token: address,
    sym_code,
    canonical,
    refund_to: address,
    memo: new Uint8Array(),
  }
  return call(gateway, 'credit', RELAYER, {
    relayer: RELAYER,
    nonce: FIRST_NONCES + canonical,
    proof: packRelayed(deposit),
  })
}
